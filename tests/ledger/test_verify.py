import shutil
import sqlite3

import pytest

from hypothesis import given, settings

from ledger.aside import Aside
from ledger.errors import LedgerCorruptError, RollbackError, UnsafeDurabilityError
from ledger.lane import Submission
from ledger.merkle import leaf_hash
from ledger.pin import HeadPin
from ledger.query import PROJECTED
from ledger.record import Draft, PackPart, Record
from ledger.sqlite import SqliteStore
from ledger.verify import verify
from tests.ledger.strategies import AT, ORIGIN, new_lane, requests, uid, write_request


def pinned(store, folder):
    pin = HeadPin(folder / "head.pin")
    pin.write(store)
    return pin.read()


@pytest.fixture
def ledger(tmp_path):
    """A ledger of two requests, closed, and its pin."""
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    write_request(lane, ["released", "denied", "released"])
    write_request(lane, ["denied"])
    pin = pinned(store, tmp_path)
    store.close()
    return tmp_path / "ledger.sqlite", pin


def tamper(path, *statements):
    """Do as a database administrator could: take the triggers away first."""
    with sqlite3.connect(path) as connection:
        connection.executescript("DROP TRIGGER records_keep; DROP TRIGGER records_stay;")
        for statement, values in statements:
            connection.execute(statement, values)
    connection.close()


def check(path, pin):
    store = SqliteStore(path)
    try:
        return verify(store, origin=ORIGIN, pin=pin)
    finally:
        store.close()


@settings(max_examples=15)
@given(requests)
def test_whole_ledger(tmp_path_factory, outcomes):
    """
    A ledger that nobody touched verifies against its own pin.
    """
    folder = tmp_path_factory.mktemp("ledger")
    store, lane = new_lane(folder / "ledger.sqlite")
    for request in outcomes:
        write_request(lane, request)
    verified = verify(store, origin=ORIGIN, pin=pinned(store, folder))
    store.close()
    assert len(outcomes) == verified.packs
    assert sum(map(len, outcomes)) + len(outcomes) == verified.records


def test_records_cannot_be_changed_by_accident(ledger):
    """
    The store itself refuses to update or delete a record.
    """
    path, _ = ledger
    with sqlite3.connect(path) as connection:
        for statement in ("UPDATE records SET outcome = 'released'", "DELETE FROM records"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("column", ["lane", "epoch", "seq", "leaf", "body", *PROJECTED])
def test_any_changed_column_is_found(ledger, column):
    """
    Whichever column of a record is changed, also one that only hides it from queries, it is found.
    """
    path, pin = ledger
    value = 77 if column in {"epoch", "seq"} else b"{}" if column == "body" else "changed"
    tamper(path, (f"UPDATE records SET {column} = ? WHERE position = 2", (value,)))
    with pytest.raises(LedgerCorruptError):
        check(path, pin)


@pytest.mark.parametrize("position", [1, 3, 6])
def test_any_deleted_record_is_found(ledger, position):
    """
    Deleting a record is found, wherever it stood; at the end by the pin.
    """
    path, pin = ledger
    tamper(path, ("DELETE FROM records WHERE position = ?", (position,)))
    with pytest.raises(LedgerCorruptError):
        check(path, pin)


def test_without_a_pin_a_cut_tail_is_not_found(ledger):
    """
    The chain alone does not show a cut tail, which is why the pin is kept elsewhere.
    """
    path, pin = ledger
    tamper(path, ("DELETE FROM records WHERE position >= 5", ()))
    assert check(path, {}).records == 4
    with pytest.raises(RollbackError):
        check(path, pin)


def test_swapped_records_are_found(ledger):
    """
    Two records cannot change places.
    """
    path, pin = ledger
    tamper(
        path,
        ("UPDATE records SET position = 99 WHERE position = 1", ()),
        ("UPDATE records SET position = 1 WHERE position = 2", ()),
        ("UPDATE records SET position = 2 WHERE position = 99", ()),
    )
    with pytest.raises(LedgerCorruptError):
        check(path, pin)


def test_a_flipped_and_rechained_decision_is_found(ledger):
    """
    Turning a refusal into consent and re-chaining everything after it is found by the pin.
    """
    path, pin = ledger
    store = SqliteStore(path)
    rows = [Record.decode(row.body) for row in store.scan()]
    store.close()
    forged, prev = [], "0" * 64
    for record in rows:
        changes = {"lane": record.lane.model_copy(update={"prev": prev})}
        if record.outcome == "denied":
            changes |= {"outcome": "released", "codes": ()}
        record = record.model_copy(update=changes)
        prev = leaf_hash(record.encode()).hex()
        forged.append((record.encode(), prev, record.outcome, record.lane.seq))
    tamper(
        path,
        *(("UPDATE records SET body = ?, leaf = ?, outcome = ? WHERE seq = ?", values) for values in forged),
    )
    with pytest.raises(LedgerCorruptError):
        check(path, pin)


@pytest.mark.parametrize("changes", [{"rulings": 2}, {"rulings_root": "1" * 64}, {"items": (uid(),)}])
def test_a_pack_that_leaves_out_a_ruling_is_found(tmp_path, changes):
    """
    A pack record must commit to exactly the rulings of its request, and pack only what they released.
    """
    store, lane = new_lane(tmp_path / "other.sqlite")
    write_request(lane, ["released"])
    rulings = [Record.decode(row.body) for row in store.scan()]
    part = {**dict(rulings[-1].pack), **changes}
    lying = Draft(
        kind="pack.sealed",
        decision_id=uid(),
        trace_id="t",
        request_id=rulings[0].request_id,
        tenant="gfm",
        at=AT,
        pack=PackPart(**part),
    )
    lane.commit([Submission([lying], [Aside()])])
    with pytest.raises(LedgerCorruptError, match=r"pack\.sealed"):
        verify(store, origin=ORIGIN, pin={})
    store.close()


def test_another_origin_is_found(ledger):
    """
    Records of another log do not verify as this one's.
    """
    path, pin = ledger
    store = SqliteStore(path)
    with pytest.raises(LedgerCorruptError, match="origin"):
        verify(store, origin="other.local/ledger", pin=pin)
    store.close()


def test_an_older_copy_is_refused_at_start(ledger, tmp_path):
    """
    Putting an older copy of the store back is seen before anything is written to it.
    """
    path, _ = ledger
    shutil.copy(path, tmp_path / "backup.sqlite")
    store, lane = new_lane(path)
    write_request(lane, ["released"])
    pin = HeadPin(tmp_path / "head.pin")
    pin.write(store)
    store.close()
    restored = SqliteStore(tmp_path / "backup.sqlite")
    with pytest.raises(RollbackError):
        pin.check(restored)
    restored.close()


def test_a_pin_that_is_not_a_pin_is_refused(tmp_path):
    """
    A damaged pin is an alarm, not an empty pin.
    """
    (tmp_path / "head.pin").write_text('{"lanes": 7}')
    with pytest.raises(LedgerCorruptError):
        HeadPin(tmp_path / "head.pin").read()


def test_unsafe_durability_is_refused(tmp_path, monkeypatch):
    """
    A store that would lose acknowledged records is not opened.
    """
    real = sqlite3.connect

    class Careless:
        def __init__(self, *args, **kwargs):
            self._connection = real(*args, **kwargs)

        def execute(self, statement, *args):
            return self._connection.execute(statement.replace("FULL", "OFF"), *args)

        def __getattr__(self, name):
            return getattr(self._connection, name)

    monkeypatch.setattr(sqlite3, "connect", Careless)
    with pytest.raises(UnsafeDurabilityError):
        SqliteStore(tmp_path / "ledger.sqlite")
