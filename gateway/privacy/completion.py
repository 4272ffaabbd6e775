"""
The end of an erasure: keys outside destroyed, files found to hold nothing any more, and a certificate that says so.

Rules held here: nothing is certified that was not looked at; what still holds something is named by store and kind, and never by
what it holds; whoever reads is waited for within a bound, and is never cut off.
"""

import asyncio
import time

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gateway.audit.drafts import erasure_certified, person_erased
from gateway.audit.parts import act_alone
from gateway.audit.recorder import Recorder
from gateway.errors import ErasureIncompleteError, PersonKeysError, RecordError
from gateway.model import utc_text
from gateway.ports.erasure import APPROVED, ASKED, ErasureRequests, Erasures, PendingErasure, Purge
from gateway.privacy.certificate import (
    MEDIA_TYPE,
    Agreed,
    Certificate,
    ErasedKey,
    Stays,
    issue_certificate,
    request_of,
    text_digest,
)
from ledger.erasable import NOTHING, Sealer
from ledger.errors import KeyServiceError, LedgerError
from ledger.query import Filter
from ledger.record import Record
from ledger.store import Remnant, Store
from ledger.tlog.note import Signer

AGAIN: Final = "the first record of this erasure was set aside"
"""The basis of a record that is made in the place of one that cannot enter the log."""

_PAUSE: Final = 0.1
"""Seconds between two looks at what still holds something."""


@dataclass(frozen=True, slots=True)
class Completion:
    """Brings erasures to their end."""

    store: Store
    recorder: Recorder
    sealer: Sealer
    signer: Signer
    origin: str
    erasures: Erasures
    requests: ErasureRequests
    purges: Sequence[Purge]
    """What drives deleted rows out of files, for each database."""

    cleared: Sequence[str]
    """Names of what the purges look after."""

    stays: Callable[[bool], Sequence[Stays]]
    """What no erasure reaches, by whether the person's key was outside."""

    catch_up: Callable[[], Awaitable[object]]
    seconds: float
    """How long readers are waited for."""

    async def complete(self, pending: PendingErasure, acting: str | None, now: datetime) -> str:
        """
        See that nothing holds what was deleted, and certify it.

        Args:
            pending: an erasure that is on record.
            acting: token of whoever does it; None for the gateway itself.
            now: when.

        Returns:
            The certificate, which is in the log by its hash.

        Raises:
            ErasureIncompleteError: something may still hold it.

            PersonKeysError: what keeps keys outside did not answer.

            RecordError, StoreError: it is not on record, or not kept.
        """
        await self.catch_up()
        erased = await self._on_record(pending, acting, now)
        agreed = await asyncio.to_thread(self._agreed, erased)
        # They name the person, and what follows needs them no more.
        await self.requests.drop(await self.requests.about(pending.tenant, pending.person))
        await self._destroy(pending.outside)
        await self.require_cleared()
        certificate = Certificate(
            origin=self.origin,
            tenant=pending.tenant,
            token=pending.token,
            erasure=erased.decision_id,
            erased_at=erased.at,
            agreed=agreed,
            certified_at=utc_text(now),
            keys=(ErasedKey(sha256=pending.key, outside=bool(pending.outside)),),
            cleared=tuple(self.cleared),
            stays=tuple(self.stays(bool(pending.outside))),
        )
        text = certificate.text()
        draft = erasure_certified(
            act_alone(now, pending.tenant, acting), pending.token, text_digest(text), len(text.encode()), MEDIA_TYPE
        )
        await self.recorder.append([draft])
        note = issue_certificate(certificate, self.signer)
        await self.erasures.complete(pending, certificate.certified_at, note)
        return note

    async def require_cleared(self) -> None:
        """
        Drive what was deleted out of all files, waiting for whoever reads.

        Raises:
            ErasureIncompleteError: something may still hold it.
        """
        ends = time.monotonic() + self.seconds
        left = [await asyncio.to_thread(purge, rewrite=True) for purge in self.purges]
        while any(left) and time.monotonic() < ends:
            await asyncio.sleep(_PAUSE)
            again = zip(self.purges, left, strict=True)
            left = [
                # What was written anew need not be once more; what could not be, must.
                await asyncio.to_thread(purge, rewrite=any(one.rewrite for one in some)) if some else ()
                for purge, some in again
            ]
        remnants = [one for some in left for one in some]
        if remnants:
            raise ErasureIncompleteError(
                f"the person is erased, and not out of reach yet: {', '.join(map(_place, remnants))}",
                fields=[(_place(one), one.why) for one in remnants],
            )

    async def _destroy(self, outside: str) -> None:
        try:
            await asyncio.to_thread(self.sealer.destroy, outside)
        except KeyServiceError as error:
            raise PersonKeysError("the key outside the database is not known to be destroyed") from error

    async def _on_record(self, pending: PendingErasure, acting: str | None, now: datetime) -> Record:
        """The record of an erasure, which is made once more where the first was set aside: the name is gone with it all the same."""
        erased = await asyncio.to_thread(self._record_of, pending)
        if erased is None:
            act = act_alone(now, pending.tenant, acting)
            outside, request = bool(pending.outside), await self._request_of(pending)
            draft, erasable = person_erased(act, pending.token, AGAIN, pending.key, outside=outside, request=request)
            # The gateway itself is nobody, under whose key a word could be sealed.
            await self.recorder.append([draft], [erasable if acting else NOTHING])
            await self.catch_up()
            erased = await asyncio.to_thread(self._record_of, pending)
        if erased is None:
            raise RecordError("the erasure is not in the log")
        return erased

    async def _request_of(self, pending: PendingErasure) -> str | None:
        """What two officers agreed on about the person, where it waits still."""
        about = await self.requests.about(pending.tenant, pending.person)
        steps = [(one.id, await asyncio.to_thread(self._steps, pending.tenant, one.id)) for one in about]
        return next((name for name, found in steps if APPROVED in found), None)

    def _agreed(self, erased: Record) -> Agreed | None:
        """Who asked and who approved, as the log has it; None for an erasure from before, which one officer made."""
        request = request_of(erased.codes)
        if request is None:
            return None
        steps = self._steps(erased.tenant, request)
        if ASKED not in steps or APPROVED not in steps:
            raise RecordError("the log does not say who asked for the erasure, or who approved it")
        return Agreed(request=request, asked_by=steps[ASKED], approved_by=steps[APPROVED])

    def _steps(self, tenant: str, request: str) -> dict[str, str]:
        """The tokens of who took each step last, by its code."""
        found = self._found(Filter(tenant=tenant, kind="erasure.reviewed", item_id=request, limit=1000))
        return {code: one.subject for one in found for code in one.codes if one.subject}

    def _record_of(self, pending: PendingErasure) -> Record | None:
        found = self._found(Filter(tenant=pending.tenant, kind="erasure", item_id=pending.token, limit=1))
        return found[0] if found else None

    def _found(self, wanted: Filter) -> list[Record]:
        try:
            return [Record.decode(body) for body in self.store.query(wanted).records]
        except LedgerError as error:
            raise RecordError("the ledger did not answer") from error


def _place(remnant: Remnant) -> str:
    return f"{remnant.store}: {remnant.kind}"
