"""`ctxgate ledger`: questions of auditors, one decision explained and proved, and keeping the ledger."""

from gateway.cli.ledger import keep, why
from gateway.cli.ledger.query import ledger

__all__ = ["keep", "ledger", "why"]
