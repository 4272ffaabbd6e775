"""
What a second officer is told of a proof: which invariants hold, and what is decided otherwise for every request there can be.

Rules held here: what was not settled is said, with why; a proof that fails or takes too long is told of and stands in nobody's way;
what is told is bounded, and consists of words of the bundle and of facts that the solver made up, never of a request.
"""

import asyncio
import json

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from gateway.errors import GatewayError, ProofTooCostlyError
from gateway.policy.bundle import Bundle, files_of
from gateway.workbench.proving.documents import (
    Counterexample,
    DecisionChange,
    DiffRow,
    ExactDiff,
    InvariantProof,
    digest_of,
)

PROOFS_OFF: Final = "Nothing was proved: proofs are switched off (`CTXGATE_POLICIES_PROOF_SECONDS` is 0)."
_MOST_ROWS: Final = 5
"""Rows of each direction that are told of one question; `policy diff --exact` has all."""

_MOST_UNPROVED: Final = 50
_LONGEST: Final = 600

_Files = Mapping[str, bytes]
_DocumentT = TypeVar("_DocumentT")
_CHANGES: Final = {"permitted": "become visible", "refused": "are refused from then on"}


@dataclass(frozen=True, slots=True)
class CandidateProofs:
    """What is proved of a candidate, in sentences."""

    prove: Callable[[_Files], Awaitable[InvariantProof]]
    compare: Callable[[_Files, _Files], Awaitable[ExactDiff]]

    async def __call__(self, old: Bundle, new: Bundle) -> Sequence[str]:
        """Sentences on the candidate's invariants, and on what it decides otherwise than the bundle that decides now."""
        before, after = await asyncio.to_thread(lambda: (_files(old), _files(new)))
        return (
            *await _settled("The invariants were", self.prove(after), told_invariants),
            *await _settled("What is decided otherwise was", self.compare(before, after), told_changes),
        )


async def proofs_off(_old: Bundle, _new: Bundle) -> Sequence[str]:
    """Where proofs are switched off, which is said."""
    return (PROOFS_OFF,)


def _files(bundle: Bundle) -> _Files:
    return files_of(bundle.content) | bundle.checks


async def _settled(
    what: str, document: Awaitable[_DocumentT], told: Callable[[_DocumentT], Iterator[str]]
) -> list[str]:
    """What is told of a document; where there is none, why."""
    try:
        return [_cut(sentence) for sentence in told(await document)]
    except ProofTooCostlyError as error:
        return [_cut(f"{what} not settled: {error.detail}.")]
    except GatewayError as error:
        return [_cut(f"{what} not proved ({error.code}): {error.detail}.")]
    except Exception as error:  # noqa: BLE001 - a proposal never waits for a proof that fails, whatever it fails on
        return [f"{what} not proved: the proof failed ({type(error).__name__})."]


def told_invariants(proof: InvariantProof) -> Iterator[str]:
    """How many invariants hold, and each that does not."""
    held = sum(one.verdict == "holds" for one in proof.shown)
    if not proof.shown:
        yield "The bundle brings no invariants."
        return
    yield f"{held} of {len(proof.shown)} invariants hold for every input."
    unproved = [one for one in proof.shown if one.verdict != "holds"]
    # What is broken first: where the list is cut, what was only not settled goes.
    for one in sorted(unproved, key=lambda one: one.verdict != "broken")[:_MOST_UNPROVED]:
        if one.counterexample is None:
            yield f"{one.id} {one.title}: not settled: {one.reason}."
        else:
            yield f"{one.id} {one.title}: broken by {_example(one.counterexample)}."
    if len(unproved) > _MOST_UNPROVED:
        yield f"{len(unproved) - _MOST_UNPROVED} more invariants do not hold, or are not settled."
    if uncovered := len(proof.coverage.not_covered):
        yield f"{uncovered} places in the rules are not covered and were taken to be anything."


def told_changes(found: ExactDiff) -> Iterator[str]:
    """What is decided otherwise: for each question the first rows."""
    for change in found.changes:
        yield from _told_change(change)


def _told_change(change: DecisionChange) -> Iterator[str]:
    if change.verdict == "same":
        yield f"{change.entrypoint}: no input is decided differently."
        return
    if change.verdict == "open":
        yield f"{change.entrypoint}: what is decided differently was not settled: {change.reason}."
        return
    for direction, becomes in _CHANGES.items():
        rows = [row for row in change.rows if row.change == direction]
        if rows:
            kinds = "1 kind of inputs" if len(rows) == 1 else f"{len(rows)} kinds of inputs"
            yield f"{change.entrypoint}: {kinds} {becomes}:"
            yield from map(_row, rows[:_MOST_ROWS])
    if not change.complete:
        yield f"{change.entrypoint}: there may be more: {change.reason}."


def _row(row: DiffRow) -> str:
    where = "; ".join(f"{name}: {' or '.join(values)}" for name, values in row.where.items()) or "every input"
    return f"- {where[: _LONGEST // 2]}, such as {_example(row.example)}."


def _example(example: Counterexample) -> str:
    facts = "; ".join(f"{name} = {json.dumps(value)}" for name, value in example.differs.items())
    return f"counterexample {digest_of(example)[:19]} (the plain case{f' but {facts}' if facts else ''})"


def _cut(sentence: str) -> str:
    return sentence if len(sentence) <= _LONGEST else f"{sentence[: _LONGEST - 1]}…"
