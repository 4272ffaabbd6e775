"""
What the desk of bundles does, on record, and what it remembers, held against the log: proposals, and what decided when.

Rules held here: what counts later is under a checkpoint before it is remembered; a proposal counts with the record that commits to its bundle and its person, and never for the officer who made
that record; a bundle decided if the log says so; one officer alone goes back only to what the log says was just before.
"""

import asyncio

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from gateway.audit.drafts import bundle_proposed
from gateway.audit.parts import SYSTEM_TENANT, Act, act_alone, proved_part
from gateway.audit.proving.activations import Activations
from gateway.errors import RecordError, SecondOfficerError, UnprovedError
from gateway.model import PolicyVersion, Subject
from gateway.model.base import RecordProof
from gateway.policy.store import LifecycleState
from gateway.ports.ledger import KeptClaim, Ledger, Proofs
from ledger.erasable import fresh_salt
from ledger.errors import LedgerError
from ledger.record import Draft


def _said(revision: str, person: str, review: str | None) -> dict[str, str]:
    # Ways back, and proposals of earlier versions, have no review.
    return {"revision": revision, "person": person, **({"review": review} if review else {})}


def _revision(activation: Mapping[str, Any]) -> str:
    return str(activation["policy"]["revision"])


@dataclass(slots=True)
class DeskRecords:
    """The log, as far as it is about bundles."""

    proofs: Proofs
    activations: Activations
    ledger: Ledger
    version: Callable[[], PolicyVersion]
    """What decides now."""

    counts: Counter[str] = field(default_factory=Counter)
    """How many records of each kind were made, and how many rollbacks one made alone."""

    async def record(
        self,
        draft: Callable[[Act, str, PolicyVersion, Sequence[str]], Draft],
        revision: str,
        officer: Subject | None,
        now: datetime,
        *codes: str,
        settle: bool = False,
    ) -> None:
        """
        Put a step on record; *settle* where it is to be believed later.

        Raises:
            RecordError: it is not on record, so it is not taken.
        """
        await self._append(draft(await self._act(officer, now), revision, self.version(), codes), settle=settle)

    async def propose(
        self,
        revision: str,
        officer: Subject,
        now: datetime,
        code: str,
        state: LifecycleState,
        *,
        review: str | None = None,
    ) -> dict[str, RecordProof]:
        """
        Put a proposal on record, with the digest of what was found of it; the proofs that the desk is to remember then.

        Raises:
            RecordError: it is not on record, so nothing is proposed.
        """
        act = await self._act(officer, now)
        proof = RecordProof(record=act.request_id, salt=fresh_salt().hex())
        item = proved_part("proposal", _said(revision, officer.person, review), proof)
        await self._append(bundle_proposed(act, revision, self.version(), [code], item), settle=True)
        return {**state.proofs, f"{code} {revision}": proof}

    async def _act(self, officer: Subject | None, now: datetime) -> Act:
        token = await self.ledger.subject_token(officer.tenant, officer.sub) if officer else None
        # Under no tenant, whoever did it: the bundle decides for all of them, so the auditors of all of them find it.
        return act_alone(now, SYSTEM_TENANT, token)

    async def _append(self, made: Draft, *, settle: bool) -> None:
        self.counts[made.kind] += 1
        self.counts["bundle.broke_glass"] += "BREAK-GLASS" in made.codes
        written = await self.ledger.append([made])
        if settle:
            await self.ledger.settled(written, "sequenced")

    async def newest(self) -> str | None:
        """
        The bundle that was activated last at this replica; None if none was.

        Raises:
            UnprovedError: its record is not in the log as a signed checkpoint has it.

            RecordError: the ledger did not answer.
        """
        found = await self._proved(self.activations.newest)
        return _revision(found[-1]) if found else None

    async def proposal(self, revision: str, code: str, state: LifecycleState) -> Mapping[str, Any]:
        """
        The members of the record of a proposal.

        Raises:
            UnprovedError: the proposal is not on record as it is remembered, what was found of it included.
        """
        first = code == "PROPOSED"
        person = (state.proposed if first else state.rollbacks)[revision]
        said = _said(revision, person, state.reviews.get(revision) if first else None)
        claim = KeptClaim(SYSTEM_TENANT, "bundle.proposed", code, said, state.proof_of(code, revision))
        [found] = await self.proofs.require([claim])
        return found

    async def require_proposal(self, revision: str, officer: Subject, code: str, state: LifecycleState) -> None:
        """
        Raises:
            UnprovedError: the proposal is not on record as it is remembered.

            SecondOfficerError: this officer made that record.
        """
        proposal = await self.proposal(revision, code, state)
        if proposal["subject"] == await self.ledger.subject_token(officer.tenant, officer.sub):
            raise SecondOfficerError("the step is confirmed by another officer than the one who proposed it")

    async def require_decided(self, revision: str) -> None:
        """
        Raises:
            UnprovedError: the log does not say that the bundle ever decided, at any replica.
        """
        if not await self._proved(lambda: [one for one in [self.activations.of(revision)] if one]):
            raise UnprovedError("the log does not say that the bundle ever decided")

    async def require_way_back(
        self, revision: str, officer: Subject, codes: Sequence[str], state: LifecycleState
    ) -> None:
        """
        Raises:
            UnprovedError: the log does not say that the bundle decided here just before the active one, or when that began; or,
                where two officers go back, that one proposed it.

            SecondOfficerError: this officer made that proposal.
        """
        if "BREAK-GLASS" not in codes:
            await self.require_proposal(revision, officer, "ROLLBACK-PROPOSED", state)
            return
        found = [(_revision(one), one["at"]) for one in await self._proved(self.activations.newest)]
        if len(found) < 2 or found[1] != (state.active, state.since) or found[0][0] != revision:
            raise UnprovedError("the log does not say that the bundle decided just before, or until then")

    async def _proved(self, look: Callable[[], list[Mapping[str, Any]]]) -> Sequence[Mapping[str, Any]]:
        try:
            found = await asyncio.to_thread(look)
        except LedgerError as error:
            raise RecordError("the ledger did not answer") from error
        return await self.proofs.in_log([one["decision_id"] for one in found])
