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

_DERIVED: Final = ("entries", "codes", "ranges", "tiles", "checkpoints")
"""Tables that refuse any update or delete, but for what a rewinding takes back; they follow from the records."""

_NO_UPDATE: Final = ("records", "refused", "log", *_DERIVED)
_NO_DELETE: Final = ("records", "refused", "log", "runs", "newest", *_DERIVED)


def _no(act: str, table: str) -> str:
    return (
        f"CREATE TRIGGER IF NOT EXISTS {table}_no_{act} BEFORE {act} ON {table}"
        f" BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END;"
    )


def _never(name: str, act: str, table: str, when: str) -> str:
    return (
        f"CREATE TRIGGER IF NOT EXISTS {name} BEFORE {act} ON {table} WHEN {when}"
        f" BEGIN SELECT RAISE(ABORT, '{table} is append-only, and this cannot stand there'); END;"
    )


LOCKS: Final = tuple(_no("DELETE", table) for table in (*_DERIVED, "newest"))
"""What a rewinding takes off and puts back on."""

UNLOCKS: Final = tuple(f"DROP TRIGGER IF EXISTS {table}_no_DELETE" for table in (*_DERIVED, "newest"))

_BEYOND: Final = "NEW.size > (SELECT size FROM head) OR NEW.size < 1"
"""What is no checkpoint of the log."""

_END: Final = "(SELECT start + next - first FROM ranges ORDER BY start DESC LIMIT 1)"
"""Where the newest range ends."""

_TRIGGERS: Final = "\n".join(
    (
        *(_no("UPDATE", table) for table in _NO_UPDATE),
        *(_no("DELETE", table) for table in _NO_DELETE),
        _no("DELETE", "head"),
        # A run is signed when it is written, or once by an operator, if it is from before runs were signed.
        _never("runs_signed", "INSERT", "runs", "length(NEW.signature) IS NOT 68"),
        _never(
            "runs_kept",
            "UPDATE",
            "runs",
            "OLD.signature IS NOT NULL OR length(NEW.signature) IS NOT 68 OR (NEW.lane, NEW.epoch, NEW.first, NEW.next)"
            " IS NOT (OLD.lane, OLD.epoch, OLD.first, OLD.next)",
        ),
        _never(
            "lanes_counted",
            "INSERT",
            "lanes",
            "NEW.epoch IS NOT (SELECT coalesce(max(epoch), 0) + 1 FROM lanes WHERE lane = NEW.lane)",
        ),
        _never(
            "records_in_runs",
            "INSERT",
            "records",
            "length(NEW.body) > 60000 OR NEW.seq < coalesce((SELECT first FROM runs WHERE lane = NEW.lane"
            " AND epoch = NEW.epoch AND next > NEW.seq ORDER BY next LIMIT 1), NEW.seq + 1)",
        ),
        # An extension comes in this order: its ranges, what stands in them, and then the head that has come so far.
        _never("ranges_ahead", "INSERT", "ranges", f"NEW.start IS NOT coalesce({_END}, 0) OR NEW.next <= NEW.first"),
        _never(
            "entries_ahead",
            "INSERT",
            "entries",
            f"NEW.idx < (SELECT size FROM head) OR NEW.idx >= coalesce({_END}, 0)",  # noqa: S608 - constant
        ),
        _never(
            "codes_ahead",
            "INSERT",
            "codes",
            "NEW.idx < (SELECT size FROM head) OR NOT EXISTS (SELECT 1 FROM entries WHERE idx = NEW.idx)",
        ),
        _never(
            "tiles_ahead",
            "INSERT",
            "tiles",
            "NEW.level NOT BETWEEN 0 AND 6 OR NEW.number < 0 OR length(NEW.hashes) IS NOT 8192"
            f" OR (NEW.number + 1) * (256 << (8 * NEW.level)) > coalesce({_END}, 0)",
        ),
        _never("head_ahead", "UPDATE", "head", f"NEW.one IS NOT 1 OR NEW.size IS NOT coalesce({_END}, 0)"),
        # Witnesses may answer late: of a smaller tree than the newest a checkpoint is kept too.
        _never("checkpoints_behind", "INSERT", "checkpoints", _BEYOND),
        _never("newest_behind", "INSERT", "newest", _BEYOND),
        _never(
            "newest_grows", "UPDATE", "newest", f"{_BEYOND} OR NEW.size < OLD.size OR NEW.cosigned IS NOT OLD.cosigned"
        ),
    )
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
CREATE TABLE IF NOT EXISTS log (one INTEGER PRIMARY KEY CHECK (one = 1), origin TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS records (
    place INTEGER PRIMARY KEY, lane TEXT NOT NULL, epoch INTEGER NOT NULL, seq INTEGER NOT NULL,
    decision_id TEXT NOT NULL UNIQUE, body BLOB NOT NULL, UNIQUE (lane, epoch, seq)
);
CREATE TABLE IF NOT EXISTS runs (
    lane TEXT NOT NULL, epoch INTEGER NOT NULL, first INTEGER NOT NULL, next INTEGER NOT NULL,
    after INTEGER GENERATED ALWAYS AS (nullif(first, 0)) STORED, signature BLOB,
    PRIMARY KEY (lane, epoch, first), UNIQUE (lane, epoch, next), CHECK (next > first),
    FOREIGN KEY (lane, epoch) REFERENCES lanes,
    FOREIGN KEY (lane, epoch, after) REFERENCES runs (lane, epoch, next)
);
CREATE INDEX IF NOT EXISTS runs_unsigned ON runs (lane, epoch, first) WHERE signature IS NULL;
CREATE TABLE IF NOT EXISTS refused (
    place INTEGER PRIMARY KEY, lane TEXT NOT NULL, epoch INTEGER NOT NULL, first INTEGER NOT NULL, next INTEGER NOT NULL,
    code TEXT NOT NULL, decision_id TEXT NOT NULL, signature BLOB NOT NULL
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
CREATE INDEX IF NOT EXISTS codes_idx ON codes (idx);
CREATE INDEX IF NOT EXISTS ranges_start ON ranges (start);
CREATE TABLE IF NOT EXISTS tiles (
    level INTEGER NOT NULL, number INTEGER NOT NULL, hashes BLOB NOT NULL, PRIMARY KEY (level, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS checkpoints (
    place INTEGER PRIMARY KEY, size INTEGER NOT NULL, at TEXT NOT NULL, note TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS newest (
    cosigned INTEGER PRIMARY KEY, size INTEGER NOT NULL, at TEXT NOT NULL, note TEXT NOT NULL, place INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS checkpoints_size ON checkpoints (size, place);
{_TRIGGERS}
{_INDEXES}
"""

NEW_ENTRY: Final = f"INSERT INTO entries (idx, {', '.join(ENTRY)})"

REFUSE: Final = (
    "INSERT INTO refused (lane, epoch, first, next, code, decision_id, signature) VALUES (?, ?, ?, ?, ?, ?, ?)"
)

JOINED: Final = "FROM entries e JOIN records r ON r.decision_id = e.decision_id"

UNSIGNED: Final = """
SELECT r.lane, r.epoch, r.first FROM runs r WHERE r.signature IS NULL AND r.first >= coalesce(
    (SELECT max(next) FROM ranges g WHERE g.lane = r.lane AND g.epoch = r.epoch), 0)
ORDER BY r.lane, r.epoch, r.first
"""
"""Runs that are not in the log yet and were never signed."""

WAITING: Final = """
WITH ends AS (
    SELECT l.lane, l.epoch,
        coalesce((SELECT max(next) FROM ranges g WHERE g.lane = l.lane AND g.epoch = l.epoch), 0) AS first,
        coalesce((SELECT max(next) FROM runs r WHERE r.lane = l.lane AND r.epoch = l.epoch), 0) AS end
    FROM lanes l
), signed AS (
    SELECT lane, epoch, first, coalesce((
        SELECT min(r.first) FROM runs r
        WHERE r.signature IS NULL AND r.lane = ends.lane AND r.epoch = ends.epoch AND r.first >= ends.first
    ), end) AS end FROM ends WHERE end > first
)
SELECT lane, epoch, first, end FROM signed WHERE end > first ORDER BY lane, epoch
"""
"""Which records of which lanes are not in the log yet; a lane ends before what was never signed."""
