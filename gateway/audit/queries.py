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

from gateway.audit.acts import Actor, record_reading
from gateway.audit.parts import SYSTEM_TENANT
from gateway.content.parsing import shaped
from gateway.errors import RecordError, UnprovedError
from gateway.ports.ledger import Ledger
from ledger.erasable import commit_person
from ledger.errors import LedgerError
from ledger.query import PROJECTED, Filter, Page, Series, project
from ledger.store import Store
from ledger.tlog.merkle import leaf_hash

GOVERNING: Final = ("bundle.activated", "bundle.proposed", "bundle.rejected", "bundle.shadowed")
"""Kinds of records of the gateway itself that concern every tenant, and that its auditors find."""

_T = TypeVar("_T")
KeyedNames = Callable[[str, str], str]
"""What stands in records of a tenant in the place of a label (`gateway.model.pseudonyms.keyed_label`)."""


@dataclass(frozen=True, slots=True)
class LedgerQueries:
    """Answers auditors' questions."""

    store: Store
    ledger: Ledger
    catch_up: Callable[[], Awaitable[object]]
    """Puts into the log what is durable now."""

    names: KeyedNames | None = None
    """What records have in the place of labels; without it those are found by their keyed names alone."""

    async def page(self, wanted: Filter, actor: Actor, now: datetime) -> Page:
        """
        A page of records.

        Raises:
            RecordError: the store did not answer, or the reading could not be recorded.
        """
        return await self._recorded(lambda: self.store.query(self.by_any_name(wanted)), _asked(wanted), actor, now)

    async def series(self, wanted: Filter, by: str, period: str | None, actor: Actor, now: datetime) -> list[Series]:
        """
        Counts of records by a column, and by time if asked.

        Raises:
            RecordError: the store did not answer, or the reading could not be recorded.
        """
        asked = {**_asked(wanted), "by": by, **({"period": period} if period else {})}
        return await self._recorded(lambda: self.store.series(self.by_any_name(wanted), by, period), asked, actor, now)

    def by_any_name(self, wanted: Filter) -> Filter:
        """The same question, whether records have the ids that it names in the clear or by keyed names."""
        labels = [label for label in (wanted.item_id, wanted.source_id) if label is not None]
        if self.names is None or not labels:
            return wanted
        tenants = [wanted.tenant] if wanted.tenant is not None else self._tenants()
        keyed = {self.names(tenant, label) for tenant in tenants for label in labels}
        return wanted.model_copy(update={"keyed": tuple(sorted(keyed))})

    def _tenants(self) -> list[str]:
        return [one.value for one in self.store.series(Filter(), "tenant", None) if one.value is not None]

    async def bodies(self, decision_ids: Sequence[str], actor: Actor, now: datetime) -> dict[str, bytes]:
        """
        Records by decision id, those of the actor's tenant and those that concern every tenant.

        Raises:
            RecordError: the store did not answer, or the reading could not be recorded.
        """
        asked = {"decision_id": " ".join(decision_ids)}
        return await self._recorded(lambda: self._bodies(decision_ids, actor.tenant), asked, actor, now)

    def _bodies(self, decision_ids: Sequence[str], tenant: str | None) -> dict[str, bytes]:
        if tenant is None:
            return self.store.stored(decision_ids)
        # The tenant is a condition of the question: what another tenant has is never read, and so never let through.
        named = [(name, shaped(Filter, {"decision_id": name, "limit": 1})) for name in decision_ids]
        found = [(name, page.records[0]) for name, one in named if (page := self._of(tenant, one)).records]
        return dict(found)

    def _of(self, tenant: str, wanted: Filter) -> Page:
        """A page of a tenant's, or else of what concerns every tenant."""
        page = self.store.query(wanted.model_copy(update={"tenant": tenant}))
        return page if page.records else self.store.query(of_all_tenants(wanted))

    async def token(self, tenant: str, user: str) -> str:
        """
        The token that stands for a person; a fresh one, which stands for nobody, if there is none, or no more.

        Raises:
            UnprovedError: the records of that token commit to another name.
        """
        return await self._from_store(lambda: self._token(tenant, user))

    def _token(self, tenant: str, user: str) -> str:
        found = self.store.who(tenant, user)
        if found is None:
            return secrets.token_hex(16)
        page = self.store.query(Filter(tenant=tenant, subject=found.token, limit=100))
        said = {json.loads(body).get("person") for body in page.records} - {None}
        if said - {commit_person(found.salt, tenant, user)}:
            raise UnprovedError("the records of the token that is kept for that name commit to another")
        return found.token

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


def of_all_tenants(wanted: Filter) -> Filter:
    """The same question of the records of the gateway itself that concern every tenant."""
    return wanted.model_copy(update={"tenant": SYSTEM_TENANT, "kinds": GOVERNING})


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
