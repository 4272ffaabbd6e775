"""
Decisions on one request that follow each other.

Rules checked: all records of a decision name the same decision before it, or none; what they name is there, of the same tenant,
and is another one.  Where a decision stands in the log tells nothing of which came first: lanes are woven in any order.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ledger.checks.scratch import Scratch
from ledger.errors import LedgerCorruptError

_OF_A_DECISION: Final = frozenset(
    {
        "request.opened",
        "item.ruled",
        "item.dropped",
        "exception.used",
        "pack.sealed",
        "shadow.disagreed",
    }
)
"""Kinds that the way of a request writes; what is done about its pack later names the same request and nothing before it."""


_SEVERAL: Final = """
SELECT request FROM followed GROUP BY request
HAVING min(tenant) <> max(tenant) OR min(before) <> max(before) ORDER BY min(rowid)
"""
_GONE: Final = """
SELECT request FROM followed f WHERE before <> '' AND (before = request OR NOT EXISTS (
    SELECT 1 FROM followed g WHERE g.request = f.before AND g.tenant = f.tenant
)) ORDER BY rowid
"""


@dataclass(slots=True)
class RepeatedDecisions:
    """What has been seen of which decision follows which."""

    scratch: Scratch
    _last: tuple[str, str, str] = ("", "", "")

    def __post_init__(self) -> None:
        self.scratch.table("followed", "request TEXT, tenant TEXT, before TEXT, place TEXT")

    def see(self, where: str, record: Mapping[str, Any]) -> None:
        """
        Take a record in.

        Raises:
            LedgerUnavailableError: there is no room to remember it.
        """
        if record["kind"] not in _OF_A_DECISION:
            return
        told = (record["request_id"], record["tenant"], record.get("repeats") or "")
        # The records of a decision mostly stand together, and say the same.
        if told != self._last:
            self._last = told
            self.scratch.add("followed", *told, where)

    def check(self) -> None:
        """
        Hold the decisions against each other, once all records were seen.

        Raises:
            LedgerCorruptError: one names a decision that is not there, itself, or one of another tenant; or its records name several.
        """
        self.scratch.index("followed", "request, tenant, before")
        several = self.scratch.first(_SEVERAL)
        if several is not None:
            place = self.scratch.first("SELECT place FROM followed WHERE request = ? ORDER BY rowid DESC", *several)
            raise LedgerCorruptError(
                str(place and place[0]), "another record of its request names another decision before it"
            )
        gone = self.scratch.first(_GONE)
        if gone is not None:
            raise LedgerCorruptError(f"request {gone[0]}", "the decision that it follows is not there")
