"""`ctxgate ledger`: questions of auditors, one decision explained and proved, and keeping the ledger."""

from gateway.cli.ledger import evidence, keep, why
from gateway.cli.ledger.query import ledger

__all__ = ["evidence", "keep", "ledger", "why"]
