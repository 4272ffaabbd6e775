"""
What was found of a candidate when it was proposed, and what the second officer is shown before it decides.

Rules held here: what is shown is what the record of the proposal commits to; what is checked less than by the bundle that decides now
is found anew each time, since another one may have come to decide meanwhile, and must be acknowledged by its digest.
"""

from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from typing import Final

from pydantic import ValidationError

from gateway.errors import BundleInvalidError, CasesRemovedError, NotFoundError
from gateway.model import Model
from gateway.policy.bundle import Bundle
from gateway.policy.store import BundleStore, LifecycleState
from gateway.workbench.case_changes import CaseChange, cases_changed, digest_of
from gateway.workbench.desk.invariants_gone import invariants_gone
from gateway.workbench.desk.tried import Tried
from gateway.workbench.diff import diff
from ledger.canonical import jcs

ACKNOWLEDGED = "CASES-ACKNOWLEDGED"
"""Code in the record of an activation with which cases went."""

_MOST_LISTED = 50

Prove = Callable[[Bundle, Bundle], Awaitable[Sequence[str]]]
"""Sentences on what another bundle decides otherwise, and on what is proved of it; the old bundle first."""


async def nothing_proved(_old: Bundle, _new: Bundle) -> Sequence[str]:
    """Where nothing proves."""
    return ()


_UNKNOWN: Final = CaseChange(
    kind="removed",
    file="cases.yaml",
    case="all",
    message="the cases of the bundle that decides are not kept, so that nothing tells which of them are gone.",
)


def to_acknowledge(removed: Sequence[CaseChange], revision: str, against: str) -> str | None:
    """
    What an officer acknowledges; None where nothing goes.

    Args:
        removed: what goes.
        revision: the candidate's.
        against: the bundle that decides, whose cases these were.
    """
    if not removed:
        return None
    said = {"revision": revision, "against": against, "changes": digest_of(removed)}
    return f"sha256:{sha256(jcs(said)).hexdigest()}"


class Review(Model):
    """What was found of a candidate when it was proposed."""

    revision: str
    against: str
    """The bundle that decided then."""

    case_files: str
    """Digest of the cases and tests that it brought."""

    differences: tuple[str, ...]
    """Rules, tables and entries of the registry, one sentence each."""

    cases: int
    """How many of its cases held: all."""

    tests: int
    """How many files of Rego tests held: all."""

    removed: tuple[CaseChange, ...]
    """What was checked before and is not now."""

    proved: tuple[str, ...] = ()
    """What it decides otherwise, over all questions, where something can tell."""


class Proposal(Review):
    """What an officer hears of a candidate that was taken in."""

    problems: tuple[str, ...] = ()
    """None: a candidate with problems is refused."""

    acknowledge: str | None
    """Digest that whoever activates it must acknowledge; null where no case went."""


class ShownReview(Review):
    """The same for the second officer."""

    proposed_by: str
    proposed_at: str
    stale: bool
    """Whether another bundle decides than the one that the differences are from: *removed* is from the one that decides now."""

    acknowledge: str | None
    """Digest to send with the activation, since cases are removed, ask for less or are missing; null where none are."""


def active_bundle(kept: BundleStore, state: LifecycleState) -> Bundle | None:
    """The bundle that decides, without its cases; None where it is not kept."""
    try:
        return kept.stored(state.active)
    except NotFoundError:
        return None


def _changes(kept: BundleStore, state: LifecycleState, candidate: Bundle) -> tuple[CaseChange, ...]:
    """What the cases and tests with which the active bundle came to decide held, and the candidate's do not."""
    digest = state.cases.get(state.active)
    try:
        before = kept.with_cases(state.active, digest) if digest else None
    except NotFoundError:
        before = None
    if before is None:
        return (_UNKNOWN,)
    return (*cases_changed(before.checks, candidate.checks), *invariants_gone(before.checks, candidate.checks))


def reviewed(
    bundle: Bundle, tried: Tried, case_files: str, *, kept: BundleStore, state: LifecycleState, proved: Sequence[str]
) -> Review:
    """What is found of a candidate that may decide; to be called where it holds up nobody."""
    active = active_bundle(kept, state)
    return Review(
        revision=bundle.revision,
        against=state.active,
        case_files=case_files,
        differences=tuple(diff(active, bundle)) if active else (),
        cases=tried.cases,
        tests=tried.tests,
        removed=_changes(kept, state, bundle),
        proved=tuple(proved),
    )


def keep_review(review: Review, kept: BundleStore) -> str:
    """Keep what was found under its hash; the digest."""
    return kept.keep_beside("review", jcs(review.model_dump(mode="json")))


def kept_review(revision: str, kept: BundleStore, state: LifecycleState) -> Review:
    """
    What was found of a proposed candidate.

    Raises:
        NotFoundError: it was proposed under an earlier version, or what was found is gone: it has to be proposed anew.

        BundleInvalidError: it is not what was kept.
    """
    digest = state.reviews.get(revision)
    if digest is None:
        raise NotFoundError("nothing is kept of what was found when it was proposed; have it proposed anew")
    try:
        review = Review.model_validate_json(kept.beside("review", digest))
    except ValidationError as error:
        raise BundleInvalidError("what was found when it was proposed cannot be read") from error
    if review.revision != revision:
        raise BundleInvalidError("what was found is not of this candidate")
    return review


def every_review(revision: str, kept: BundleStore) -> list[Review]:
    """What was found each time that a candidate was proposed, as far as it is kept; in no order that says anything."""
    found = []
    for content in kept.all_beside("review"):
        try:
            review = Review.model_validate_json(content)
        except ValidationError:
            continue
        if review.revision == revision:
            found.append(review)
    return found


def removed_now(review: Review, kept: BundleStore, state: LifecycleState) -> tuple[CaseChange, ...]:
    """
    What the cases of the bundle that decides now held, and the candidate's do not.

    Raises:
        NotFoundError, BundleInvalidError: the candidate's own cases are gone.
    """
    return _changes(kept, state, kept.with_cases(review.revision, review.case_files))


def require_acknowledged(
    review: Review, removed: Sequence[CaseChange], against: str, given: str | None
) -> tuple[str, ...]:
    """
    Codes for the record of the activation: that cases went and an officer knows it.

    Raises:
        CasesRemovedError: cases went and nobody acknowledged exactly that.
    """
    digest = to_acknowledge(removed, review.revision, against)
    if digest is None:
        return ()
    if given != digest:
        why = (
            "these cases protected before and do not now"
            if given is None
            else "other cases went than were acknowledged"
        )
        fields = [(one.file, f"{one.case}: {one.message}") for one in removed[:_MOST_LISTED]]
        raise CasesRemovedError(why, fields=fields)
    return (ACKNOWLEDGED,)
