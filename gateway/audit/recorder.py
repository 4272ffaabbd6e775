"""The gateway's side of the ledger: its errors as ours, erasable sides sealed, its receipts as documents."""

import asyncio

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cachetools import TTLCache

from gateway.audit.keeper import LogKeeper
from gateway.concurrency.apart import apart
from gateway.errors import PersonErasedError, RecordBusyError, RecordError
from gateway.model.policy_answer import ReleaseMode
from ledger.erasable import NOTHING, Erasable, Sealer, commit_person
from ledger.errors import LedgerBusyError, LedgerError, SubjectErasedError
from ledger.lane import Submission, Written
from ledger.receipt import issue
from ledger.record import Draft
from ledger.store import Erasure, Person, Store
from ledger.tlog.note import Signer
from ledger.writer import GroupCommitWriter

_REMEMBERED = 50_000
_SECONDS = 60
"""How long a person's token is remembered; who is erased elsewhere is then known to be gone."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What a token stands for, as its records need it."""

    key: bytes
    """Wrapped, of the erasable sides."""

    commitment: str
    """To the person, as every record about them says."""


class Recorder:
    """A `gateway.ports.Ledger` over a store of this process."""

    def __init__(
        self,
        writer: GroupCommitWriter,
        store: Store,
        signer: Signer,
        sealer: Sealer,
        keeper: LogKeeper,
        *,
        settle_seconds: float = 10,
        codes: Sequence[str] = (),
    ) -> None:
        """
        Args:
            writer: makes records durable.
            store: where they lie.
            signer: signs receipts.
            sealer: seals erasable sides.
            keeper: brings them under checkpoints.
            settle_seconds: how long to wait for a checkpoint.
            codes: what every record of this process says, whatever it is about: settings that are not safe.
        """
        self._writer = writer
        self._store = store
        self._signer = signer
        self._sealer = sealer
        self._keeper = keeper
        self._settle_seconds = settle_seconds
        self._codes = tuple(codes)
        self._persons: TTLCache[tuple[str, str], Person] = TTLCache(_REMEMBERED, _SECONDS)
        self._known: TTLCache[str, _Known] = TTLCache(_REMEMBERED, 2 * _SECONDS)

    async def append(
        self, drafts: Sequence[Draft], erasables: Sequence[Erasable] = (), erasures: Sequence[Erasure] = ()
    ) -> list[Written]:
        try:
            sealed = await self._sealed(drafts, erasables) if erasables else ()
            return await self._writer.append(Submission(tuple(map(self._marked, drafts)), sealed, tuple(erasures)))
        except LedgerBusyError as error:
            raise RecordBusyError("more records wait to be written than the queue holds") from error
        except SubjectErasedError as error:
            self.forget()
            raise PersonErasedError("the person was erased while the request was under way") from error
        except (LedgerError, ValueError) as error:
            raise RecordError("the ledger did not acknowledge the records") from error

    def _marked(self, draft: Draft) -> Draft:
        # A code and no member of its own: the members of a record are closed, and every reader shows, counts and finds codes.
        known = self._known.get(draft.subject or "")
        if known is None and not self._codes:
            return draft
        codes = tuple(sorted({*draft.codes, *self._codes})) if self._codes else draft.codes
        # Who was erased meanwhile is nobody, whom no record can commit to.
        return draft.model_copy(update={"codes": codes, "person": known.commitment if known else None})

    async def _sealed(self, drafts: Sequence[Draft], erasables: Sequence[Erasable]) -> list[bytes]:
        # The cache of keys is not for two threads, so they are looked up before.
        keys = [
            b"" if erasable == NOTHING else self._key_of(draft)
            for draft, erasable in zip(drafts, erasables, strict=True)
        ]

        def seal(draft: Draft, erasable: Erasable, key: bytes) -> bytes:
            return self._sealer.seal(erasable, key=key, location=draft.decision_id) if key else b""

        return await apart(lambda: [seal(*one) for one in zip(drafts, erasables, keys, strict=True)])

    def _key_of(self, draft: Draft) -> bytes:
        known = self._known.get(draft.subject or "")
        if known is None:
            raise SubjectErasedError("the person's token is not known any more")
        return known.key

    async def settled(self, written: Sequence[Written], mode: ReleaseMode) -> None:
        if mode != "durable":
            await self._keeper.settled(written, witnessed=mode == "witnessed", seconds=self._settle_seconds)

    async def subject_token(self, tenant: str, subject: str) -> str:
        person = self._persons.get((tenant, subject))
        if person is None:
            try:
                new_key = self._sealer.new_key()
                person = await asyncio.to_thread(self._store.person, tenant, subject, new_key)
            except LedgerError as error:
                raise RecordError("the ledger did not acknowledge the records") from error
            self._persons[tenant, subject] = person
        self._known[person.token] = _Known(person.key, commit_person(person.salt, tenant, subject))
        return person.token

    def forget(self) -> None:
        """Ask the store anew for every person's token."""
        self._persons.clear()
        self._known.clear()

    def receipt(self, sealed: Written, salt: bytes) -> dict[str, Any]:
        return issue(sealed.record, salt, self._signer).model_dump(mode="json")
