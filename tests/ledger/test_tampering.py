"""An administrator of the database against the verifier: every column of every table, on both stores."""

import shutil
import sqlite3

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer
from adapters.ledger.postgres.store import PostgresStore
from ledger.errors import LedgerCorruptError, LedgerUnavailableError, RollbackError
from ledger.lane import LaneWriter, Submission
from ledger.pin import HeadPin, Pinned
from ledger.query import PROJECTED
from ledger.record import Record
from ledger.sequencer import Sequencer
from ledger.sqlite.store import SqliteStore
from ledger.tlog.checkpoint import Checkpoint
from ledger.tlog.note import sign
from ledger.verify import verify
from tests.support.strategies import ORIGIN, REPLICA, keys, new_lane, ruling, sequencer, signer, uid, write_request

COLUMNS = {
    "records": ("lane", "epoch", "seq", "decision_id", "body"),
    "runs": ("lane", "epoch", "first", "next"),
    "lanes": ("lane", "epoch"),
    "entries": ("idx", "lane", "epoch", "seq", *PROJECTED),
    "codes": ("code", "idx"),
    "ranges": ("lane", "epoch", "first", "next", "start"),
    "tiles": ("level", "number", "hashes"),
    "head": ("size", "root", "edge"),
    "checkpoints": ("size", "note"),
}
"""Everything that is proved.  Not here: when a lane was opened and a checkpoint kept, which prove nothing and are not
shown as proved; and the erasable tables, whose every change makes a commitment fail or counts as erased."""

NUMBERS = {"epoch", "seq", "first", "next", "idx", "start", "level", "number", "size"}
BYTES = {"body", "hashes", "root", "edge"}
CASES = [(table, column) for table, columns in COLUMNS.items() for column in columns]


def fill(store):
    """A log of two requests, more than one tile long, under two checkpoints."""
    lane = LaneWriter(store, ORIGIN, REPLICA)
    write_request(lane, ["released", "denied", "released"])
    sequencer(store).run()
    write_request(lane, ["denied", "released"] * 140)
    published = sequencer(store).run()
    return Pinned(published.note, lane.position)


def check(store, pin):
    try:
        return verify(store, origin=ORIGIN, pin=pin, keys=keys())
    finally:
        store.close()


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    path = tmp_path_factory.mktemp("original") / "ledger.sqlite"
    store = SqliteStore(path)
    pin = fill(store)
    store.close()
    return path, pin


@pytest.fixture
def ledger(original, tmp_path):
    """A copy of the ledger that may be spoiled, and its pin."""
    path, pin = original
    shutil.copy(path, tmp_path / "ledger.sqlite")
    return tmp_path / "ledger.sqlite", pin


def tamper(path, *statements):
    """Do as a database administrator could: take the triggers away first."""
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        for statement, *values in statements:
            connection.execute(statement, values)
    connection.close()


def changed(column, quote):
    """Another value for a column, as SQL: one that a store would take."""
    if column == "level":
        return "level + 7"
    if column in NUMBERS:
        return f"{column} + 70000"
    if column in BYTES:
        return quote
    return "'00000000-0000-4000-8000-00000000ffff'" if column in {"lane", "decision_id"} else "'changed'"


@pytest.mark.parametrize(("table", "column"), CASES)
def test_any_changed_column_is_found(ledger, table, column):
    """
    Whichever column of whichever table is changed, also one that only hides a record from queries, it is found.
    """
    path, pin = ledger
    value = changed(column, "zeroblob(8192)" if column == "hashes" else "x'7b7d'")
    tamper(
        path,
        (f"UPDATE {table} SET {column} = {value} WHERE rowid = (SELECT max(rowid) FROM {table})",)
        if table in {"records", "runs", "entries", "checkpoints", "head"}
        else (f"UPDATE {table} SET {column} = {value} WHERE {column} = (SELECT {column} FROM {table} LIMIT 1)",),
    )
    with pytest.raises((LedgerCorruptError, LedgerUnavailableError)):
        check(SqliteStore(path), pin)


@pytest.mark.parametrize("table", sorted(COLUMNS))
def test_any_emptied_table_is_found(ledger, table):
    """
    Deleting the rows of any table is found.
    """
    path, pin = ledger
    tamper(path, (f"DELETE FROM {table}",))
    with pytest.raises((LedgerCorruptError, LedgerUnavailableError, IndexError)):
        check(SqliteStore(path), pin)


@pytest.mark.parametrize("table", ["records", "entries"])
@pytest.mark.parametrize("row", [1, 150, 283])
def test_any_deleted_row_is_found(ledger, table, row):
    """
    Deleting one record, or hiding it from the log, is found wherever it stood.
    """
    path, pin = ledger
    tamper(path, (f"DELETE FROM {table} WHERE rowid = ?", row))
    with pytest.raises(LedgerCorruptError):
        check(SqliteStore(path), pin)


def test_an_inserted_record_is_found(ledger):
    """
    A record that no writer wrote is found, also when it stands outside the log.
    """
    path, pin = ledger
    columns = "lane, epoch, seq, decision_id, body"
    forged = f"INSERT INTO records ({columns}) SELECT lane, epoch, 90000, ?, body FROM records WHERE place = 1"
    tamper(path, (forged, uid()))
    with pytest.raises(LedgerCorruptError):
        check(SqliteStore(path), pin)


def test_swapped_entries_are_found(ledger):
    """
    Two records cannot change places in the log.
    """
    path, pin = ledger
    tamper(
        path,
        ("UPDATE entries SET idx = 9999 WHERE idx = 1",),
        ("UPDATE entries SET idx = 1 WHERE idx = 2",),
        ("UPDATE entries SET idx = 2 WHERE idx = 9999",),
    )
    with pytest.raises(LedgerCorruptError):
        check(SqliteStore(path), pin)


def rewritten(path, folder, change):
    """The whole ledger made anew by one who holds the database and the code, but not the key and not the pin."""
    store = SqliteStore(path)
    bodies = [row.body for row in store.scan()]
    store.close()
    forged, lane = new_lane(folder / "forged.sqlite")
    for body in bodies:
        record = Record.decode(body)
        draft = record.model_dump(exclude={"schema_", "origin", "lane", "gateway"})
        lane.commit([Submission([type(record).__bases__[0](**{**draft, **change(record)})])])
    return forged


def flip(record):
    return {"outcome": "released", "codes": ()} if record.outcome == "denied" else {}


def test_a_rewritten_ledger_is_found_by_the_key(ledger, tmp_path):
    """
    Turning refusals into consent and making everything anew takes the log's key.
    """
    path, _ = ledger
    forged = rewritten(path, tmp_path, flip)
    impostor = Ed25519Signer(ORIGIN, Ed25519PrivateKey.generate())
    Sequencer(forged, ORIGIN, [impostor]).run()
    with pytest.raises(LedgerCorruptError, match="sign"):
        verify(forged, origin=ORIGIN, keys=keys())
    forged.close()


def test_a_rewritten_ledger_is_found_by_the_pin(ledger, tmp_path):
    """
    With the key too, what was seen before shows it.
    """
    path, pin = ledger
    forged = rewritten(path, tmp_path, flip)
    sequencer(forged).run()
    with pytest.raises(RollbackError):
        verify(forged, origin=ORIGIN, pin=Pinned(pin.checkpoint), keys=keys())
    forged.close()


def test_a_cut_tail_is_found(original, tmp_path):
    """
    Dropping the last records with the head that counted them is found by the pin, and by nothing else.
    """
    _, pin = original
    store, lane = new_lane(tmp_path / "short.sqlite")
    write_request(lane, ["released", "denied", "released"])
    sequencer(store).run()
    assert verify(store, origin=ORIGIN, keys=keys()).records == 4
    with pytest.raises(RollbackError):
        verify(store, origin=ORIGIN, pin=pin, keys=keys())
    store.close()


def test_a_replaced_checkpoint_is_found(ledger):
    """
    A checkpoint of the same size with another root is found even if the key signed it.
    """
    path, pin = ledger
    store = SqliteStore(path)
    head = store.head()
    store.close()
    lie = sign(str(Checkpoint(ORIGIN, head.size, bytes(32))), [signer()])
    tamper(path, ("INSERT INTO checkpoints (size, at, note) VALUES (?, '', ?)", head.size, lie))
    with pytest.raises(LedgerCorruptError, match="two"):
        check(SqliteStore(path), pin)


def test_an_older_copy_is_refused_at_start(ledger, tmp_path):
    """
    Putting an older copy of the store back is seen before anything is written to it.
    """
    path, _ = ledger
    shutil.copy(path, tmp_path / "backup.sqlite")
    store = SqliteStore(path)
    lane = LaneWriter(store, ORIGIN, REPLICA)
    write_request(lane, ["released"])
    pin = HeadPin(tmp_path / "head.pin")
    pin.write(sequencer(store).run().note, lane.position)
    store.close()
    restored = SqliteStore(tmp_path / "backup.sqlite")
    with pytest.raises(RollbackError):
        pin.check(restored)
    restored.close()


@pytest.mark.parametrize("spoil", ["deleted", "cut", "flipped", "older"])
def test_a_spoiled_write_ahead_log(tmp_path, spoil):
    """
    Losing what is in the write-ahead log, in whole or in part, is an alarm of the pin at the next start.
    """
    path, pin = tmp_path / "ledger.sqlite", HeadPin(tmp_path / "head.pin")
    store, lane = new_lane(path)
    store._connection.execute("PRAGMA wal_autocheckpoint=0")
    write_request(lane, ["released"])
    older = (tmp_path / "ledger.sqlite-wal").read_bytes()
    for _ in range(20):
        write_request(lane, ["released", "denied"])
    pin.write(sequencer(store).run().note, lane.position)
    whole = (tmp_path / "ledger.sqlite-wal").read_bytes()
    copy = tmp_path / "crashed"
    copy.mkdir()
    shutil.copy(path, copy / "ledger.sqlite")
    half = len(whole) // 2
    left = {
        "deleted": None,
        "cut": whole[:half],
        "flipped": whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1 :],
        "older": older,
    }[spoil]
    if left is not None:
        (copy / "ledger.sqlite-wal").write_bytes(left)
    store.close()
    with pytest.raises((RollbackError, LedgerUnavailableError)):
        pin.check(SqliteStore(copy / "ledger.sqlite"))


def test_records_cannot_be_changed_by_accident(ledger):
    """
    The store itself refuses to update or delete what was written.
    """
    path, _ = ledger
    with sqlite3.connect(path) as connection:
        for table in COLUMNS.keys() - {"head", "lanes"}:
            for statement in (f"UPDATE {table} SET {COLUMNS[table][0]} = 1", f"DELETE FROM {table}"):
                with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                    connection.execute(statement)
    connection.close()


@pytest.fixture(scope="module")
def original_in_postgres(postgres):
    name = postgres.new_ledger()
    store = PostgresStore(postgres.url(name, "gateway"))
    pin = fill(store)
    store.close()
    return name, pin


@pytest.fixture
def copy(original_in_postgres, postgres):
    """A copy of the ledger that may be spoiled, and its pin."""
    name, pin = original_in_postgres
    other = f"copy_{uid().replace('-', '')}"
    postgres.sql("postgres", f"CREATE DATABASE {other} TEMPLATE {name}")
    yield other, pin
    postgres.sql("postgres", f"DROP DATABASE {other} WITH (FORCE)")


class TestPostgres:
    @pytest.mark.parametrize(("table", "column"), CASES)
    def test_any_changed_column_is_found(self, copy, postgres, table, column):
        """
        The same in PostgreSQL, by the owner of the database with its constraints switched off.
        """
        name, pin = copy
        value = changed(column, "decode(repeat('00', 8192), 'hex')" if column == "hashes" else "'{}'::bytea")
        postgres.sql(
            name,
            "SET session_replication_role = replica; ALTER TABLE runs DROP CONSTRAINT runs_check;"
            f" UPDATE {table} SET {column} = {value} WHERE ctid = (SELECT ctid FROM {table} LIMIT 1)"
            f" AND tableoid = (SELECT tableoid FROM {table} LIMIT 1)",
        )
        with pytest.raises((LedgerCorruptError, LedgerUnavailableError)):
            check(PostgresStore(postgres.url(name, "gateway")), pin)

    def test_the_untouched_copy_verifies(self, copy, postgres):
        """
        What the tests above refuse is refused for what they changed.
        """
        name, pin = copy
        assert check(PostgresStore(postgres.url(name, "gateway")), pin).records == 285

    @pytest.mark.parametrize("table", sorted(COLUMNS))
    def test_the_gateway_cannot_change_what_it_wrote(self, original_in_postgres, postgres, table):
        """
        The gateway's role may insert and read; of updates it has the one row of the head alone.
        """
        name, _ = original_in_postgres
        statements = [f"DELETE FROM {table}", f"TRUNCATE {table}"]
        if table != "head":
            statements.append(f"UPDATE {table} SET {COLUMNS[table][0]} = {COLUMNS[table][0]}")
        for statement in (*statements, "DELETE FROM asides", "DELETE FROM subjects", "UPDATE asides SET body = body"):
            with pytest.raises(RuntimeError, match="permission denied"):
                postgres.sql(name, statement, role="gateway")

    def test_an_auditor_reads_and_no_more(self, original_in_postgres, postgres):
        """
        The auditor's role reads the log, and neither writes nor sees who stands behind tokens.
        """
        name, _ = original_in_postgres
        assert postgres.sql(name, "SELECT count(*) FROM entries", role="auditor").strip() == "285"
        for statement in ("SELECT * FROM subjects", "SELECT * FROM asides", "INSERT INTO lanes VALUES ('x', 1)"):
            with pytest.raises(RuntimeError, match="permission denied"):
                postgres.sql(name, statement, role="auditor")


def test_the_untouched_copy_verifies(ledger):
    """
    What the tests above refuse is refused for what they changed.
    """
    path, pin = ledger
    assert check(SqliteStore(path), pin).records == 285


def test_a_record_outside_the_log_must_follow_its_lane(tmp_path):
    """
    The sequencer does not put into the log what was slipped in behind its back.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    lane.commit([Submission([ruling(uid())])])
    sequencer(store).run()
    lane.commit([Submission([ruling(uid())])])
    store.close()
    tamper(
        tmp_path / "ledger.sqlite",
        (
            "UPDATE records SET body = CAST(replace(CAST(body AS TEXT), 'released', 'redacted') AS BLOB) WHERE place = 2",
        ),
    )
    store = SqliteStore(tmp_path / "ledger.sqlite")
    with pytest.raises(LedgerCorruptError):
        verify(store, origin=ORIGIN, pin=Pinned(None, lane.position), keys=keys())
    with pytest.raises(LedgerCorruptError):
        sequencer(store).run()
    assert store.head().size == 1
    store.close()
