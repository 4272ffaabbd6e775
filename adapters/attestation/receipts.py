"""Receipts as attestations: an agent's output with the receipt of the pack that the agent was given, verified without the ledger."""

from collections.abc import Sequence
from datetime import datetime

from gateway.model import Candidate
from gateway.model.policy_input import AttestationFacts
from ledger.errors import LedgerError
from ledger.receipt import Place, Receipt, nowhere, sealed_record
from ledger.record import Record
from ledger.tlog.note import Verifier


class LogReceiptVerifier:
    """A `gateway.ports.attestation.ReceiptVerifier` that believes the keys of the gateway's own log, old ones for what is in it."""

    def __init__(self, keys: Sequence[Verifier], place: Place = nowhere) -> None:
        """
        Args:
            keys: the log's.
            place: where a record stands in the log, for receipts by keys that were replaced.
        """
        self._keys = tuple(keys)
        self._place = place

    def verify(self, item: Candidate, tenant: str, now: datetime) -> AttestationFacts | None:
        if item.receipt is None:
            return None
        sealed = self._sealed(item.receipt)
        at = None if sealed is None else datetime.fromisoformat(sealed.at)
        return {
            "method": "receipt",
            "issuer": (sealed.agent if sealed else None) or "",
            "key": item.receipt.key,
            "signed_at": sealed.at if sealed else None,
            "age_seconds": int((now - at).total_seconds() // 1) if at else None,
            "verified": sealed is not None and bool(sealed.agent) and sealed.tenant == tenant and _is_pack(sealed),
        }

    def _sealed(self, receipt: Receipt) -> Record | None:
        """The record that the receipt is signed over; None where this log did not sign it, so that nothing it says is known."""
        try:
            return sealed_record(receipt, self._keys, self._place)
        except LedgerError:
            return None


def _is_pack(sealed: Record) -> bool:
    """Whether something was handed over: rulings alone are sealed too, and give an agent nothing to write from."""
    return sealed.kind == "pack.sealed" and sealed.pack is not None and bool(sealed.pack.items)
