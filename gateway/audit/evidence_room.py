"""
What was released, shown again to whoever may see contents and not only records.

Rules held here: that somebody looks is on record before anything is opened; what is opened is shown only where it is what
the record commits to; of another tenant, and of an erased person, there is nothing.
"""

import asyncio
import json

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gateway.audit.acts import Actor, record_reading
from gateway.audit.evidence import Evidence
from gateway.audit.kept import kept_pack, kept_prompt, prompt_commitment
from gateway.audit.queries import LedgerQueries
from gateway.content.parsing import shaped
from gateway.errors import EvidenceErasedError, EvidenceNotKeptError, NotFoundError, RecordError
from ledger.erasable import Erasable, commit
from ledger.errors import LedgerError
from ledger.query import Filter
from ledger.receipt import issue, pack_digest
from ledger.record import Record
from ledger.tlog.note import Signer


@dataclass(frozen=True, slots=True)
class ItemEvidence:
    """What a decision on one item released."""

    record: dict[str, Any]
    released: str | None
    """Text, or JSON as RFC 8785, in its fence if it had one; None where nothing was released."""

    salt: str | None
    """In hex: HMAC-SHA-256 of `released` under it is the record's `released_commitment`."""

    def as_document(self) -> dict[str, Any]:
        """As JSON."""
        return {"kind": "item", "record": self.record, "released": self.released, "salt": self.salt}


@dataclass(frozen=True, slots=True)
class PackEvidence:
    """A whole pack, or rulings alone."""

    record: dict[str, Any]
    file: bytes
    """What was handed over, with its receipt."""

    prompt: dict[str, Any] | None
    """In the shape that the request asked for, else that of OpenAI's API; None where no pack was asked for."""

    def as_document(self) -> dict[str, Any]:
        """As JSON."""
        return {"kind": "pack", "record": self.record, "pack": json.loads(self.file), "prompt": self.prompt}


@dataclass(frozen=True, slots=True)
class EvidenceRoom:
    """Where auditors see what was released."""

    queries: LedgerQueries
    evidence: Evidence
    signer: Signer
    """Of receipts, which are issued again: with the same key they are the same bytes."""

    async def show(self, name: str, actor: Actor, now: datetime) -> ItemEvidence | PackEvidence:
        """
        What was released, once it is on record that somebody looks.

        Args:
            name: decision id of an item or of a pack's record, id of a pack, or request id.
            actor: who looks.
            now: when.

        Raises:
            NotFoundError: there is no such decision in the actor's tenant.

            EvidenceErasedError: the person it was released to is erased.

            EvidenceNotKeptError: no content was kept when it was decided.

            RecordError: the reading is not on record, or what is kept is missing or not what the record commits to.
        """
        wanted = [
            shaped(Filter, {"decision_id": name, "limit": 1}),
            Filter(kind="pack.sealed", pack_id=name, limit=1),
            Filter(kind="pack.sealed", request_id=name, limit=1),
        ]
        await record_reading({"evidence": name}, actor, now, ledger=self.queries.ledger, code="FILTER-EVIDENCE")
        await self.queries.up_to_date()
        try:
            return await asyncio.to_thread(self._shown, wanted, actor.tenant)
        except LedgerError as error:
            raise RecordError("the ledger did not answer") from error

    def _shown(self, wanted: list[Filter], tenant: str | None) -> ItemEvidence | PackEvidence:
        for one in wanted:
            page = self.queries.store.query(one.model_copy(update={"tenant": tenant}))
            for body in page.records:
                record = Record.decode(body)
                if record.kind == "pack.sealed":
                    return self._pack(record, body)
                if record.kind == "item.ruled":
                    return self._item(record, body)
        raise NotFoundError("there is no decision or pack of that id")

    def _aside(self, record: Record) -> Erasable | None:
        """
        What is kept of a record.

        Raises:
            EvidenceErasedError: whom it is about is forgotten.
        """
        token = record.subject or ""
        if token not in self.queries.store.behind(record.tenant, [token]):
            raise EvidenceErasedError("the person whom this was released to is erased, and so is what was released")
        return self.evidence.erasables([record.decision_id]).get(record.decision_id)

    def _item(self, record: Record, body: bytes) -> ItemEvidence:
        aside, committed = self._aside(record), record.released_commitment
        if committed is None:
            return ItemEvidence(json.loads(body), None, None)
        if aside is None or aside.released_salt is None:
            # Every ruling has salts aside until its person is erased, which this one is not: somebody deleted them.
            raise RecordError("what was kept of this decision is missing, and its person was not erased")
        if aside.released is None:
            raise EvidenceNotKeptError("no content was kept when this was decided")
        if commit(aside.released_salt, aside.released) != committed:
            raise RecordError("what was kept is not what the record commits to")
        return ItemEvidence(json.loads(body), aside.released.decode(), aside.released_salt.hex())

    def _pack(self, record: Record, body: bytes) -> PackEvidence:
        aside = self._aside(record)
        if aside is None or aside.content is None or aside.item_salt is None:
            raise EvidenceNotKeptError("no content was kept when this pack was sealed")
        receipt = issue(record, aside.item_salt, self.signer).model_dump_json().encode()
        file = kept_pack(aside, receipt)
        document = json.loads(file)
        bare = {name: value for name, value in document.items() if name != "receipt"}
        digest = record.pack.digest if record.pack else ""
        if pack_digest(aside.item_salt, bare) != digest or prompt_commitment(aside) != record.released_commitment:
            raise RecordError("what was kept is not what the record commits to")
        return PackEvidence(json.loads(body), file, kept_prompt(aside, document))
