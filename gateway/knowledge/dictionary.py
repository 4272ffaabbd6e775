"""The label dictionary of one tenant at one moment, as it is asked about: combinations that no rule tells apart stand together."""

import hashlib

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from gateway.errors import IndexUnavailableError
from gateway.knowledge.items import representative
from gateway.knowledge.labels import DecidingFacts, settled, tuple_key
from gateway.knowledge.moments import instant
from gateway.model.case import Attested
from gateway.model.policy_input import ItemFacts
from gateway.model.request import Provenance
from gateway.policy.item import item_facts
from gateway.policy.vouching import Vouching
from gateway.ports.knowledge import Documents, Ids, LabelTuple


@dataclass(frozen=True, slots=True)
class Group:
    """Combinations of labels that are decided alike."""

    key: bytes
    attested: Attested
    """The item that stands for them."""

    fetched_at: int | None
    """Microseconds since 1970; None where that is not known."""

    tuples: tuple[int, ...]
    moments: tuple[str, ...]
    """Texts of its facts that are longer than a day, so that the time may pass them within one."""

    def changes_on(self, day: str) -> bool:
        """Whether the time may pass one of its facts on a day, such as ``2026-03-01``."""
        return any(one.startswith(day) for one in self.moments)

    def facts(self, now: datetime) -> ItemFacts:
        """What policy is told of it."""
        return item_facts(self.attested, now)


@dataclass(frozen=True, slots=True)
class Dictionary:
    """All combinations of labels that chunks of a tenant carry."""

    epoch: int
    groups: tuple[Group, ...]
    labels: dict[int, Provenance]
    """Of each combination."""

    digest: str
    """SHA-256 over the keys of all combinations and the times of their origins, in order of the keys."""

    told: tuple[Any, ...]
    """Every number of the labels that an age may be compared with."""


def snapshot(documents: Documents, tenant: str) -> tuple[int, Sequence[LabelTuple]]:
    """
    The combinations of one epoch.

    Raises:
        IndexUnavailableError: they change faster than they can be read.
    """
    for _ in range(5):
        epoch = documents.epoch
        tuples = documents.tuples(tenant)
        if documents.epoch == epoch:
            return epoch, tuples
    raise IndexUnavailableError("the label dictionary changes while it is read")


def dictionary_of(
    epoch: int, tuples: Sequence[LabelTuple], *, vouching: Vouching, place: tuple[str, str], deciding: DecidingFacts
) -> Dictionary:
    """
    The dictionary as it is asked about.

    Args:
        epoch: of these combinations.
        tuples: those of one tenant.
        vouching: what is believed of their items.
        place: id of the source that vouches for them, and which part of a pack they are for.
        deciding: what the rules read.

    Raises:
        IndexUnavailableError: one of them is of another tenant.
    """
    if any(one.tenant != vouching.tenant for one in tuples):
        raise IndexUnavailableError("the label dictionary holds labels of another tenant")
    # What rules read alike, of one age, is decided once for all: a group stands for many combinations.
    together: dict[tuple[bytes, int | None], tuple[Attested, list[int]]] = {}
    for one in tuples:
        attested = vouching.of(representative(one.labels, *place))
        fetched = _fetched(one.labels)
        key = settled(dict(item_facts(attested, vouching.now)), deciding.facts)
        together.setdefault((key, fetched), (attested, []))[1].append(one.id)
    groups = tuple(
        Group(key, attested, fetched, tuple(ids), _moments(attested.item.provenance))
        for (key, fetched), (attested, ids) in together.items()
    )
    told = {number for group in groups for number in _numbers(group.attested.item.provenance)}
    return Dictionary(epoch, groups, {one.id: one.labels for one in tuples}, digest_of(tuples), tuple(sorted(told)))


def digest_of(tuples: Sequence[LabelTuple]) -> str:
    """SHA-256 over the keys of combinations and the times of their origins, in order of the keys."""
    keys = sorted(
        f"{tuple_key(one.tenant, one.labels, 0)}\n{one.labels.fetched_at or ''}\n{one.id}\n" for one in tuples
    )
    return hashlib.sha256("".join(keys).encode()).hexdigest()


def permitted_digest(permitted: Ids) -> str:
    """SHA-256 over the ids of permitted combinations."""
    return hashlib.sha256(np.ascontiguousarray(permitted, dtype="<i8").tobytes()).hexdigest()


def _fetched(labels: Provenance) -> int | None:
    return None if labels.fetched_at is None else instant(datetime.fromisoformat(labels.fetched_at))


def _numbers(labels: Provenance) -> list[float]:
    found = [labels.ttl_seconds, *(labels.labels or {}).values()]
    return [float(one) for one in found if isinstance(one, int | float) and not isinstance(one, bool)]


def _moments(labels: Provenance) -> tuple[str, ...]:
    plain = labels.model_dump(exclude={"fetched_at", "labels"}, exclude_none=True)
    texts = (one for one in (*plain.values(), *(labels.labels or {}).values()) if isinstance(one, str))
    return tuple(one for one in texts if one[:4].isdecimal() and one[10:11] == "T")
