"""`ctxgate ledger`: questions of auditors, one decision explained and proved, keeping the ledger, and erasure."""

from gateway.cli.ledger import erase, evidence, keep, keys, verify, why
from gateway.cli.ledger.query import ledger

__all__ = ["erase", "evidence", "keep", "keys", "ledger", "verify", "why"]
