"""
Candidates at the desk of bundles: tried and looked at when they are brought, shown to the second officer, acknowledged.

Rule held here: whatever takes time is done where it holds up nobody.
"""

import asyncio

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from gateway.audit.drafts import bundle_rejected
from gateway.audit.proving.desk_records import DeskRecords
from gateway.errors import BundleInvalidError, NotFoundError
from gateway.model import Subject
from gateway.policy.bundle import Bundle, bundle_of
from gateway.policy.store import BundleStore, LifecycleState
from gateway.workbench.desk.review import (
    Proposal,
    Prove,
    Review,
    ShownReview,
    active_bundle,
    keep_review,
    kept_review,
    nothing_proved,
    removed_now,
    require_acknowledged,
    reviewed,
    to_acknowledge,
)
from gateway.workbench.desk.tried import Tried

UNREADABLE = "sha256:unreadable"
"""Stands in records for the revision of what is no bundle."""

CandidateTrial = Callable[[Mapping[str, bytes]], Awaitable[Tried]]
"""Says why a bundle of these files may not decide, once its cases and tests were run where they hold up nobody."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Bundles that somebody brings."""

    kept: BundleStore
    trial: CandidateTrial
    records: DeskRecords
    prove: Prove = nothing_proved

    async def taken_in(
        self, brought: Mapping[str, bytes], officer: Subject, now: datetime, state: LifecycleState
    ) -> tuple[Proposal, dict[str, object]]:
        """
        Try a candidate, look at it, keep it and put it on record; what the officer hears, and what the desk is to remember.

        Raises:
            BundleInvalidError: it is refused, with a report; the refusal is on record.
        """
        bundle, tried = await self._tried(brought, officer, now)
        active = await asyncio.to_thread(active_bundle, self.kept, state)
        proved = await self.prove(active, bundle) if active else ()
        look = partial(reviewed, bundle, tried, self.kept.keep(bundle), kept=self.kept, state=state, proved=proved)
        review = await asyncio.to_thread(look)
        digest = keep_review(review, self.kept)
        proofs = await self.records.propose(bundle.revision, officer, now, "PROPOSED", state, review=digest)
        told = Proposal(**_parts(review), acknowledge=to_acknowledge(review.removed, review.revision, review.against))
        return told, {
            "proposed": {**state.proposed, bundle.revision: officer.person},
            "reviews": {**state.reviews, bundle.revision: digest},
            "proofs": proofs,
        }

    async def _tried(self, brought: Mapping[str, bytes], officer: Subject, now: datetime) -> tuple[Bundle, Tried]:
        try:
            tried = await self.trial(brought)
            bundle = await asyncio.to_thread(bundle_of, brought)
        except BundleInvalidError as error:
            await self.records.record(bundle_rejected, UNREADABLE, officer, now, error.code)
            raise
        if tried.problems:
            await self.records.record(bundle_rejected, bundle.revision, officer, now, BundleInvalidError.code)
            raise BundleInvalidError("the candidate is refused", fields=tried.fields)
        return bundle, tried

    async def shown(self, revision: str, state: LifecycleState) -> ShownReview:
        """
        What the second officer looks at, as it is on record.

        Raises:
            NotFoundError: nobody proposed it, or nothing is kept of what was found.

            UnprovedError: the proposal is not on record as it is remembered.
        """
        if revision not in state.proposed:
            raise NotFoundError("there is no proposal of that revision")
        proposal = await self.records.proposal(revision, "PROPOSED", state)
        review = await asyncio.to_thread(kept_review, revision, self.kept, state)
        removed = await asyncio.to_thread(removed_now, review, self.kept, state)
        return ShownReview(
            **{**_parts(review), "removed": removed},
            proposed_by=state.proposed[revision],
            proposed_at=proposal["at"],
            stale=review.against != state.active,
            acknowledge=to_acknowledge(removed, revision, state.active),
        )

    async def acknowledged(
        self, revision: str, given: str | None, state: LifecycleState
    ) -> tuple[tuple[str, ...], dict[str, str]]:
        """
        Codes for the record of the activation, and the cases by revision that the desk is to remember then.

        Raises:
            CasesRemovedError: cases went, and exactly that is not acknowledged.

            NotFoundError: nothing is kept of what was found, so that it has to be proposed anew.
        """
        review = await asyncio.to_thread(kept_review, revision, self.kept, state)
        removed = await asyncio.to_thread(removed_now, review, self.kept, state)
        codes = require_acknowledged(review, removed, state.active, given)
        return codes, {**state.cases, revision: review.case_files}


def _parts(review: Review) -> dict[str, object]:
    return {name: getattr(review, name) for name in Review.model_fields}
