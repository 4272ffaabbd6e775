"""
Records in PostgreSQL: the store for several replicas.

Rules held here: a server that would lose acknowledged records is refused, at the start and with every commit; one transaction
per group of requests and one per step of a sequencer; no statement of this role changes or removes a record; the log is written by
functions of the schema alone.
"""

import uuid

from collections.abc import Collection, Iterator, Sequence
from dataclasses import astuple
from typing import Any, Final

from adapters.ledger.postgres.log import EXTEND, UNSIGNED, claim_log, extension, read_batches, read_waiting
from adapters.ledger.postgres.migrate import require_current
from adapters.shared.postgres import DURABILITY, Connection, Pool, require_durable, require_logged
from ledger.checkpoints.kept import cosigned_at, is_kept
from ledger.erasable import fresh_salt
from ledger.errors import LedgerCorruptError, LedgerUnavailableError
from ledger.query import Filter, Page, Series, order, search
from ledger.sql import (
    BEFORE_ALL,
    ENTRY,
    KEPT_LAST,
    NEWEST,
    NEWEST_CHECKPOINTS,
    PUBLISHED,
    codes_between,
    codes_by_index,
    count_by,
    kept_after,
    ranges_after,
    runs_after,
)
from ledger.store import (
    Entry,
    Erasure,
    Extension,
    Head,
    Named,
    Person,
    Published,
    Run,
    Sealed,
    SetAside,
    StoredRow,
)
from ledger.tlog.checkpoint import Checkpoint
from ledger.tlog.merkle import leaf_hash

_MANY: Final = 1000
_APPEND: Final = f"""
WITH kept AS (INSERT INTO asides SELECT * FROM unnest($8::uuid[], $9::text[], $10::bytea[]))
SELECT ctxgate_append($1, $2, $3, $4, $5, $6, $7), {DURABILITY}
"""  # noqa: S608 - our own text
"""A run of a lane: where it stands, its records, and their erasable sides; and whether the commit of just this lasts."""


class PostgresStore:
    """A `ledger.store.Store` in a PostgreSQL database.  Safe to share between threads."""

    def __init__(self, url: str, *, frozen: bool = False, proof: bytes = b"", earlier: Sequence[bytes] = ()) -> None:
        """
        Connect.

        Args:
            url: of the database.
            frozen: whether to read what is there now, whatever others write meanwhile.
            proof: that whoever writes holds the log's key; the database believes the first that it is shown.
            earlier: of the keys before that one, which let it in where it is new.

        Raises:
            LedgerUnavailableError: the server does not answer, or the schema is another version's.

            UnsafeDurabilityError: the server would lose acknowledged records.
        """
        self._proof, self._earlier, self._admitted = proof, list(earlier), False
        self._pool = Pool(url, frozen=frozen)
        try:
            self._pool.run(require_current)
        except BaseException:
            self._pool.close()
            raise

    # ── lanes ──
    def open_lane(self, replica: str) -> int:
        return int(self._write("ctxgate_open_lane($1, $2)", replica))

    def _write(self, function: str, *values: object) -> Any:  # noqa: ANN401 - whatever the function answers
        """Call a function of the schema that moves the log on, with what proves that this process may."""
        if not self._admitted:
            admit = "SELECT ctxgate_admit($1, $2)"
            self._admitted = bool(self._pool.run(lambda c: c.fetchval(admit, self._proof, self._earlier)))
        if not self._admitted:
            raise LedgerUnavailableError("the database does not know the key that this process signs with")
        # One statement is one transaction, and one round trip.
        return self._pool.run(lambda c: c.fetchval(f"SELECT {function}", self._proof, *values))

    def append(self, entries: Sequence[Entry], erasures: Sequence[Erasure] = (), signature: bytes = b"") -> None:
        if not entries:
            return
        lane = entries[0].record.lane
        erasables = [e for e in entries if e.sealed]
        values = (
            *(self._proof, lane.id, lane.epoch, lane.seq, signature),
            [uuid.UUID(e.record.decision_id) for e in entries],
            [e.body for e in entries],
            [uuid.UUID(e.record.decision_id) for e in erasables],
            [e.record.subject for e in erasables],
            [e.sealed for e in erasables],
        )

        async def act(connection: Connection) -> None:
            require_durable(await connection.fetchrow(_APPEND, *values))
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

    def who(self, tenant: str, subject: str) -> Named | None:
        rows = self._read("SELECT token, salt FROM subjects WHERE tenant = $1 AND subject = $2", tenant, subject)
        return Named(tenant, subject, *rows[0]) if rows else None

    def named(self) -> Iterator[Named]:
        select, token = "SELECT tenant, subject, token, salt FROM subjects WHERE token > $1 ORDER BY token LIMIT $2", ""
        while rows := self._read(select, token, _MANY):
            yield from (Named(*row) for row in rows)
            token = rows[-1]["token"]

    def beside(self, decision_ids: Sequence[str]) -> dict[str, str]:
        select = "SELECT decision_id, token FROM asides WHERE decision_id = ANY($1::uuid[])"
        return {str(name): token for name, token in self._read(select, _uuids(decision_ids))}

    # ── the log ──
    step = 2048

    def claim(self, origin: str) -> str:
        return self._pool.transaction(lambda connection: claim_log(connection, origin))

    def head(self) -> Head:
        return Head(*self._read("SELECT size, root, edge FROM head")[0])

    def waiting(self, limit: int, without: Collection[tuple[str, int]] = ()) -> list[Run]:
        return read_waiting(self._read, limit, without)

    def batches(self, lane: str, epoch: int, first: int, end: int) -> list[Run]:
        return read_batches(self._read, lane, epoch, first, end)

    def unsigned(self) -> list[Run]:
        return [
            run for lane, epoch, first in self._read(UNSIGNED) for run in self.batches(lane, epoch, first, first + 1)
        ]

    def accept(self, run: Run, signature: bytes) -> None:
        self._write("ctxgate_accept($1, $2, $3, $4, $5)", run.lane, run.epoch, run.first, signature)

    def extend(self, step: Extension) -> bool:
        done = self._write(EXTEND, *extension(step))
        if done is None:
            raise LedgerCorruptError("the log", "something stands where it would go on")
        return bool(done)

    def rewind(self, found: Head, head: Head) -> bool:
        return bool(self._write("ctxgate_rewind($1, $2, $3, $4, $5, $6, $7)", *astuple(found), *astuple(head)))

    def refuse(self, refusals: Sequence[SetAside]) -> None:
        columns = map(list, zip(*map(astuple, refusals), strict=True))
        self._write("ctxgate_refuse($1, $2, $3, $4, $5, $6, $7, $8)", *columns)

    def refused(self, after: int = 0) -> list[tuple[int, SetAside]]:
        columns = "place, lane, epoch, first, next, code, decision_id, signature"
        rows = self._read(f"SELECT {columns} FROM refused WHERE place > $1 ORDER BY place", after)  # noqa: S608 - constant
        return [(row[0], SetAside(*row[1:])) for row in map(tuple, rows)]

    def discard(self, published: Published) -> None:
        self._write("ctxgate_discard($1, $2, $3)", published.size, published.note)

    def rulings(self, tenant: str, request_ids: Sequence[str], end: int) -> list[tuple[str, str, str, str | None]]:
        select = (
            "SELECT request_id, kind, decision_id, outcome FROM entries WHERE tenant = $1 AND request_id = ANY($2::text[])"
            " AND idx < $3 AND kind IN ('item.ruled', 'pack.sealed') ORDER BY idx"
        )
        return [tuple(row) for row in self._read(select, tenant, list(request_ids), end)]

    def publish(self, checkpoint: Checkpoint, at: str, note: str) -> bool:
        before = self.kept_last()
        # As often as a checkpoint is signed: no table may have been set to lose what the checkpoint covers.
        self._pool.run(require_logged)
        values = (checkpoint.size, at, note, len(cosigned_at(note)), is_kept(checkpoint.size, note, before))
        return bool(self._write("ctxgate_publish($1, $2, $3, $4, $5, $6)", *values))

    def published(self) -> Published | None:
        return next((Published(*row) for row in self._read(PUBLISHED)), None)

    def checkpoints(self) -> Iterator[Published]:
        cursor = (-1, 0)
        while rows := self._read(kept_after(_placeholder), *cursor, _MANY):
            yield from (Published(row["size"], row["at"], row["note"]) for row in rows)
            cursor = tuple(rows[-1][:2])

    def kept(self, after: tuple[int, int], limit: int) -> list[tuple[int, Published]]:
        rows = self._read(kept_after(_placeholder), *after, limit)
        return [(row["place"], Published(row["size"], row["at"], row["note"])) for row in rows]

    def kept_last(self) -> list[Published]:
        return [Published(*row) for row in self._read(KEPT_LAST)]

    def newest(self) -> list[Published]:
        return [Published(*row) for row in self._read(NEWEST_CHECKPOINTS)]

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
    def scan(self, start: int = 0) -> Iterator[StoredRow]:
        select = f"SELECT idx, {', '.join(ENTRY)} FROM entries WHERE idx >= $1 ORDER BY idx LIMIT $2"  # noqa: S608 - constant
        whole = "SELECT decision_id, body, lane, epoch, seq FROM records WHERE decision_id = ANY($1::uuid[])"
        listed, cut = codes_between(_placeholder), start
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

    def runs(self) -> Iterator[tuple[str, int, int, int]]:
        cursor = BEFORE_ALL
        while rows := [tuple(row) for row in self._read(runs_after(_placeholder), *cursor, _MANY)]:
            yield from rows
            cursor = rows[-1][:3]

    def ranges(self, start: int = 0) -> Iterator[tuple[str, int, int, int, int]]:
        cursor = (start, *BEFORE_ALL)
        while rows := [tuple(row) for row in self._read(ranges_after(_placeholder), *cursor, _MANY)]:
            yield from rows
            cursor = (rows[-1][4], *rows[-1][:3])

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
