"""The gateway's side of the ledger: its errors as ours, its receipts as documents."""

import asyncio

from collections.abc import Sequence
from typing import Any

from gateway.errors import RecordBusyError, RecordError
from ledger.aside import Aside
from ledger.errors import LedgerBusyError, LedgerError
from ledger.lane import Written
from ledger.receipt import Signer, issue
from ledger.record import Draft
from ledger.store import Store
from ledger.writer import GroupCommitWriter


class Recorder:
    """A `gateway.ports.Ledger` over a store of this process."""

    def __init__(self, writer: GroupCommitWriter, store: Store, signer: Signer) -> None:
        self._writer = writer
        self._store = store
        self._signer = signer
        self._tokens: dict[tuple[str, str], str] = {}

    async def append(self, drafts: Sequence[Draft], asides: Sequence[Aside]) -> list[Written]:
        try:
            return await self._writer.append(drafts, asides)
        except LedgerBusyError as error:
            raise RecordBusyError("too many decisions wait to be recorded") from error
        except LedgerError as error:
            raise RecordError("the decisions could not be recorded") from error

    async def subject_token(self, tenant: str, subject: str) -> str:
        person = (tenant, subject)
        if person not in self._tokens:
            try:
                self._tokens[person] = await asyncio.to_thread(self._store.subject_token, tenant, subject)
            except LedgerError as error:
                raise RecordError("the decisions could not be recorded") from error
        return self._tokens[person]

    def receipt(self, sealed: Written, salt: bytes) -> dict[str, Any]:
        return issue(sealed.record, salt, self._signer).model_dump(mode="json")
