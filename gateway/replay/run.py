"""
Deciding again: past rulings, requests and packs under the very bundle that decided on them, from what is kept aside.

A decision *matches* if the bundle that the record names, asked what the commitment in the record covers, gives the answer that is
on record, and if what was handed over, where it was kept, follows from it.
Rule held here: each record gets a verdict of its own, and whatever is wrong with one, the others are looked at.
"""

import json

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gateway.audit.evidence import Evidence
from gateway.replay.asking import Ask, answered_again, ruled_again
from gateway.replay.handed_over import CarrierOf, pack_as_recorded, released_again
from gateway.replay.verdicts import DAMAGED, ERASED, MATCH, REFUSED, UNAVAILABLE, Replay, Replayed, ReplayError
from ledger.erasable import Erasable
from ledger.query import Filter

KINDS: Final = ("item.ruled", "request.opened", "pack.sealed")
"""What can be decided again."""


@dataclass(frozen=True, slots=True)
class Deciders:
    """What decides again, and carries out what was decided."""

    ask: Ask
    carrier: CarrierOf
    notes: Callable[[Mapping[str, Any]], Sequence[str]]
    """What differs between what a record names and what is here: versions of engines and detectors."""


def replay(
    evidence: Evidence,
    deciders: Deciders,
    wanted: Filter,
    *,
    limit: int | None = None,
    progress: Callable[[], None] = lambda: None,
) -> Replay:
    """
    Decide past rulings, requests and packs again.

    Args:
        evidence: the ledger, with its erasable sides.
        deciders: what decides again.
        wanted: which decisions; its kinds are set here.
        limit: how many rulings, requests and packs at most.
        progress: called after each of them.

    Raises:
        GatewayError, LedgerError: the ledger could not be read.
    """
    result = Replay()
    for bodies in _pages(evidence, wanted, limit):
        for one in again([json.loads(body) for body in bodies], evidence, deciders):
            result.add([one])
            progress()
    return result


def again(records: Sequence[Mapping[str, Any]], evidence: Evidence, deciders: Deciders) -> Iterator[Replayed]:
    """Each decision made again; those of which nothing was ever kept, such as answers on labels alone, are passed over."""
    decided = [record for record in records if _asked(record)]
    opened = evidence.opened([record["decision_id"] for record in decided])
    for record in records:
        if _asked(record):
            yield _again(record, opened.get(record["decision_id"]), evidence, deciders)
        elif _kind(record) == REFUSED:
            yield _undecided(record)


def _asked(record: Mapping[str, Any]) -> bool:
    return bool((record["policy"] or {}).get("input_commitment"))


def _kind(record: Mapping[str, Any]) -> str:
    refused = record["kind"] == "request.opened" and record["outcome"] == "denied"
    return REFUSED if refused else str(record["kind"])


def _undecided(record: Mapping[str, Any]) -> Replayed:
    """A refusal of the gateway itself, or from before what policy was asked of one was kept."""
    own = next((code for code in record["codes"] if code.startswith("GW-")), "no code")
    why = f"refused with {own}, and nothing is kept that policy was asked"
    return Replayed(record["decision_id"], UNAVAILABLE, why, REFUSED, (why,), undecided=True)


def _again(
    record: Mapping[str, Any], side: Erasable | ValueError | None, evidence: Evidence, deciders: Deciders
) -> Replayed:
    name, kind = record["decision_id"], _kind(record)
    try:
        if side is None and _erased(record, evidence):
            return Replayed(name, ERASED, kind=kind)
        contents = _made_again(record, _whole(side), evidence, deciders)
    except ReplayError as error:
        return Replayed(name, error.verdict, error.why, kind, tuple(deciders.notes(record)))
    return Replayed(name, MATCH, kind=kind, notes=tuple(deciders.notes(record)), contents=contents)


def _whole(side: Erasable | ValueError | None) -> Erasable:
    if side is None:
        raise ReplayError(DAMAGED, "what was kept is gone, and no erasure is on record")
    if isinstance(side, ValueError):
        raise ReplayError(DAMAGED, "what was kept does not open")
    return side


def _made_again(record: Mapping[str, Any], side: Erasable, evidence: Evidence, deciders: Deciders) -> bool:
    """Whether what was handed over was kept, and so made again too."""
    if record["kind"] == "item.ruled":
        answer = ruled_again(record, side, deciders.ask)
        return answer is not None and released_again(record, side, answer, deciders.carrier)
    answered_again(record, side, deciders.ask)
    if record["kind"] == "pack.sealed":
        return pack_as_recorded(record, side, _Rulings(record, evidence).of)
    return False


def _erased(record: Mapping[str, Any], evidence: Evidence) -> bool:
    """Whether an erasure of the person behind a record is on record."""
    erasure = Filter(tenant=record["tenant"], kind="erasure", item_id=record["subject"], limit=1)
    return record["subject"] is not None and bool(evidence.store.query(erasure).records)


class _Rulings:
    """The rulings of a pack's request, with what was kept of each; looked up when one is first asked for."""

    def __init__(self, sealed: Mapping[str, Any], evidence: Evidence) -> None:
        self._wanted = Filter(tenant=sealed["tenant"], request_id=sealed["request_id"], kind="item.ruled", limit=1000)
        self._evidence = evidence
        self._found: dict[str, tuple[Mapping[str, Any], Erasable]] | None = None

    def of(self, decision_id: str) -> tuple[Mapping[str, Any], Erasable] | None:
        """See `gateway.replay.handed_over.RulingOf`."""
        # A pack has one request, whose records are read page by page and opened together.
        if self._found is None:
            bodies = [body for page in _pages_of(self._evidence, self._wanted) for body in page]
            records = {record["decision_id"]: record for record in map(json.loads, bodies)}
            opened = self._evidence.opened(list(records))
            self._found = {
                name: (records[name], side) for name, side in opened.items() if not isinstance(side, ValueError)
            }
        return self._found.get(decision_id)


def _pages(evidence: Evidence, wanted: Filter, limit: int | None) -> Iterator[Sequence[bytes]]:
    kinds = KINDS if wanted.kind is None else (wanted.kind,)
    wanted = wanted.model_copy(update={"kind": None, "kinds": tuple(kind for kind in kinds if kind in KINDS)})
    left = limit
    for page in _pages_of(evidence, wanted.model_copy(update={"limit": 500})):
        yield page if left is None else page[:left]
        left = None if left is None else left - len(page)
        if left is not None and left <= 0:
            return


def _pages_of(evidence: Evidence, wanted: Filter) -> Iterator[Sequence[bytes]]:
    after: int | None = wanted.after
    while after is not None:
        page = evidence.store.query(wanted.model_copy(update={"after": after}))
        yield page.records
        after = page.next
