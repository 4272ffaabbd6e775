"""An open ledger, and who writes to it."""

from dataclasses import dataclass

from gateway.audit.evidence import Evidence
from gateway.audit.keeper import LogKeeper
from gateway.audit.recorder import Recorder
from ledger.pin import HeadPin
from ledger.store import Store
from ledger.tlog.note import Signer, Verifier
from ledger.tlog.trust import TrustPolicy


@dataclass(frozen=True, slots=True)
class OpenLedger:
    """An open ledger."""

    store: Store
    pin: HeadPin
    evidence: Evidence
    signer: Signer
    keys: tuple[Verifier, ...]
    """The log's, newest first."""

    trust: TrustPolicy | None


@dataclass(frozen=True, slots=True)
class LedgerWriter:
    """An open ledger, and who writes to it."""

    parts: OpenLedger
    recorder: Recorder
    keeper: LogKeeper
    replica: str
