"""
Who may find what: for a class of callers the combinations of labels whose chunks may be found.

Rules held here: the engine of the gate decides each combination, from the very facts that the gate will ask about; an answer is
used again only while nothing that it depends on has changed; where there is no answer, nothing is searched.
"""

import asyncio
import hashlib
import time

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final, cast

import numpy as np

from numpy.typing import NDArray

from gateway.concurrency.apart import apart
from gateway.errors import IndexUnavailableError
from gateway.knowledge.dictionary import Dictionary, Group, dictionary_of, permitted_digest, snapshot
from gateway.knowledge.labels import DecidingFacts
from gateway.knowledge.moments import NEVER, Edges, instant, neighbours, standing
from gateway.model.policy_input import AdmitInput
from gateway.model.request import Provenance
from gateway.policy.ask import ask
from gateway.policy.entrypoints import REACH
from gateway.policy.vouching import Vouching
from gateway.ports.knowledge import Documents, Ids
from gateway.ports.policy import PolicyEngine
from ledger.canonical import jcs

MOST_TUPLES: Final = 50_000
"""Of one tenant; with more a class of callers waits for seconds, which an alarm says (docs/knowledge.md)."""

_WHOLE: Final = 10_000_000
"""Bytes: a dictionary is read apart from the event loop, whatever its size."""

_SLICE: Final = 500
"""So many combinations are asked about at a time."""


@dataclass(frozen=True, slots=True)
class Mask:
    """What one request may find."""

    permitted: Ids
    labels: Mapping[int, Provenance]
    """Of every combination, as the answer was given for it."""

    epoch: int
    tuples: int
    dictionary: str
    """Digest of the label dictionary."""

    digest: str
    """Of the permitted ids."""

    decided: int
    """How many questions were asked for it now."""

    seconds: float
    """That it took."""


@dataclass(frozen=True, slots=True)
class ReachQuestion:
    """What the combinations are asked about, and with what."""

    shared: Mapping[str, Any]
    """What all questions of the request share, records and exceptions among it: that of `admit` without its item."""

    now: datetime
    policy: PolicyEngine
    deciding: Callable[[], DecidingFacts]
    """Tells what the rules read; it may take a while for a bundle that was not read yet."""

    vouching: Vouching
    source: str
    """Id of the source in the registry."""

    section: str


@dataclass(slots=True)
class _Class:
    """Answers for callers that no rule tells apart; of one dictionary, group by group."""

    dictionary: Dictionary | None = None
    allow: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, np.bool_))
    until: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    since: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def size(self) -> int:
        """About how many bytes it holds."""
        return 500 + len(self.allow) * 17


class Reach:
    """Masks for all requests of this process."""

    def __init__(
        self,
        documents: Documents,
        *,
        most_classes: int = 1_000,
        most_bytes: int = 64 * 1024 * 1024,
        counted: Callable[[int], None] = lambda _: None,
    ) -> None:
        """
        Args:
            documents: the truth.
            most_classes: classes of callers that are remembered.
            most_bytes: that their answers may take.
            counted: is told how many combinations a tenant has, whenever they are read anew.
        """
        self._documents = documents
        self._most_classes, self._most_bytes = most_classes, most_bytes
        self._counted = counted
        self._classes: OrderedDict[bytes, _Class] = OrderedDict()
        self._dictionaries: OrderedDict[tuple[str, ...], Dictionary] = OrderedDict()
        self._reading: dict[tuple[str, ...], asyncio.Lock] = {}

    async def mask(self, question: ReachQuestion) -> Mask:
        """
        What may be found.

        Raises:
            IndexUnavailableError: what may be found cannot be told for this bundle, so that nothing may be searched.

            PolicyError: policy gave no usable answer.
        """
        began = time.perf_counter()
        read = await apart(lambda: _exact(question), size=_WHOLE)
        dictionary = await self._dictionary(question, read)
        near = await apart(
            lambda: neighbours(read, [question.shared, dictionary.told], str(question.shared["now"])[:10])
        )
        if not read.foreseen:
            # Nobody knows when an answer changes, so that it is for this request alone.
            return await self._decided(_Class(), dictionary, question, near, began)
        key = await apart(lambda: _class_of(question, near))
        found = self._classes.setdefault(key, _Class())
        self._classes.move_to_end(key)
        async with found.turn:
            mask = await self._decided(found, dictionary, question, near, began)
        self._forget()
        return mask

    async def _dictionary(self, question: ReachQuestion, read: DecidingFacts) -> Dictionary:
        version = question.policy.version
        key = (question.vouching.tenant, version.revision, version.engine, question.source)
        # Requests that come together read it once.
        async with self._reading.setdefault(key, asyncio.Lock()):
            held = self._dictionaries.get(key)
            if held is None or held.epoch != self._documents.epoch:
                held = await apart(partial(_read, self._documents, question, read), size=_WHOLE)
                self._counted(len(held.labels))
                self._dictionaries[key] = held
            self._dictionaries.move_to_end(key)
            while len(self._dictionaries) > 64:
                oldest, _ = self._dictionaries.popitem(last=False)
                self._reading.pop(oldest, None)
            return held

    async def _decided(
        self, found: _Class, dictionary: Dictionary, question: ReachQuestion, near: Edges, began: float
    ) -> Mask:
        now = instant(question.now)
        if found.dictionary is not dictionary:
            _carry(found, dictionary)
        due = np.nonzero((found.until <= now) | (found.since > now))[0]
        for start in range(0, len(due), _SLICE):
            await self._decide(found, due[start : start + _SLICE], dictionary.groups, question, near)
        permitted = await apart(lambda: _permitted(dictionary.groups, found.allow), size=len(dictionary.labels) * 8)
        return Mask(
            permitted=permitted,
            labels=dictionary.labels,
            epoch=dictionary.epoch,
            tuples=len(dictionary.labels),
            dictionary=dictionary.digest,
            digest=permitted_digest(permitted),
            decided=len(due),
            seconds=time.perf_counter() - began,
        )

    async def _decide(
        self, found: _Class, due: NDArray[np.int64], groups: Sequence[Group], question: ReachQuestion, near: Edges
    ) -> None:
        some, now, day = [groups[at] for at in due.tolist()], instant(question.now), str(question.shared["now"])[:10]
        size = len(some) * 1_000
        inputs = await apart(lambda: [_asked(one, question) for one in some], size=size)
        answered = await ask(question.policy, REACH, inputs)
        allow = [one.allow for one in answered]
        until = await apart(
            lambda: [now if one.changes_on(day) else near.until(one.fetched_at, now) for one in some], size=size
        )
        # All three at once: a request that is cut off between them would leave an answer without its end.
        found.allow[due], found.until[due], found.since[due] = allow, until, now

    def _forget(self) -> None:
        while len(self._classes) > 1 and (
            len(self._classes) > self._most_classes
            or sum(one.size for one in self._classes.values()) > self._most_bytes
        ):
            self._classes.popitem(last=False)


def _exact(question: ReachQuestion) -> DecidingFacts:
    """What the rules read; whoever asks may rely on it that this is the same for all chunks of a combination."""
    found = question.deciding()
    version = question.policy.version
    if "cedar" in version.engine:
        # Cedar is told the same facts, and what of them it reads stands in no tree.
        found = DecidingFacts(
            found.facts | {"domain", "data_classification"}, found.foreseen, found.numbers, found.texts
        )
    offering = question.vouching.registry.offering
    if found.unkept or question.section == "prior_result" or (offering and question.section == offering.section):
        said = ", ".join(sorted(found.unkept)) or question.section
        raise IndexUnavailableError(f"rules of `admit` may read what labels do not settle: {said}")
    return found


def _read(documents: Documents, question: ReachQuestion, read: DecidingFacts) -> Dictionary:
    epoch, tuples = snapshot(documents, question.vouching.tenant)
    place = question.source, question.section
    return dictionary_of(epoch, tuples, vouching=question.vouching, place=place, deciding=read)


def _class_of(question: ReachQuestion, near: Edges) -> bytes:
    version = question.policy.version
    named = [version.revision, version.engine, version.engine_version, question.source, question.section]
    told = standing(question.shared, near)
    # The ages at which an answer changes are part of what until when an answer holds was told from.
    return hashlib.sha256(jcs([named, told, list(near.ages)])).digest()


def _carry(found: _Class, dictionary: Dictionary) -> None:
    """Keep the answers of combinations that are still there."""
    before = {} if found.dictionary is None else {_id(one): at for at, one in enumerate(found.dictionary.groups)}
    count = len(dictionary.groups)
    allow, until, since = np.zeros(count, np.bool_), np.zeros(count, np.int64), np.full(count, NEVER, np.int64)
    for at, one in enumerate(dictionary.groups):
        if (place := before.get(_id(one))) is not None:
            allow[at], until[at], since[at] = found.allow[place], found.until[place], found.since[place]
    found.dictionary, found.allow, found.until, found.since = dictionary, allow, until, since


def _id(group: Group) -> tuple[bytes, int | None]:
    return group.key, group.fetched_at


def _asked(group: Group, question: ReachQuestion) -> AdmitInput:
    return cast("AdmitInput", {**question.shared, "item": group.facts(question.now)})


def _permitted(groups: Sequence[Group], allow: NDArray[np.bool_]) -> Ids:
    ids = [one for group, permitted in zip(groups, allow.tolist(), strict=True) if permitted for one in group.tuples]
    return np.array(sorted(ids), np.int64)
