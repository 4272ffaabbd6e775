"""
What an administrator of the database could do to a ledger: the columns there are to change, and how to change them.

Everything that is proved is in `COLUMNS`.  Not there: when a lane was opened and a checkpoint kept, which prove nothing and are
not shown as proved; and the erasable tables, whose every change makes a commitment fail or counts as erased.
"""

import sqlite3

from pathlib import Path
from typing import Final

from ledger.lane import LaneWriter
from ledger.pin import Pinned
from ledger.query import PROJECTED
from ledger.store import Store
from ledger.verify import Verified, verify
from tests.support.strategies import ORIGIN, REPLICA, keys, sequencer, signer, write_request

COLUMNS: Final = {
    "records": ("lane", "epoch", "seq", "decision_id", "body"),
    "runs": ("lane", "epoch", "first", "next"),
    "lanes": ("lane", "epoch"),
    "entries": ("idx", "lane", "epoch", "seq", *PROJECTED),
    "codes": ("code", "idx"),
    "ranges": ("lane", "epoch", "first", "next", "start"),
    "tiles": ("level", "number", "hashes"),
    "head": ("size", "root", "edge"),
    "checkpoints": ("size", "note"),
    "newest": ("size", "note"),
}
CASES: Final = [(table, column) for table, columns in COLUMNS.items() for column in columns]

RECORDS: Final = 285
"""How many records `fill` writes."""

_NUMBERS: Final = {"epoch", "seq", "first", "next", "idx", "start", "level", "number", "size"}
_BYTES: Final = {"body", "hashes", "root", "edge"}


def fill(store: Store) -> Pinned:
    """A log of two requests, more than one tile long, under two checkpoints; and what was seen of it."""
    lane = LaneWriter(store, ORIGIN, REPLICA, signer())
    write_request(lane, ["released", "denied", "released"])
    sequencer(store).run()
    write_request(lane, ["denied", "released"] * 140)
    published = sequencer(store).run()
    assert published is not None
    return Pinned(published.note, lane.position)


def check(store: Store, pin: Pinned) -> Verified:
    """The store verified from storage, and closed."""
    try:
        return verify(store, origin=ORIGIN, pin=pin, keys=keys())
    finally:
        store.close()


def tamper(path: Path, *statements: tuple[object, ...]) -> None:
    """Do as a database administrator could: take the triggers away first, then each statement with its values."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement, *values in statements:
            connection.execute(str(statement), values)
    connection.close()


def changed(column: str, quote: str) -> str:
    """Another value for a column, as SQL: one that a store would take; *quote* where the column holds bytes."""
    if column == "level":
        return "level + 7"
    if column in _NUMBERS:
        return f"{column} + 70000"
    if column in _BYTES:
        return quote
    return "'00000000-0000-4000-8000-00000000ffff'" if column in {"lane", "decision_id"} else "'changed'"
