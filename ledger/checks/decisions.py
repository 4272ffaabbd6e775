"""
Records that belong together: each decision once, and each sealed pack with the rulings of its request.

Rules checked: no decision id stands twice; every `pack.sealed` names the Merkle root over exactly the rulings of its request, in
their order, and packs only items that those rulings released.
"""

import json

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ledger.checks.scratch import Scratch
from ledger.errors import LedgerCorruptError
from ledger.tlog.merkle import EMPTY_ROOT
from ledger.tlog.tiles import edge_root, grow

_RELEASED: Final = frozenset({"released", "redacted"})


@dataclass(slots=True)
class Decisions:
    """Takes every record of a ledger, and says at the end whether they fit together."""

    scratch: Scratch
    packs: int = 0
    """How many were sealed."""

    def __post_init__(self) -> None:
        self.scratch.table("decisions", "name TEXT, place TEXT")
        self.scratch.table("rulings", "request TEXT, name TEXT, usable INTEGER, leaf BLOB")
        self.scratch.table("packs", "request TEXT, name TEXT, pack TEXT")

    def see(self, where: str, record: Mapping[str, Any], leaf: bytes) -> None:
        """
        Take a record in.

        Raises:
            LedgerUnavailableError: there is no room to remember it.
        """
        add, name, request = self.scratch.add, record["decision_id"], record["request_id"]
        add("decisions", name, where)
        if record["kind"] == "item.ruled":
            add("rulings", request, name, record["outcome"] in _RELEASED, leaf)
        if record["kind"] == "pack.sealed":
            self.packs += 1
            add("packs", request, name, json.dumps(record["pack"]))

    def require_once(self) -> None:
        """
        All records were seen: none is there twice.

        Raises:
            LedgerCorruptError: two have one decision id; names the later one.
        """
        self.scratch.index("decisions", "name")
        twice = self.scratch.first("SELECT name FROM decisions GROUP BY name HAVING count(*) > 1 ORDER BY max(rowid)")
        if twice is not None:
            later = self.scratch.first("SELECT place FROM decisions WHERE name = ? ORDER BY rowid DESC", *twice)
            raise LedgerCorruptError(str(later and later[0]), "its decision id stands twice")

    def __contains__(self, name: object) -> bool:
        """Whether there is a decision of that id; once they are sorted (`require_once`)."""
        return self.scratch.first("SELECT 1 FROM decisions WHERE name = ?", name) is not None

    def check_packs(self) -> None:
        """
        Hold each pack against the rulings of its request.

        Raises:
            LedgerCorruptError: one has other rulings than it says, or packs what none of them released.
        """
        self.scratch.index("rulings", "request")
        self.scratch.index("packs", "request")
        for request, name, pack in self.scratch.rows("SELECT request, name, pack FROM packs ORDER BY rowid"):
            rulings = self.scratch.rows(
                "SELECT name, usable, leaf FROM rulings WHERE request = ? ORDER BY rowid", request
            )
            _check_pack(f"pack.sealed {name}", json.loads(pack), rulings)


def _check_pack(where: str, pack: dict[str, Any] | None, rulings: Iterator[tuple[str, int, bytes]]) -> None:
    wanted = set(pack["items"]) if pack is not None else set[str]()
    count, edge = 0, b""
    for name, usable, leaf in rulings:
        edge, _ = grow(count, edge, [leaf])
        count += 1
        wanted -= {name} if usable else set()
    if pack is None or pack["rulings"] != count:
        raise LedgerCorruptError(where, f"it counts other rulings than the {count} there are")
    if pack["rulings_root"] != (edge_root(count, edge) if count else EMPTY_ROOT).hex():
        raise LedgerCorruptError(where, "its root is not over the rulings of its request")
    if wanted:
        raise LedgerCorruptError(where, "it packs an item that no ruling released")
