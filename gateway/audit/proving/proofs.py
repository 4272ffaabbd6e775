"""
What is kept beside the ledger, believed by its own record in the log alone.

Rules held here: the record that something names must be of the right tenant, kind and step, commit to exactly what is kept, and
stand in the log under a checkpoint that the log's key signed, with no later record that takes it back; whatever falls short of
that decides nothing.
"""

import asyncio

from collections.abc import Mapping, Sequence
from typing import Any

from cachetools import TTLCache

from gateway.errors import RecordError, UnprovedError
from gateway.ports.ledger import KeptClaim
from ledger.errors import LedgerCorruptError, LedgerError, NoteInvalidError, RecordInvalidError
from ledger.log import LogReader
from ledger.query import Filter
from ledger.record import parse_record
from ledger.store import Store
from ledger.tlog.checkpoint import verify_proof
from ledger.tlog.merkle import leaf_hash
from ledger.tlog.note import Verifier

_REMEMBERED = 10_000
_SECONDS = 60
"""How long it is remembered that a record stands in the log."""


class RecordProofs:
    """A `gateway.ports.ledger.Proofs` over a store of this process."""

    def __init__(self, store: Store, keys: Sequence[Verifier]) -> None:
        """
        Args:
            store: where the records lie.
            keys: the log's.
        """
        self._store = store
        self._keys = tuple(keys)
        self._known: TTLCache[str, dict[str, Any]] = TTLCache(_REMEMBERED, _SECONDS)

    async def require(self, claims: Sequence[KeptClaim]) -> Sequence[Mapping[str, Any]]:
        if any(claim.proof is None for claim in claims):
            raise UnprovedError("what is kept names no record")
        records = await self.in_log([claim.proof.record for claim in claims if claim.proof])
        for claim, record in zip(claims, records, strict=True):
            if not _says(record, claim):
                raise UnprovedError(f"what is kept as {claim.kind} is not what is on record")
        if any(claim.until for claim in claims):
            await asyncio.to_thread(self._require_newest, claims, records)
        return records

    async def in_log(self, names: Sequence[str]) -> Sequence[Mapping[str, Any]]:
        missing = [name for name in dict.fromkeys(names) if name not in self._known]
        found = await asyncio.to_thread(self._in_log, missing) if missing else {}
        self._known.update(found)
        records = [found.get(name) or self._known.get(name) for name in names]
        if None in records:
            raise UnprovedError("a record that something is to be proved by is not in the log")
        return [record for record in records if record is not None]

    def _require_newest(self, claims: Sequence[KeptClaim], proved: Sequence[Mapping[str, Any]]) -> None:
        """What was taken back since is not believed again, although its record stays."""
        try:
            over = any(self._later(claim, record) for claim, record in zip(claims, proved, strict=True) if claim.until)
        except LedgerError as error:
            raise RecordError("the ledger did not answer") from error
        if over:
            raise UnprovedError("what is kept was on record once, and a later record says otherwise")

    def _later(self, claim: KeptClaim, record: Mapping[str, Any]) -> bool:
        after: int | None = (self._store.index_of(record["decision_id"]) or 0) + 1
        about = {"tenant": claim.tenant, "kind": claim.kind, "item_id": record["item"]["id"], "limit": 1000}
        while after is not None:
            page = self._store.query(Filter(**about, after=after))
            if any(claim.until.intersection(parse_record(body)["codes"]) for body in page.records):
                return True
            after = page.next
        return False

    def _in_log(self, names: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Those of the records that are in the log, by decision id."""
        reader = LogReader(self._store)
        try:
            bodies = self._store.stored(names)
            return {name: parse_record(body) for name, body in bodies.items() if self._stands(reader, name, body)}
        except (RecordInvalidError, LedgerCorruptError) as error:
            raise UnprovedError("a record that something is to be proved by is not whole") from error
        except LedgerError as error:
            raise RecordError("the ledger did not answer") from error

    def _stands(self, reader: LogReader, name: str, body: bytes) -> bool:
        proof = reader.inclusion(name)
        try:
            return proof is not None and verify_proof(proof, leaf_hash(body), self._keys) is not None
        except NoteInvalidError:
            return False


def _says(record: Mapping[str, Any], claim: KeptClaim) -> bool:
    """Whether a record says what is claimed."""
    commitment = claim.proof.commitment(claim.said) if claim.proof else None
    same = (record["tenant"], record["kind"]) == (claim.tenant, claim.kind) and claim.code in record["codes"]
    return same and (record["item"] or {}).get("commitment") == commitment
