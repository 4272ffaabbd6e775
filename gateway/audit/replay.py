"""
Deciding again: past rulings under the very bundle that made them, from what is kept aside.

A decision *matches* if the bundle that the record names, asked what the commitment in the record covers, answers
with the recorded outcome, codes, obligations and exceptions.
"""

import json

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gateway.audit.evidence import Evidence
from gateway.content.parsing import shaped
from gateway.errors import GatewayError
from gateway.model import AdmitAnswer, Obligation, ReleaseAnswer
from gateway.model.policy_answer import obligation_labels
from gateway.policy.agent import of_policy
from gateway.policy.entrypoints import RELEASE
from ledger.erasable import Erasable, commit
from ledger.query import Filter

MATCH: Final = "MATCH"
MISMATCH: Final = "MISMATCH"
ERASED: Final = "ERASED"

Ask = Callable[[str, str, Sequence[bytes]], Sequence[object]]
"""Answers of the bundle of a revision at an entrypoint, for inputs as canonical JSON."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of one decision."""

    decision_id: str
    verdict: str
    why: str = ""


@dataclass(slots=True)
class Replay:
    """What became of all of them."""

    counts: Counter[str] = field(default_factory=Counter)
    mismatches: list[Replayed] = field(default_factory=list)


def replay(evidence: Evidence, ask: Ask, wanted: Filter, *, limit: int | None = None) -> Replay:
    """
    Decide past rulings again.

    Args:
        evidence: the ledger, with its erasable sides.
        ask: the engine.
        wanted: which decisions; its kind is set here.
        limit: how many at most.

    Raises:
        GatewayError, LedgerError: the ledger or a bundle could not be read.
    """
    result = Replay()
    for bodies in _pages(evidence, wanted, limit):
        for one in again([json.loads(body) for body in bodies], evidence, ask):
            result.counts[one.verdict] += 1
            if one.verdict == MISMATCH:
                result.mismatches.append(one)
    return result


def again(records: Sequence[Mapping[str, Any]], evidence: Evidence, ask: Ask) -> Iterator[Replayed]:
    """Each ruling decided again; answers on labels alone, of which nothing was ever kept, are passed over."""
    decided = [record for record in records if (record["policy"] or {}).get("input_commitment")]
    erasables = evidence.erasables([record["decision_id"] for record in decided])
    for record in decided:
        yield _again(record, erasables.get(record["decision_id"]), ask)


def _again(record: Mapping[str, Any], erasable: Erasable | None, ask: Ask) -> Replayed:
    name, policy = record["decision_id"], record["policy"]
    if erasable is None or erasable.input is None or erasable.input_salt is None:
        return Replayed(name, ERASED)
    if commit(erasable.input_salt, erasable.input) != policy["input_commitment"]:
        return Replayed(name, MISMATCH, "the erasable side is not what was decided on")
    try:
        [answer] = ask(policy["revision"], policy["entrypoint"], [erasable.input])
        decided = _decided(policy["entrypoint"], answer)
    except GatewayError as error:
        return Replayed(name, MISMATCH, str(error))
    recorded = {**{key: record[key] for key in decided}, "codes": of_policy(record["codes"])}
    wrong = sorted(key for key in decided if list(decided[key]) != list(recorded[key]))
    return Replayed(name, MISMATCH, f"differs in {', '.join(wrong)}") if wrong else Replayed(name, MATCH)


def _decided(entrypoint: str, answer: object) -> dict[str, Any]:
    """What a record says of an answer."""
    if entrypoint == RELEASE.name:
        released = shaped(ReleaseAnswer, answer)
        return _said(released.outcome, released, released.obligations)
    admitted = shaped(AdmitAnswer, answer)
    # Labels alone refuse an item; one that they admit is recorded at its release.
    return _said("admitted" if admitted.allow else "denied", admitted, ())


def _said(outcome: str, answer: AdmitAnswer | ReleaseAnswer, obligations: Sequence[Obligation]) -> dict[str, Any]:
    return {
        "outcome": outcome,
        "codes": sorted({denial.code for denial in answer.denials}),
        "obligations": obligation_labels(obligations),
        "exceptions": answer.exceptions,
    }


def _pages(evidence: Evidence, wanted: Filter, limit: int | None) -> Iterator[Sequence[bytes]]:
    after: int | None = wanted.after
    while after is not None and (limit is None or limit > 0):
        limit = min(500, limit) if limit is not None else 500
        page = evidence.store.query(wanted.model_copy(update={"kind": "item.ruled", "after": after, "limit": limit}))
        yield page.records
        limit = None if limit is None else limit - len(page.records)
        after = page.next
