"""The gateway's side of the ledger: its errors as ours, erasable sides sealed, its receipts as documents."""

import asyncio

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cachetools import TTLCache

from gateway.audit.evidence import Evidence
from gateway.audit.keeper import LogKeeper
from gateway.concurrency.apart import apart
from gateway.errors import PersonErasedError, PersonKeysError, RecordBusyError, RecordError, RepeatDiffersError
from gateway.model.policy_answer import ReleaseMode
from ledger.erasable import NOTHING, Erasable, Sealer, commit_person
from ledger.errors import DuplicateDecisionError, KeyServiceError, LedgerBusyError, LedgerError, SubjectErasedError
from ledger.lane import Submission, Written
from ledger.receipt import issue
from ledger.record import Draft, Record
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
            written = await self._writer.append(Submission(tuple(map(self._marked, drafts)), sealed, tuple(erasures)))
            if repeated := [one.record.lane for one in written if one.repeated]:
                await self._keeper.require_entering(repeated)
        except LedgerBusyError as error:
            raise RecordBusyError("more records wait to be written than the queue holds") from error
        except SubjectErasedError as error:
            self.forget()
            raise PersonErasedError("the person was erased while the request was under way") from error
        except DuplicateDecisionError as error:
            await self._require_entering(drafts)
            msg = "the ledger holds another decision for this request"
            raise RepeatDiffersError(msg, opened=error.opened) from error
        except KeyServiceError as error:
            raise PersonKeysError("what keeps the keys of persons did not answer") from error
        except (LedgerError, ValueError) as error:
            raise RecordError("the ledger did not acknowledge the records") from error
        return written

    async def _require_entering(self, drafts: Sequence[Draft]) -> None:
        """Nothing follows a decision that was set aside, since whoever reads the log would look for it in vain."""
        try:
            stored = await asyncio.to_thread(self._store.stored, [draft.decision_id for draft in drafts])
            await self._keeper.require_entering([Record.decode(body).lane for body in stored.values()])
        except LedgerError as error:
            raise RecordError("the ledger did not answer") from error

    async def kept(self, repeated: Sequence[Written]) -> list[Erasable]:
        names = [one.record.decision_id for one in repeated]
        opened = await asyncio.to_thread(Evidence(self._store, self._sealer).opened, names)
        if any(isinstance(one, ValueError) for one in opened.values()):
            raise RepeatDiffersError("what was kept aside of the first try does not open")
        return [side if isinstance(side := opened.get(name), Erasable) else NOTHING for name in names]

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

        for key in {key for key in keys if key and not self._sealer.holds(key)}:
            # It may be asked for over a network, which nobody else waits for.
            await asyncio.to_thread(self._sealer.fetch, key)
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
                person = await asyncio.to_thread(self._person, tenant, subject)
            except KeyServiceError as error:
                raise PersonKeysError("what keeps the keys of persons did not answer") from error
            except LedgerError as error:
                raise RecordError("the ledger did not acknowledge the records") from error
            self._persons[tenant, subject] = person
        self._known[person.token] = _Known(person.key, commit_person(person.salt, tenant, subject))
        return person.token

    def _person(self, tenant: str, subject: str) -> Person:
        known = self._store.known_person(tenant, subject)
        if known is not None:
            return known
        # Only for who is new: where keys are kept outside, each that is made is one there.
        made = self._sealer.new_key()
        person = self._store.person(tenant, subject, made)
        if person.key != made and (unused := self._sealer.outside(made)):
            self._sealer.destroy(unused)
        return person

    def forget(self) -> None:
        """Ask the store anew for every person's token."""
        self._persons.clear()
        self._known.clear()

    def receipt(self, sealed: Written, salt: bytes) -> dict[str, Any]:
        return issue(sealed.record, salt, self._signer).model_dump(mode="json")
