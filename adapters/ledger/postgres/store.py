"""
Records in PostgreSQL: the store for several replicas.

Rules held here: a server that would lose acknowledged records is refused; one transaction per group of requests and one
per step of a sequencer; no statement of this role changes or removes a record.
"""

import uuid

from collections.abc import Iterator, Sequence
from typing import Any, Final

from adapters.ledger.postgres.migrate import require_current
from adapters.shared.postgres import Connection, Pool
from ledger.erasable import fresh_salt
from ledger.errors import LedgerUnavailableError
from ledger.query import Filter, Page, Series, order, project, search
from ledger.sql import ENTRY, NEWEST, codes_between, codes_by_index, count_by
from ledger.store import Entry, Erasure, Extension, Head, Person, Published, Run, Sealed, StoredRow
from ledger.tlog.checkpoint import Checkpoint
from ledger.tlog.merkle import leaf_hash

_MANY: Final = 1000
_APPEND: Final = """
WITH run AS (INSERT INTO runs (lane, epoch, first, next) VALUES ($1, $2, $3, $4)),
    kept AS (INSERT INTO asides SELECT * FROM unnest($8::uuid[], $9::text[], $10::bytea[]))
INSERT INTO records SELECT $1, $2, * FROM unnest($5::bigint[], $6::uuid[], $7::bytea[])
"""
"""A run of a lane: where it stands, its records, and their erasable sides."""

_WAITING: Final = """
SELECT l.lane, l.epoch, coalesce(g.next, 0) AS first, r.next AS end
FROM lanes l
CROSS JOIN LATERAL (SELECT max(next) AS next FROM runs r WHERE r.lane = l.lane AND r.epoch = l.epoch) r
CROSS JOIN LATERAL (SELECT max(next) AS next FROM ranges g WHERE g.lane = l.lane AND g.epoch = l.epoch) g
WHERE r.next > coalesce(g.next, 0) ORDER BY l.lane, l.epoch
"""


class PostgresStore:
    """A `ledger.store.Store` in a PostgreSQL database.  Safe to share between threads."""

    def __init__(self, url: str, *, frozen: bool = False) -> None:
        """
        Connect; *frozen* reads what is there now, whatever others write meanwhile.

        Raises:
            LedgerUnavailableError: the server does not answer, or the schema is another version's.

            UnsafeDurabilityError: the server would lose acknowledged records.
        """
        self._pool = Pool(url, frozen=frozen)
        try:
            self._pool.run(require_current)
        except BaseException:
            self._pool.close()
            raise

    # ── lanes ──
    def open_lane(self, replica: str) -> int:
        take = "INSERT INTO lanes SELECT $1, coalesce(max(epoch), 0) + 1 FROM lanes WHERE lane = $1 RETURNING epoch"
        return int(self._pool.transaction(lambda connection: connection.fetchval(take, replica)))

    def append(self, entries: Sequence[Entry], erasures: Sequence[Erasure] = ()) -> None:
        if not entries:
            return
        lane = entries[0].record.lane
        erasables = [e for e in entries if e.sealed]
        values = (
            *(lane.id, lane.epoch, lane.seq, lane.seq + len(entries)),
            [e.record.lane.seq for e in entries],
            [uuid.UUID(e.record.decision_id) for e in entries],
            [e.body for e in entries],
            [uuid.UUID(e.record.decision_id) for e in erasables],
            [e.record.subject for e in erasables],
            [e.sealed for e in erasables],
        )

        async def act(connection: Connection) -> None:
            await connection.execute(_APPEND, *values)
            for erasure in erasures:
                await _forget(connection, erasure)

        # One statement is one transaction, and one round trip.
        (self._pool.transaction if erasures else self._pool.run)(act)

    def stored(self, decision_ids: Sequence[str]) -> dict[str, bytes]:
        select = "SELECT decision_id, body FROM records WHERE decision_id = ANY($1::uuid[])"
        return {str(name): body for name, body in self._read(select, _uuids(decision_ids))}

    def heads(self) -> list[tuple[str, int, int, str]]:
        return [(lane, epoch, seq, self.leaf_at(lane, epoch, seq) or "") for lane, epoch, seq in self._read(NEWEST)]

    def leaf_at(self, lane: str, epoch: int, seq: int) -> str | None:
        rows = self._read("SELECT body FROM records WHERE lane = $1 AND epoch = $2 AND seq = $3", lane, epoch, seq)
        return leaf_hash(rows[0][0]).hex() if rows else None

    # ── persons ──
    def person(self, tenant: str, subject: str, new_key: bytes) -> Person:
        found = self.known_person(tenant, subject)
        if found is not None:
            return found
        make = "INSERT INTO subjects VALUES ($1, $2, $3, $4, $5) ON CONFLICT (tenant, subject) DO NOTHING"
        self._pool.transaction(lambda c: c.execute(make, tenant, subject, str(uuid.uuid4()), new_key, fresh_salt()))
        made = self.known_person(tenant, subject)
        if made is None:
            raise LedgerUnavailableError("the person was erased meanwhile")
        return made

    def known_person(self, tenant: str, subject: str) -> Person | None:
        rows = self._read("SELECT token, key, salt FROM subjects WHERE tenant = $1 AND subject = $2", tenant, subject)
        return Person(tenant, subject, *rows[0]) if rows else None

    def behind(self, tenant: str, tokens: Sequence[str]) -> dict[str, Person]:
        select = "SELECT subject, token, key, salt FROM subjects WHERE tenant = $1 AND token = ANY($2::text[])"
        rows = self._read(select, tenant, list(tokens))
        return {row[1]: Person(tenant, *row) for row in rows}

    def sealed(self, decision_ids: Sequence[str]) -> dict[str, Sealed]:
        select = (
            "SELECT a.decision_id, a.body, s.key FROM asides a JOIN subjects s ON s.token = a.token"
            " WHERE a.decision_id = ANY($1::uuid[])"
        )
        return {str(name): Sealed(body, key) for name, body, key in self._read(select, _uuids(decision_ids))}

    # ── the log ──
    step = 2048

    def head(self) -> Head:
        return Head(*self._read("SELECT size, root, edge FROM head")[0])

    def waiting(self, limit: int) -> list[Run]:
        select = (
            "SELECT body FROM records WHERE lane = $1 AND epoch = $2 AND seq >= $3 AND seq < $4 ORDER BY seq LIMIT $5"
        )
        runs: list[Run] = []
        for lane, epoch, first, end in self._read(_WAITING):
            bodies = self._read(select, lane, epoch, first, end, limit)
            runs += [Run(lane, epoch, first, tuple(body for (body,) in bodies))] if bodies else []
            limit -= len(bodies)
            if limit <= 0:
                break
        return runs

    def extend(self, step: Extension) -> bool:
        old, new = step.old, step.new
        swap = "UPDATE head SET size = $1, root = $2, edge = $3 WHERE size = $4 AND root = $5"
        entries = [
            (index, *(fields["lane"][name] for name in ("id", "epoch", "seq")), *project(fields).values())
            for index, fields in enumerate(step.records, old.size)
        ]
        # A set, since a record may name a code twice and COPY knows no "on conflict do nothing".
        codes = {(code, index) for index, fields in enumerate(step.records, old.size) for code in fields["codes"]}
        tiles = [(tile.level, tile.number, tile.hashes) for tile in step.tiles]

        async def act(connection: Connection) -> bool:
            swapped = await connection.execute(swap, new.size, new.root, new.edge, old.size, old.root)
            if swapped != "UPDATE 1":
                return False
            await _copy(connection, "entries", ("idx", *ENTRY), entries)
            await _copy(connection, "codes", ("code", "idx"), sorted(codes))
            await _copy(connection, "ranges", ("lane", "epoch", "first", "next", "start"), step.ranges())
            await _copy(connection, "tiles", ("level", "number", "hashes"), tiles)
            return True

        return self._pool.transaction(act)

    def publish(self, checkpoint: Checkpoint, at: str, note: str) -> None:
        insert = "INSERT INTO checkpoints (size, at, note) VALUES ($1, $2, $3)"
        self._pool.transaction(lambda connection: connection.execute(insert, checkpoint.size, at, note))

    def published(self) -> Published | None:
        rows = self._read("SELECT size, at, note FROM checkpoints ORDER BY size DESC, place DESC LIMIT 1")
        return Published(*rows[0]) if rows else None

    def checkpoints(self) -> Iterator[Published]:
        select, position = "SELECT place, size, at, note FROM checkpoints WHERE place > $1 ORDER BY place LIMIT $2", 0
        while rows := self._read(select, position, _MANY):
            yield from (Published(*row[1:]) for row in map(tuple, rows))
            position = rows[-1][0]

    def tile(self, level: int, number: int) -> bytes | None:
        rows = self._read("SELECT hashes FROM tiles WHERE level = $1 AND number = $2", level, number)
        return rows[0][0] if rows else None

    def entries(self, start: int, end: int) -> list[bytes]:
        rows = self._read("SELECT idx, decision_id FROM entries WHERE idx >= $1 AND idx < $2 ORDER BY idx", start, end)
        return [body for _, body in self._with_bodies(rows)]

    def index_of(self, decision_id: str) -> int | None:
        rows = self._read(
            "SELECT g.start + r.seq - g.first FROM records r JOIN ranges g ON g.lane = r.lane AND g.epoch = r.epoch"
            " AND g.first <= r.seq AND g.next > r.seq WHERE r.decision_id = ANY($1::uuid[])",
            _uuids([decision_id]),
        )
        return rows[0][0] if rows else None

    # ── questions ──
    def scan(self) -> Iterator[StoredRow]:
        select = f"SELECT idx, {', '.join(ENTRY)} FROM entries WHERE idx >= $1 ORDER BY idx LIMIT $2"  # noqa: S608 - constant
        whole = "SELECT decision_id, body, lane, epoch, seq FROM records WHERE decision_id = ANY($1::uuid[])"
        listed, cut = codes_between(_placeholder), 0
        while rows := self._read(select, cut, _MANY):
            codes = codes_by_index(self._read(listed, rows[0][0], rows[-1][0]))
            kept = {str(row[0]): row for row in self._read(whole, _uuids([row["decision_id"] for row in rows]))}
            for row in rows:
                record = kept.get(row["decision_id"])
                columns = {name: row[name] for name in ENTRY}
                if record is not None:
                    yield StoredRow(row["idx"], record[1], tuple(record[2:]), columns, codes.get(row["idx"], ()))
            cut = rows[-1][0] + 1

    def lanes(self) -> list[tuple[str, int]]:
        return [tuple(row) for row in self._read("SELECT lane, epoch FROM lanes ORDER BY 1, 2")]

    def runs(self) -> list[tuple[str, int, int, int]]:
        return [tuple(row) for row in self._read("SELECT lane, epoch, first, next FROM runs ORDER BY 1, 2, 3")]

    def ranges(self) -> list[tuple[str, int, int, int, int]]:
        select = "SELECT lane, epoch, first, next, start FROM ranges ORDER BY 1, 2, 3"
        return [tuple(row) for row in self._read(select)]

    def count(self) -> int:
        return int(self._read("SELECT count(*) FROM records")[0][0])

    def query(self, wanted: Filter) -> Page:
        source, values = search(wanted, _placeholder)
        select, by = f"SELECT e.idx, e.decision_id FROM {source}", order(wanted)  # noqa: S608 - constant names
        if (wanted.since or wanted.until) and by == "e.idx":
            # A fence, or the planner walks the whole log in its order to find a few seconds of it.
            select, by = f"SELECT * FROM ({select} OFFSET 0) AS within_time", "idx"  # noqa: S608 - constant names
        select = f"{select} ORDER BY {by} LIMIT {wanted.limit + 1}"
        return Page.of(self._with_bodies(self._read(select, *values)), wanted.limit)

    def series(self, wanted: Filter, by: str, period: str | None) -> list[Series]:
        select, values = count_by(wanted, by, period, _placeholder)
        return [Series(*row) for row in self._read(select, *values)]

    def close(self) -> None:
        self._pool.close()

    def _read(self, statement: str, *values: object) -> list[Any]:
        return self._pool.run(lambda connection: connection.fetch(statement, *values))

    def _with_bodies(self, rows: Sequence[Any]) -> list[tuple[int, bytes]]:
        """Indexes with the bytes of the records that the index says are there; those that are not are left out."""
        bodies = self.stored([name for _, name in rows])
        return [(index, bodies[name]) for index, name in rows if name in bodies]


def _placeholder(position: int) -> str:
    return f"${position}"


async def _copy(connection: Connection, table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
    if rows:
        await connection.copy_records_to_table(table, columns=columns, records=rows)


async def _forget(connection: Connection, erasure: Erasure) -> None:
    who = (erasure.tenant, erasure.subject)
    token = await connection.fetchval("SELECT token FROM subjects WHERE tenant = $1 AND subject = $2", *who)
    await connection.execute("DELETE FROM asides WHERE token = $1", token)
    await connection.execute("DELETE FROM subjects WHERE tenant = $1 AND subject = $2", *who)


def _uuids(texts: Sequence[str]) -> list[uuid.UUID]:
    """Those of the texts that are UUIDs, since no record has another id."""
    found = []
    for text in texts:
        try:
            found.append(uuid.UUID(text))
        except ValueError:
            continue
    return found
