"""
What happened to one pack or item, in plain words, from the ledger.

The words come from the records and from the titles that officers gave their rules; nothing is known of any text.
"""

import contextlib
import json

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gateway.audit.evidence import Evidence
from gateway.errors import RecordError
from gateway.policy.annotations import annotations
from gateway.policy.bundle import Bundle
from ledger.erasable import Erasable
from ledger.errors import NoteInvalidError
from ledger.log import LogReader
from ledger.query import Filter
from ledger.store import Store
from ledger.tlog.checkpoint import open_checkpoint
from ledger.tlog.merkle import leaf_hash, root_hash, verify_inclusion
from ledger.tlog.note import Verifier

_MANY: Final = 1000
_PARTS: Final = ("item", "source")
"""Parts of a record that may have a keyed name for their id."""
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
    by_any_name: Callable[[Filter], Filter] = lambda wanted: wanted
    """The same question by keyed names too, where records have these."""

    evidence: Evidence | None = None
    """Where labels stand that records have keyed names for; without it these are told."""

    def requests_of(self, name: str, tenant: str | None) -> list[str]:
        """Requests that a pack id, item id, decision id, trace id or request id belongs to, oldest first."""
        found: dict[str, None] = {}
        for column in ("pack_id", "decision_id", "request_id", "trace_id", "item_id"):
            page = self.store.query(self.by_any_name(Filter(tenant=tenant, limit=_MANY, **{column: name})))
            found.update(dict.fromkeys(json.loads(body)["request_id"] for body in page.records))
        return list(found)

    def tell(self, request_id: str, tenant: str | None, item: str | None = None) -> Account:
        """The story of a request; of one of its items alone where that is named."""
        bodies = self._bodies(request_id, tenant)
        records = [(json.loads(body), body) for body in bodies]
        clear = self._clear([record for record, _ in records])
        told = [
            AccountEntry(record, self._sentence(_named(record, clear)), self._proof(record, body))
            for record, body in records
            if item is None or _item_of(_named(record, clear)) == item or record["kind"] == "pack.sealed"
        ]
        return Account(self._opening(records[0][0]), tuple(told), self.closing(records))

    def _clear(self, records: Sequence[Mapping[str, Any]]) -> dict[str, str]:
        """Labels by the keyed names that records have for them; none of the erased, nor for whoever may not open anything."""
        rulings = [record for record in records if record["kind"] == "item.ruled"]
        if self.evidence is None:
            return {}
        # An auditor without keys is told the keyed names: that is no reason to tell nothing.
        with contextlib.suppress(RecordError):
            opened = self.evidence.erasables([record["decision_id"] for record in rulings])
            return dict(pair for record in rulings for pair in clear_labels(record, opened.get(record["decision_id"])))
        return {}

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
        before = (
            f" It was asked before and came to something else: request {record['repeats']}."
            if record.get("repeats")
            else ""
        )
        return f"At {record['at']} {agent} of tenant {record['tenant']} asked{purpose} (trace {record['trace_id']}).{before}"

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
    def closing(records: Sequence[tuple[Mapping[str, Any], bytes]]) -> str:
        """Whether the rulings on record are all that the pack of their request commits to."""
        ruled = [leaf_hash(body) for record, body in records if record["kind"] == "item.ruled"]
        sealed = [record for record, _ in records if record["kind"] == "pack.sealed"]
        if not sealed:
            return f"No pack was sealed; {len(ruled)} rulings are on record."
        pack = sealed[-1]["pack"]
        whole = pack["rulings"] == len(ruled) and pack["rulings_root"] == root_hash(ruled).hex()
        if not whole:
            return f"INCOMPLETE: the pack commits to {pack['rulings']} rulings that are not the {len(ruled)} on record."
        return f"Complete: the pack commits to exactly the {len(ruled)} rulings on record."


def clear_labels(record: Mapping[str, Any], aside: Erasable | None) -> Iterator[tuple[str, str]]:
    """Keyed names of a ruling's record, each with what it stands for."""
    kept = json.loads(aside.labels) if aside is not None and aside.labels is not None else {}
    for part, name, label in (("item", "id", "id"), ("source", "id", "source_id")):
        if label in kept and record[part] is not None:
            yield record[part][name], kept[label]


def _named(record: Mapping[str, Any], clear: Mapping[str, str]) -> Mapping[str, Any]:
    """A record with labels in the place of the keyed names that it has for them."""
    parts = {
        name: {**record[name], "id": clear.get(record[name]["id"], record[name]["id"])}
        for name in _PARTS
        if record[name]
    }
    return {**record, **parts}


def _item_of(record: Mapping[str, Any]) -> str | None:
    return record["item"]["id"] if record["item"] else None


def titles(bundle: Bundle) -> dict[str, str]:
    """What officers call the rules of a bundle, by code."""
    found = {}
    for rego in bundle.modules.values():
        for block in annotations(rego):
            if block.code:
                found[block.code] = str(block.fields.get("title", ""))
    return found
