"""Reading the ledger for an auditor: what was asked for, once the asking is itself on record."""

import asyncio
import csv
import io
import json

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from gateway.audit.acts import Actor, record_reading
from gateway.errors import RecordError
from gateway.ports.ledger import Ledger
from ledger.errors import LedgerError
from ledger.query import PROJECTED, Filter, Page, Series, project
from ledger.store import Store
from ledger.tlog.merkle import leaf_hash

NOBODY: Final = "-"
"""The token of a person of whom the ledger knows nothing, or nothing more."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class LedgerQueries:
    """Answers auditors' questions."""

    store: Store
    ledger: Ledger
    catch_up: Callable[[], Awaitable[object]]
    """Puts into the log what is durable now."""

    async def page(self, wanted: Filter, actor: Actor, now: datetime) -> Page:
        """
        A page of records.

        Raises:
            RecordError: the store did not answer, or the reading could not be recorded.
        """
        return await self._recorded(lambda: self.store.query(wanted), _asked(wanted), actor, now)

    async def series(self, wanted: Filter, by: str, period: str | None, actor: Actor, now: datetime) -> list[Series]:
        """
        Counts of records by a column, and by time if asked.

        Raises:
            RecordError: the store did not answer, or the reading could not be recorded.
        """
        asked = {**_asked(wanted), "by": by, **({"period": period} if period else {})}
        return await self._recorded(lambda: self.store.series(wanted, by, period), asked, actor, now)

    async def bodies(self, decision_ids: Sequence[str], actor: Actor, now: datetime) -> dict[str, bytes]:
        """
        Records by decision id, those of the actor's tenant alone.

        Raises:
            RecordError: the store did not answer, or the reading could not be recorded.
        """
        asked = {"decision_id": " ".join(decision_ids)}
        found = await self._recorded(lambda: self.store.stored(decision_ids), asked, actor, now)
        return {name: body for name, body in found.items() if _is_for(actor, body)}

    async def token(self, tenant: str, user: str) -> str:
        """The token that stands for a person; `NOBODY` if there is none, or no more."""
        person = await self._from_store(lambda: self.store.known_person(tenant, user))
        return person.token if person else NOBODY

    async def _recorded(self, act: Callable[[], _T], asked: dict[str, str], actor: Actor, now: datetime) -> _T:
        await record_reading(asked, actor, now, ledger=self.ledger)
        return await self._from_store(act)

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


def _is_for(actor: Actor, body: bytes) -> bool:
    return actor.tenant in {NOBODY, json.loads(body)["tenant"]}


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
