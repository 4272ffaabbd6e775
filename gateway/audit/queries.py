"""Reading the ledger for an auditor: what was asked for, once the asking is itself on record."""

import asyncio
import csv
import io
import json
import secrets

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from gateway.audit.recorder import Recorder
from gateway.errors import RecordError
from gateway.model import utc_text, uuid7
from ledger.canonical import jcs
from ledger.erasable import Aside, commit, fresh_salt
from ledger.errors import LedgerError
from ledger.query import PROJECTED, Filter, Page, Series, project
from ledger.record import Draft, ItemPart, Kind
from ledger.store import Store
from ledger.tlog.merkle import leaf_hash

NOBODY: Final = "-"
"""The token of a person of whom the ledger knows nothing, or nothing more."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads, and of which tenant; in every tenant for one who may."""

    tenant: str
    subject: str


@dataclass(frozen=True, slots=True)
class ReadingRoom:
    """Where auditors' questions are answered."""

    store: Store
    recorder: Recorder
    catch_up: Callable[[], Awaitable[object]]
    """Puts into the log what is durable now."""

    async def page(self, wanted: Filter, reader: Reader, now: datetime) -> Page:
        """
        A page of records.

        Raises:
            RecordError: the store did not answer, or the reading could not be recorded.
        """
        return await self._recorded(lambda: self.store.query(wanted), _asked(wanted), reader, now)

    async def series(self, wanted: Filter, by: str, period: str | None, reader: Reader, now: datetime) -> list[Series]:
        """
        Counts of records by a column, and by time if asked.

        Raises:
            RecordError: the store did not answer, or the reading could not be recorded.
        """
        asked = {**_asked(wanted), "by": by, **({"period": period} if period else {})}
        return await self._recorded(lambda: self.store.series(wanted, by, period), asked, reader, now)

    async def bodies(self, decision_ids: Sequence[str], reader: Reader, now: datetime) -> dict[str, bytes]:
        """
        Records by decision id, those of the reader's tenant alone.

        Raises:
            RecordError: the store did not answer, or the reading could not be recorded.
        """
        asked = {"decision_id": " ".join(decision_ids)}
        found = await self._recorded(lambda: self.store.stored(decision_ids), asked, reader, now)
        return {name: body for name, body in found.items() if _is_for(reader, body)}

    async def token(self, tenant: str, user: str) -> str:
        """The token that stands for a person; `NOBODY` if there is none, or no more."""
        person = await self._from_store(lambda: self.store.known_person(tenant, user))
        return person.token if person else NOBODY

    async def _recorded(self, act: Callable[[], _T], asked: dict[str, str], reader: Reader, now: datetime) -> _T:
        await self.note("ledger.read", asked, reader, now, codes=[f"FILTER-{name.upper()}" for name in asked])
        return await self._from_store(act)

    async def note(
        self,
        kind: Kind,
        asked: dict[str, str],
        reader: Reader,
        now: datetime,
        *,
        codes: Sequence[str],
        item: str = "filter",
    ) -> None:
        """
        Record what a person did at the ledger: in codes for all to see, and in full sealed under that person's key.

        Raises:
            RecordError: it is not on record.
        """
        decision_id, content, salt = uuid7(now, secrets.token_bytes(10)), jcs(asked), fresh_salt()
        draft = Draft(
            kind=kind,
            decision_id=decision_id,
            trace_id=decision_id,
            request_id=decision_id,
            tenant=reader.tenant,
            subject=await self.recorder.subject_token(reader.tenant, reader.subject),
            item=ItemPart(id=item, commitment=commit(salt, content), bytes=len(content), media_type="application/json"),
            codes=tuple(sorted(codes)),
            at=utc_text(now),
        )
        await self.recorder.append([draft], [Aside(item_salt=salt, content=content)])

    async def up_to_date(self) -> None:
        """
        Put into the log what is durable now.

        Raises:
            RecordError: the store did not answer.
        """
        await self._from_store(lambda: None)

    async def _from_store(self, act: Callable[[], _T]) -> _T:
        try:
            await self.catch_up()
            return await asyncio.to_thread(act)
        except (LedgerError, OSError) as error:
            raise RecordError("the ledger did not answer") from error


def _asked(wanted: Filter) -> dict[str, str]:
    return {name: str(value) for name, value in wanted.model_dump(exclude_unset=True, exclude_none=True).items()}


def _is_for(reader: Reader, body: bytes) -> bool:
    return reader.tenant in {NOBODY, json.loads(body)["tenant"]}


def as_document(page: Page) -> dict[str, Any]:
    """A page as JSON: each record as members, and as the exact text that is hashed, with its place in the log."""
    entries = [
        {"index": index, "leaf": leaf_hash(body).hex(), "body": body.decode()}
        for index, body in zip(page.indexes, page.records, strict=True)
    ]
    return {"records": [json.loads(body) for body in page.records], "entries": entries, "next": page.next}


def as_csv(page: Page) -> str:
    """A page as CSV; cells that a spreadsheet would take for a formula have an apostrophe before them."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["index", *PROJECTED, "codes", "leaf"])
    for index, body in zip(page.indexes, page.records, strict=True):
        fields = json.loads(body)
        cells = [*project(fields).values(), " ".join(fields["codes"]), leaf_hash(body).hex()]
        writer.writerow([index, *map(_cell, cells)])
    return out.getvalue()


def _cell(value: str | None) -> str:
    text = value or ""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
