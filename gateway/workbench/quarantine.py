"""
Review of quarantined content.

Rules held here: an officer proposes a verdict with a reason and another person confirms it; a release or a validation holds for
the content, the agent, the purpose and the source it was given for, until it expires; every act is in the ledger before it
counts, and every look at a text before it is shown.
"""

from datetime import datetime, timedelta

from gateway.audit.drafts import quarantine_reviewed
from gateway.audit.parts import act_alone
from gateway.errors import FieldInvalidError, NotFoundError, SecondOfficerError
from gateway.model import Candidate, PackRequest, PolicyVersion, Subject, utc_text
from gateway.model.content import content_text
from gateway.model.pseudonyms import keyed_digest, tenant_key
from gateway.model.review import ReviewAct, ReviewScope, Verdict, quarantine_id
from gateway.ports.ledger import Ledger
from gateway.ports.stores import QuarantinedItem, Reviews


class QuarantineReview:
    """Where officers look at quarantined content, and say what is to become of it."""

    def __init__(self, reviews: Reviews, ledger: Ledger, *, policy: PolicyVersion, days: int, secret: bytes) -> None:
        """
        Args:
            reviews: what was quarantined, and what was said of it.
            ledger: to record every act.
            policy: the bundle that decides now.
            days: for how many days a release or a validation holds at most.
            secret: what the pipeline makes digests of content with, so that it finds this content again.
        """
        self._reviews = reviews
        self._ledger = ledger
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

            FieldInvalidError: there is no reason.
        """
        if len(reason.strip()) < 10:
            raise FieldInvalidError("a verdict needs a reason", fields=[("reason", "at least 10 characters")])
        held = await self._find(quarantine_id, officer.tenant)
        proposed = held.proposed
        confirms = proposed is not None and proposed.verdict == verdict
        if confirms and proposed is not None and proposed.is_of(officer):
            raise SecondOfficerError("a verdict is confirmed by another officer than the one who proposed it")
        expires = utc_text(now + timedelta(days=self._days))
        act = ReviewAct(
            verdict=verdict,
            officer=officer.sub,
            person=officer.person,
            reason=reason,
            at=utc_text(now),
            expires=expires,
        )
        await self._record(held, verdict.upper() if confirms else f"{verdict.upper()}-PROPOSED", officer, now)
        await self._reviews.judge(held, act, final=confirms)
        return confirms

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

    async def _find(self, quarantine_id: str, tenant: str) -> QuarantinedItem:
        for held in await self._reviews.quarantined(tenant):
            if held.id == quarantine_id:
                return held
        raise NotFoundError("nothing is in quarantine under that id")

    async def _record(self, held: QuarantinedItem, step: str, officer: Subject, now: datetime) -> None:
        token = await self._ledger.subject_token(officer.tenant, officer.sub)
        await self._ledger.append([quarantine_reviewed(act_alone(now, held.tenant, token), held, self._policy, step)])
