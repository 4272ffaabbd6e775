"""
Erasures as two persons decide on them: one officer asks, with the basis, and another gives the word.

Rules held here: who approves is another person than who asked, by the identity without its tenant, as it is kept and as it is on
record; neither is the person who is to be forgotten; each step is in the ledger, under a checkpoint, before it counts; what waits
names a person, so it has an end.
"""

import secrets

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from gateway.audit.drafts import erasure_reviewed
from gateway.audit.officers import officer_act
from gateway.audit.parts import Act
from gateway.errors import ErasureNotWaitingError, SecondOfficerError, TooManyErasuresError
from gateway.model import Subject, utc_text
from gateway.model.pseudonyms import keyed_name
from gateway.ports.erasure import APPROVED, ASKED, WITHDRAWN, ErasureRequest, ErasureRequests
from gateway.ports.ledger import KeptClaim, Ledger, Proofs
from gateway.ports.waivers import OfficerAct
from ledger.erasable import fresh_salt

MOST: Final = 200
"""So many erasures of a tenant wait at most."""

DAYS: Final = 14
"""How long one waits for its second officer: well within the month that the law gives a bank."""


@dataclass(frozen=True, slots=True)
class ErasureDesk:
    """Where officers ask for erasures, approve and withdraw them."""

    requests: ErasureRequests
    ledger: Ledger
    proofs: Proofs
    secret: bytes
    """What marks of persons are made with."""

    async def ask(self, subject: str, basis: str, officer: Subject, now: datetime) -> ErasureRequest:
        """
        Ask that a person of the officer's tenant is forgotten; nothing goes until another officer approves it.

        Raises:
            SecondOfficerError: the officer is that person.

            TooManyErasuresError: as many wait as may.

            RecordError, StoreError: it was not asked; to be repeated.
        """
        on_record, asked = await officer_act(self.ledger, officer, now, basis)
        request = ErasureRequest(
            id=f"ERQ-{secrets.token_hex(8)}",
            tenant=officer.tenant,
            subject=subject,
            mark=keyed_name(self.secret, subject),
            salt=fresh_salt().hex(),
            expires=utc_text(now.astimezone(UTC) + timedelta(days=DAYS)),
            asked=asked,
        )
        require_not_themselves(request, officer)
        if len(await self.waiting(officer.tenant, now)) >= MOST:
            raise TooManyErasuresError(f"{MOST} erasures of the tenant wait for a second officer")
        await self._record(request, ASKED, on_record, asked)
        await self.requests.keep(request)
        return request

    async def approve(self, name: str, officer: Subject, now: datetime) -> ErasureRequest:
        """
        Give the word on what another officer asked for; it is to be carried out then (`gateway.privacy.erasure`).

        Raises:
            ErasureNotWaitingError: the tenant has none of that id that waits.

            SecondOfficerError: the officer asked for it, or is the person.

            UnprovedError: what is kept is not what was asked for, on record, or was withdrawn.

            RecordError, StoreError: it is not approved; to be repeated.
        """
        request = await self._one(name, officer.tenant, now)
        require_two(request, officer)
        on_record, act = await officer_act(self.ledger, officer, now, "")
        claim = KeptClaim(
            request.tenant, "erasure.reviewed", ASKED, request.said(), request.asked.proof, frozenset({WITHDRAWN})
        )
        [record] = await self.proofs.require([claim])
        if act.token in {record["subject"], request.asked.token}:
            raise SecondOfficerError("an erasure is approved by another officer than the one who asked for it")
        await self._record(request, APPROVED, on_record, act)
        return request

    async def withdraw(self, name: str, officer: Subject, now: datetime) -> ErasureRequest:
        """
        Take back what was asked for; one officer is enough.

        Raises:
            ErasureNotWaitingError: the tenant has none of that id that waits.

            RecordError, StoreError: it is not withdrawn; to be repeated.
        """
        request = await self._one(name, officer.tenant, now)
        on_record, act = await officer_act(self.ledger, officer, now, "")
        await self._record(request, WITHDRAWN, on_record, act)
        await self.requests.drop([request])
        return request

    async def waiting(self, tenant: str, now: datetime) -> Sequence[ErasureRequest]:
        """Those of a tenant that wait, oldest first; those whose time is over are deleted."""
        await self.requests.drop_over(utc_text(now))
        return [one for one in await self.requests.all_of(tenant) if one.expires > utc_text(now)]

    async def _one(self, name: str, tenant: str, now: datetime) -> ErasureRequest:
        waiting = await self.waiting(tenant, now)
        # What is sealed for this place, and says that it is another, was put there by somebody else.
        found = next((one for one in waiting if (one.id, one.tenant) == (name, tenant)), None)
        if found is None:
            raise ErasureNotWaitingError("no erasure of that id waits for a second officer")
        return found

    async def _record(self, request: ErasureRequest, step: str, on_record: Act, act: OfficerAct) -> None:
        said = request.said(None if step == ASKED else act)
        draft, erasable = erasure_reviewed(on_record, request.id, step, said, bytes.fromhex(act.proof.salt))
        written = await self.ledger.append([draft], [erasable])
        await self.ledger.settled(written, "sequenced")


def require_two(request: ErasureRequest, officer: Subject) -> None:
    """
    Raises:
        SecondOfficerError: the officer asked for it, or it is about the officer.
    """
    require_not_themselves(request, officer)
    if request.asked.is_of(officer):
        raise SecondOfficerError("an erasure is approved by another officer than the one who asked for it")


def require_not_themselves(request: ErasureRequest, officer: Subject) -> None:
    """
    Raises:
        SecondOfficerError: it is about the officer.
    """
    if request.is_about(officer):
        raise SecondOfficerError("nobody erases what is on record of themselves")
