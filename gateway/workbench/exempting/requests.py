"""
Exceptions on request: asked for by one officer, approved by another, in force at once and without a new bundle, revoked by either.

Rules held here: policy says which refusals may be waived, how narrowly, for how long and by whom; who approves is another person
than who asked, and neither is the person whom it is for; each act is in the ledger, under a checkpoint, before it counts, but for
the end of one, which counts before it is there; what is approved is what the record of its asking commits to.
"""

import secrets

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Final

from pydantic import Field

from gateway.audit.drafts import exception_reviewed
from gateway.audit.officers import officer_act
from gateway.audit.parts import Act, proved_part
from gateway.audit.proving.waivers import KIND
from gateway.errors import (
    ExceptionRefusedError,
    ExceptionStateError,
    FieldInvalidError,
    NotFoundError,
    SecondOfficerError,
    TooManyExceptionsError,
)
from gateway.model import Subject, utc_text
from gateway.model.base import Instant, Model, Name, RecordProof
from gateway.model.policy_input import ExceptionInput
from gateway.policy.ask import ask as ask_policy
from gateway.policy.entrypoints import EXCEPTION
from gateway.ports.ledger import KeptClaim, Ledger, Proofs
from gateway.ports.policy import PolicyEngine
from gateway.ports.waivers import (
    APPROVED,
    ASKED,
    REVOKED,
    KeptWaiver,
    OfficerAct,
    State,
    WaivedCodes,
    Waiver,
    Waivers,
    WaiverScope,
    WaiverTrigger,
)

MOST: Final = 50
"""So many exceptions of a tenant are asked for, and so many in force, at most: policy is told of them with each item."""

Words = Annotated[str, Field(min_length=10, max_length=500)]


class AskedFor(Model):
    """An exception as an officer asks for it."""

    codes: WaivedCodes
    """Refusals that it waives."""

    scope: WaiverScope
    """What it is limited to; all that is named must be so."""

    expires: Instant
    """When it ends."""

    owner: Annotated[str, Field(min_length=3, max_length=200)]
    """Who answers for it."""

    reason: Words
    """Why it is needed."""

    trigger: WaiverTrigger = WaiverTrigger()
    """What ends it earlier."""

    beneficiary: Name | None = None
    """The only person whom it is for, by the `sub` of their tokens; null where it is for whoever the scope names."""


class ExceptionRequests:
    """Where officers ask for exceptions, approve and revoke them."""

    def __init__(self, waivers: Waivers, ledger: Ledger, proofs: Proofs, policy: Callable[[], PolicyEngine]) -> None:
        """
        Args:
            waivers: where they are kept.
            ledger: takes every act.
            proofs: says what is on record.
            policy: what decides now.
        """
        self._waivers = waivers
        self._ledger = ledger
        self._proofs = proofs
        self._policy = policy

    async def ask(self, asked: AskedFor, officer: Subject, now: datetime) -> Waiver:
        """
        Ask for an exception; nothing is waived until another officer approves it.

        Raises:
            ExceptionRefusedError: policy lets nobody make it on request; the reasons say why.

            FieldInvalidError: it names nothing, or a time that is over.

            TooManyExceptionsError: the tenant has as many as it may.

            SecondOfficerError: the officer asks for the officer's own benefit.
        """
        policy = self._policy()
        on_record, act = await self._act(officer, now, asked.reason)
        waiver = Waiver(
            id=f"EXR-{secrets.token_hex(8)}",
            tenant=officer.tenant,
            codes=asked.codes,
            scope=asked.scope,
            expires=_utc(asked.expires),
            trigger=_trigger(asked.trigger, policy.version.revision),
            owner=asked.owner,
            beneficiary=asked.beneficiary,
            asked=act,
        )
        _require_others(waiver, officer)
        await self._require_allowed(waiver, ASKED, officer, now, policy)
        await self._require_room(officer.tenant, "asked", now)
        await self._record(waiver, ASKED, on_record, act.proof, policy)
        await self._waivers.keep(waiver)
        return waiver

    async def approve(self, name: str, reason: str, officer: Subject, now: datetime) -> Waiver:
        """
        Approve an exception that another officer asked for: it is in force from the next request on.

        Raises:
            NotFoundError: the tenant has none of that id.

            ExceptionStateError: it is not asked for any more, or over already.

            SecondOfficerError: the officer asked for it, or it is for the officer.

            UnprovedError: what is kept is not what was asked for, on record.

            ExceptionRefusedError: policy does not let this officer approve it, or not any more.

            TooManyExceptionsError: the tenant has as many in force as it may.
        """
        waiver = await self._open(name, officer, now)
        _require_others(waiver, officer)
        on_record, act = await self._act(officer, now, reason)
        await self._require_another(waiver, officer, act.token)
        policy = self._policy()
        approved = waiver.model_copy(update={"approved": act})
        await self._require_allowed(waiver, APPROVED, officer, now, policy)
        await self._require_room(officer.tenant, "approved", now)
        await self._record(approved, APPROVED, on_record, act.proof, policy)
        await self._change(approved, "asked")
        return approved

    async def revoke(self, name: str, reason: str, officer: Subject, now: datetime) -> Waiver:
        """
        End an exception, or what was asked for, from the next request on.

        Raises:
            NotFoundError: the tenant has none of that id.

            ExceptionStateError: it changed meanwhile.

            RecordError: it is ended, and its end is not on record; to be repeated.
        """
        kept = await self._one(name, officer.tenant)
        on_record, act = await self._act(officer, now, reason)
        before = kept.waiver.state
        revoked = kept.waiver.model_copy(update={"revoked": act})
        # First what counts: an officer who ends something does not wait for the log.
        await self._change(revoked, before)
        await self._record(revoked, REVOKED, on_record, act.proof, self._policy())
        return revoked

    async def listed(self, tenant: str) -> Sequence[KeptWaiver]:
        """All of a tenant, newest first."""
        return await self._waivers.all_of(tenant)

    async def one(self, name: str, tenant: str) -> KeptWaiver:
        """
        One of a tenant.

        Raises:
            NotFoundError: it has none of that id.
        """
        return await self._one(name, tenant)

    async def _one(self, name: str, tenant: str) -> KeptWaiver:
        kept = await self._waivers.one_of(tenant, name)
        # What is sealed for this place, and says that it is another, was put there by somebody else.
        if kept is None or (kept.waiver.id, kept.waiver.tenant) != (name, tenant):
            raise NotFoundError("there is no exception of that id")
        return kept

    async def _open(self, name: str, officer: Subject, now: datetime) -> Waiver:
        waiver = (await self._one(name, officer.tenant)).waiver
        if waiver.state != "asked":
            raise ExceptionStateError(f"the exception is {waiver.state}")
        if waiver.expires <= utc_text(now):
            raise ExceptionStateError("the exception would be over already")
        return waiver

    async def _act(self, officer: Subject, now: datetime, reason: str) -> tuple[Act, OfficerAct]:
        if len(reason.strip()) < 10:
            raise FieldInvalidError("the step needs a reason", fields=[("reason", "at least 10 characters")])
        return await officer_act(self._ledger, officer, now, reason)

    async def _require_another(self, waiver: Waiver, officer: Subject, token: str) -> None:
        """Whoever asked, as it is kept and as it is on record, is another officer; and what is kept is what was asked for."""
        claim = KeptClaim(waiver.tenant, KIND, ASKED, waiver.said(ASKED), waiver.asked.proof, frozenset({REVOKED}))
        [record] = await self._proofs.require([claim])
        if waiver.asked.is_of(officer) or token in {record["subject"], waiver.asked.token}:
            raise SecondOfficerError("an exception is approved by another officer than the one who asked for it")

    async def _require_allowed(
        self, waiver: Waiver, step: str, officer: Subject, now: datetime, policy: PolicyEngine
    ) -> None:
        facts = waiver.facts(now, policy.version.revision, used=0)
        asked: ExceptionInput = {
            "now": utc_text(now),
            "step": "ask" if step == ASKED else "approve",
            "officer": {"role": officer.role, "department": officer.department},
            "exception": facts,
        }
        [answer] = await ask_policy(policy, EXCEPTION, [asked])
        if not answer.allow:
            messages = [(denial.code, denial.message) for denial in answer.denials]
            codes = sorted({denial.code for denial in answer.denials})
            raise ExceptionRefusedError("policy refuses this exception", fields=messages, reasons=codes)

    async def _require_room(self, tenant: str, state: State, now: datetime) -> None:
        held = [one.waiver for one in await self._waivers.all_of(tenant)]
        if sum(one.state == state and one.expires > utc_text(now) for one in held) >= MOST:
            raise TooManyExceptionsError(f"a tenant has at most {MOST} exceptions that are {state}")

    async def _record(
        self, waiver: Waiver, step: str, on_record: Act, proof: RecordProof, policy: PolicyEngine
    ) -> None:
        item = proved_part(waiver.id, waiver.said(step), proof)
        written = await self._ledger.append([exception_reviewed(on_record, waiver.id, policy.version, step, item)])
        await self._ledger.settled(written, "sequenced")

    async def _change(self, waiver: Waiver, before: State) -> None:
        if not await self._waivers.change(waiver, before):
            raise ExceptionStateError("another officer was quicker; look at the exception again")


def _utc(moment: str) -> str:
    return utc_text(datetime.fromisoformat(moment))


def _trigger(trigger: WaiverTrigger, revision: str) -> WaiverTrigger:
    """The same in the form that is compared; what is bound to a bundle is bound to the one that decides."""
    if trigger.while_bundle not in {None, revision}:
        wrong = [("trigger.while_bundle", "is not the bundle that decides")]
        raise FieldInvalidError("an exception is bound to the bundle that decides", fields=wrong)
    return trigger.model_copy(update={"until": _utc(trigger.until)}) if trigger.until else trigger


def _require_others(waiver: Waiver, officer: Subject) -> None:
    if waiver.benefits(officer):
        raise SecondOfficerError("nobody asks for an exception of their own, or approves it")
