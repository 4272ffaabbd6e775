"""The tables of the SQLite store."""

from typing import Final

from ledger.query import PROJECTED
from ledger.sql import ENTRY

_INDEXED: Final = (
    "kind",
    "decision_id",
    "trace_id",
    "request_id",
    "subject",
    "agent",
    "item_id",
    "source_id",
    "outcome",
    "policy_revision",
    "pack_id",
    "at",
)
"""Columns that auditors look for entries by, each within a tenant and in the order of the log."""

_KEPT: Final = ("records", "runs", "entries", "codes", "ranges", "tiles", "checkpoints")
"""Tables that refuse any update or delete."""

_TRIGGERS: Final = "\n".join(
    f"CREATE TRIGGER IF NOT EXISTS {table}_no_{act} BEFORE {act} ON {table}"
    f" BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;"
    for table in _KEPT
    for act in ("UPDATE", "DELETE")
)
_ALWAYS: Final = {"kind", "at", "trace_id", "request_id", "decision_id"}
_INDEXES: Final = "\n".join(
    f"CREATE INDEX IF NOT EXISTS entries_{column} ON entries (tenant, {column}, idx)"
    + ("" if column in _ALWAYS else f" WHERE {column} NOTNULL")
    + ";"
    for column in _INDEXED
)

SCHEMA: Final = f"""
CREATE TABLE IF NOT EXISTS lanes (lane TEXT NOT NULL, epoch INTEGER NOT NULL, PRIMARY KEY (lane, epoch)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS records (
    place INTEGER PRIMARY KEY, lane TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
    decision_id TEXT NOT NULL UNIQUE, body BLOB NOT NULL, UNIQUE (lane, epoch, seq)
);
CREATE TABLE IF NOT EXISTS runs (
    lane TEXT NOT NULL, epoch INTEGER NOT NULL, first INTEGER NOT NULL, next INTEGER NOT NULL,
    after INTEGER GENERATED ALWAYS AS (nullif(first, 0)) STORED,
    PRIMARY KEY (lane, epoch, first), UNIQUE (lane, epoch, next), CHECK (next > first),
    FOREIGN KEY (lane, epoch) REFERENCES lanes,
    FOREIGN KEY (lane, epoch, after) REFERENCES runs (lane, epoch, next)
);
CREATE TABLE IF NOT EXISTS subjects (
    tenant TEXT NOT NULL, subject TEXT NOT NULL, token TEXT NOT NULL UNIQUE, key BLOB NOT NULL,
    salt BLOB, PRIMARY KEY (tenant, subject)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS asides (
    decision_id TEXT PRIMARY KEY, token TEXT NOT NULL REFERENCES subjects (token), body BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS asides_token ON asides (token);
CREATE TABLE IF NOT EXISTS head (
    one INTEGER PRIMARY KEY CHECK (one = 1), size INTEGER NOT NULL, root BLOB NOT NULL, edge BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS entries (
    idx INTEGER PRIMARY KEY, lane TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
    {", ".join(f"{name} TEXT" for name in PROJECTED)}
);
CREATE TABLE IF NOT EXISTS codes (code TEXT NOT NULL, idx INTEGER NOT NULL, PRIMARY KEY (code, idx)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ranges (
    lane TEXT NOT NULL, epoch INTEGER NOT NULL, first INTEGER NOT NULL, next INTEGER NOT NULL, start INTEGER NOT NULL,
    PRIMARY KEY (lane, epoch, first), UNIQUE (lane, epoch, next)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tiles (
    level INTEGER NOT NULL, number INTEGER NOT NULL, hashes BLOB NOT NULL, PRIMARY KEY (level, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS checkpoints (
    place INTEGER PRIMARY KEY, size INTEGER NOT NULL, at TEXT NOT NULL, note TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS checkpoints_size ON checkpoints (size, place);
{_TRIGGERS}
{_INDEXES}
"""

NEW_ENTRY: Final = f"INSERT INTO entries (idx, {', '.join(ENTRY)}) VALUES (?{', ?' * len(ENTRY)})"  # noqa: S608 - constant

JOINED: Final = "FROM entries e JOIN records r ON r.decision_id = e.decision_id"

WAITING: Final = """
SELECT lane, epoch, first, end FROM (
    SELECT l.lane, l.epoch,
        coalesce((SELECT max(next) FROM ranges g WHERE g.lane = l.lane AND g.epoch = l.epoch), 0) AS first,
        coalesce((SELECT max(next) FROM runs r WHERE r.lane = l.lane AND r.epoch = l.epoch), 0) AS end
    FROM lanes l
) WHERE end > first ORDER BY lane, epoch
"""
"""Which records of which lanes are not in the log yet."""
