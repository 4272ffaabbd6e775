"""
Review of quarantined content.

Rules held here: an officer proposes a verdict with a reason and another person confirms it; a release or a validation holds for
the content, the agent, the purpose and the source it was given for, until it expires; every act is in the ledger before it
counts, and every look at a text before it is shown; a proposal that is confirmed, and a verdict that is believed
(`gateway.stages.recall`), are those that the log has on record, whatever is kept beside it.
"""

from datetime import datetime, timedelta

from gateway.audit.drafts import quarantine_reviewed
from gateway.audit.parts import Act, act_alone, proved_part
from gateway.errors import FieldInvalidError, NotFoundError, SecondOfficerError, UnprovedError
from gateway.model import Candidate, PackRequest, PolicyVersion, Subject, utc_text
from gateway.model.base import RecordProof
from gateway.model.content import content_text
from gateway.model.pseudonyms import keyed_digest, keyed_name, tenant_key
from gateway.model.review import (
    ReviewAct,
    ReviewScope,
    Verdict,
    quarantine_id,
    said_of_proposal,
    said_of_review,
)
from gateway.ports.ledger import KeptClaim, Ledger, Proofs
from gateway.ports.stores import QuarantinedItem, Reviews
from ledger.erasable import fresh_salt


class QuarantineReview:
    """Where officers look at quarantined content, and say what is to become of it."""

    def __init__(
        self, reviews: Reviews, ledger: Ledger, proofs: Proofs, *, policy: PolicyVersion, days: int, secret: bytes
    ) -> None:
        """
        Args:
            reviews: what was quarantined, and what was said of it.
            ledger: to record every act.
            proofs: says what is on record.
            policy: the bundle that decides now.
            days: for how many days a release or a validation holds at most.
            secret: what the pipeline makes digests of content with, so that it finds this content again.
        """
        self._reviews = reviews
        self._ledger = ledger
        self._proofs = proofs
        self._policy = policy
        self._days = days
        self._secret = secret

    async def act(self, quarantine_id: str, verdict: Verdict, officer: Subject, *, reason: str, now: datetime) -> bool:
        """
        Propose a verdict, or confirm the one that another officer proposed.

        Returns:
            Whether the verdict holds now.

        Raises:
            NotFoundError: nothing of the officer's tenant is in quarantine under that id.

            SecondOfficerError: the officer is the one who proposed this verdict.

            UnprovedError: the content in quarantine or the proposal is not what was recorded.

            FieldInvalidError: there is no reason.
        """
        if len(reason.strip()) < 10:
            raise FieldInvalidError("a verdict needs a reason", fields=[("reason", "at least 10 characters")])
        held = await self._find(quarantine_id, officer.tenant)
        token = await self._ledger.subject_token(officer.tenant, officer.sub)
        confirms = await self._confirms(held, verdict, officer, token)
        on_record = act_alone(now, held.tenant, token)
        act = ReviewAct(
            verdict=verdict,
            officer=officer.sub,
            person=officer.person,
            reason=reason,
            at=utc_text(now),
            expires=utc_text(now + timedelta(days=self._days)),
            proof=RecordProof(record=on_record.request_id, salt=fresh_salt().hex()),
        )
        await self._prove(on_record, held, act, final=confirms)
        await self._reviews.judge(held, act, final=confirms)
        return confirms

    async def _confirms(self, held: QuarantinedItem, verdict: Verdict, officer: Subject, token: str) -> bool:
        """Whether another officer proposed this verdict, on record."""
        act = held.proposed
        # A proposal from before acts were proved is one that nobody made: this one is the first.
        if act is None or act.verdict != verdict or act.proof is None:
            return False
        if act.is_of(officer):
            raise SecondOfficerError("a verdict is confirmed by another officer than the one who proposed it")
        said = said_of_proposal(held.id, held.digest, held.scope.model_dump(), act)
        claim = KeptClaim(held.tenant, "quarantine.reviewed", f"{verdict.upper()}-PROPOSED", said, act.proof)
        [proposal] = await self._proofs.require([claim])
        if proposal["subject"] == token:
            raise SecondOfficerError("a verdict is confirmed by another officer than the one who proposed it")
        return True

    async def _prove(self, on_record: Act, held: QuarantinedItem, act: ReviewAct, *, final: bool) -> None:
        """Record an act so that what is kept of it is proved: it counts once its record is under a checkpoint."""
        scope, step = held.scope.model_dump(), act.verdict.upper() if final else f"{act.verdict.upper()}-PROPOSED"
        said = (
            said_of_review(held.id, held.digest, scope, act.verdict, act.expires)
            if final
            else said_of_proposal(held.id, held.digest, scope, act)
        )
        item = proved_part(held.id, said, act.proof) if act.proof else None
        written = await self._ledger.append([quarantine_reviewed(on_record, held, self._policy, step, item)])
        await self._ledger.settled(written, "sequenced")

    async def submit(self, item: Candidate, request: PackRequest, person: Subject, *, now: datetime) -> str:
        """
        Put an item before the officers, for the agent and purpose of a request: nothing holds until two of them agree.

        Args:
            item: the item.
            request: the request that is to use it.
            person: who submits it, within the person's tenant.
            now: when.

        Returns:
            Under which id officers find it.

        Raises:
            RecordError, StoreError: it is not on record, or not kept.
        """
        digest = keyed_digest(tenant_key(self._secret, person.tenant), item.digest)
        scope = ReviewScope(agent=request.agent_id, purpose=request.purpose, source_id=item.provenance.source_id)
        token = await self._ledger.subject_token(person.tenant, person.sub)
        act = act_alone(now, person.tenant, token)
        held = QuarantinedItem(
            id=quarantine_id(digest, scope),
            tenant=person.tenant,
            digest=digest,
            scope=scope,
            item_id=item.id,
            # The record of the submission, so that it is forgotten with the person who submitted it.
            decision_id=act.request_id,
            findings=(),
            at=act.at,
            content=content_text(item.content),
            person=keyed_name(self._secret, person.sub),
        )
        await self._ledger.append([quarantine_reviewed(act, held, self._policy, "SUBMITTED")])
        await self._reviews.quarantine([held])
        return held.id

    async def look(self, quarantine_id: str, officer: Subject, now: datetime) -> QuarantinedItem:
        """
        One item that was set aside, with its text, once it is on record that the officer sees it.

        Raises:
            NotFoundError: nothing of the officer's tenant is in quarantine under that id.

            RecordError: it is not on record, so it is not shown.
        """
        held = await self._find(quarantine_id, officer.tenant)
        await self._record(held, "SHOWN", officer, now)
        return held

    async def _find(self, name: str, tenant: str) -> QuarantinedItem:
        for held in await self._reviews.quarantined(tenant):
            if held.id == name:
                # The content is sealed for this id, and the id is of this digest: a verdict on one is not one on another.
                if quarantine_id(held.digest, held.scope) != name:
                    raise UnprovedError("what is in quarantine under that id is not what was put there")
                return held
        raise NotFoundError("nothing is in quarantine under that id")

    async def _record(self, held: QuarantinedItem, step: str, officer: Subject, now: datetime) -> None:
        token = await self._ledger.subject_token(officer.tenant, officer.sub)
        await self._ledger.append([quarantine_reviewed(act_alone(now, held.tenant, token), held, self._policy, step)])
