"""`ctxgate report`: reports for a committee or an examiner, as a page, as a PDF or as JSON."""

from gateway.cli.report import ledger, policy
from gateway.cli.report.making import report

__all__ = ["ledger", "policy", "report"]
