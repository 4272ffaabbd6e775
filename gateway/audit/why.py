"""
What happened to one pack or item, in plain words, from the ledger.

The words come from the records and from the titles that officers gave their rules; nothing is known of any text.
"""

import json

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gateway.policy.annotations import annotations
from gateway.policy.bundle import Bundle
from ledger.errors import NoteInvalidError
from ledger.log import LogReader
from ledger.query import Filter
from ledger.store import Store
from ledger.tlog.checkpoint import open_checkpoint
from ledger.tlog.merkle import leaf_hash, root_hash, verify_inclusion
from ledger.tlog.note import Verifier

_MANY: Final = 1000
_OUTCOMES: Final = {
    "released": "was released as it is",
    "redacted": "was released with parts taken out",
    "quarantined": "was set aside for review",
    "denied": "was refused",
    "dropped": "was allowed, but left out of the pack",
    None: "was answered on its labels alone",
}


@dataclass(frozen=True, slots=True)
class ProofStatus:
    """How far a record is proved."""

    index: int | None
    size: int
    cosigned: int
    holds: bool

    def __str__(self) -> str:
        if self.index is None:
            return "durable, not under a checkpoint yet"
        if not self.holds:
            return "NOT PROVED: the proof does not lead to the signed checkpoint"
        seen = f", cosigned by {self.cosigned} witnesses" if self.cosigned else ""
        return f"entry {self.index} of {self.size}, proved against the signed checkpoint{seen}"


@dataclass(frozen=True, slots=True)
class AccountEntry:
    """One record, told."""

    record: Mapping[str, Any]
    sentence: str
    proof: ProofStatus


@dataclass(frozen=True, slots=True)
class Account:
    """One request, told."""

    opening: str
    entries: tuple[AccountEntry, ...]
    closing: str


@dataclass(frozen=True, slots=True)
class AccountWriter:
    """Tells stories from a ledger."""

    store: Store
    keys: Sequence[Verifier]
    witnesses: Sequence[Verifier]
    titles: Mapping[str, str]

    def requests_of(self, name: str, tenant: str | None) -> list[str]:
        """Requests that a pack id, item id, decision id, trace id or request id belongs to, oldest first."""
        found: dict[str, None] = {}
        for column in ("pack_id", "decision_id", "request_id", "trace_id", "item_id"):
            page = self.store.query(Filter(tenant=tenant, limit=_MANY, **{column: name}))
            found.update(dict.fromkeys(json.loads(body)["request_id"] for body in page.records))
        return list(found)

    def tell(self, request_id: str, tenant: str | None, item: str | None = None) -> Account:
        """The story of a request; of one of its items alone where that is named."""
        bodies = self._bodies(request_id, tenant)
        records = [(json.loads(body), body) for body in bodies]
        told = [
            AccountEntry(record, self._sentence(record), self._proof(record, body))
            for record, body in records
            if item is None or (record["item"] or {}).get("id") == item or record["kind"] == "pack.sealed"
        ]
        return Account(self._opening(records[0][0]), tuple(told), self._closing(records))

    def _bodies(self, request_id: str, tenant: str | None) -> list[bytes]:
        bodies: list[bytes] = []
        after: int | None = 0
        while after is not None:
            page = self.store.query(Filter(tenant=tenant, request_id=request_id, after=after, limit=_MANY))
            bodies += page.records
            after = page.next
        return bodies

    def _opening(self, record: Mapping[str, Any]) -> str:
        agent = f"agent {record['agent']}" if record["agent"] else "a caller"
        purpose = f" for {record['purpose']}" if record["purpose"] else ""
        return f"At {record['at']} {agent} of tenant {record['tenant']} asked{purpose} (trace {record['trace_id']})."

    def _sentence(self, record: Mapping[str, Any]) -> str:
        codes = "; ".join(f"{code} {self.titles.get(code, '')}".strip() for code in record["codes"])
        because = f" ({codes})" if codes else ""
        item = (record["item"] or {}).get("id", "")
        source = (record["source"] or {}).get("id")
        match record["kind"]:
            case "item.ruled" | "item.dropped":
                origin = f" from {source}" if source else ""
                duties = f", with {', '.join(record['obligations'])}" if record["obligations"] else ""
                found = ", ".join(f"{one['count']} of {one['type']}" for one in record["findings"])
                seen = f"; screening found {found}" if found else ""
                return f"Item {item}{origin} {_OUTCOMES[record['outcome']]}{because}{duties}{seen}."
            case "pack.sealed":
                pack = record["pack"]
                return f"Pack {pack['id']} was sealed with {len(pack['items'])} of {pack['rulings']} items."
            case "exception.used":
                return f"Item {item} passed by exception {', '.join(record['exceptions'])}."
            case "request.opened":
                return (
                    f"The request was refused as a whole{because}."
                    if record["outcome"]
                    else "The request was taken up."
                )
            case kind:
                return f"{kind}{because}."

    def _proof(self, record: Mapping[str, Any], body: bytes) -> ProofStatus:
        proof = LogReader(self.store).inclusion(record["decision_id"])
        if proof is None:
            return ProofStatus(None, 0, 0, holds=False)
        try:
            checkpoint, seen = open_checkpoint(proof.checkpoint, self.keys, self.witnesses)
        except NoteInvalidError:
            return ProofStatus(proof.index, 0, 0, holds=False)
        holds = verify_inclusion(leaf_hash(body), proof.index, checkpoint.size, proof.hashes, checkpoint.root)
        return ProofStatus(proof.index, checkpoint.size, len(seen), holds=holds)

    @staticmethod
    def _closing(records: Sequence[tuple[Mapping[str, Any], bytes]]) -> str:
        ruled = [leaf_hash(body) for record, body in records if record["kind"] == "item.ruled"]
        sealed = [record for record, _ in records if record["kind"] == "pack.sealed"]
        if not sealed:
            return f"No pack was sealed; {len(ruled)} rulings are on record."
        pack = sealed[-1]["pack"]
        whole = pack["rulings"] == len(ruled) and pack["rulings_root"] == root_hash(ruled).hex()
        if not whole:
            return f"INCOMPLETE: the pack commits to {pack['rulings']} rulings that are not the {len(ruled)} on record."
        return f"Complete: the pack commits to exactly the {len(ruled)} rulings on record."


def titles(bundle: Bundle) -> dict[str, str]:
    """What officers call the rules of a bundle, by code."""
    found = {}
    for rego in bundle.modules.values():
        for block in annotations(rego):
            if block.code:
                found[block.code] = str(block.fields.get("title", ""))
    return found
