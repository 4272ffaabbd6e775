"""Verification from storage, against an administrator who may change every column of every table."""

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from ledger.errors import LedgerCorruptError, LedgerUnavailableError, RollbackError
from ledger.lane import Submission
from ledger.pin import HeadPin, Pinned
from ledger.record import Draft, PackPart, Record
from ledger.sequencer import Sequencer
from ledger.sqlite.store import SqliteStore
from ledger.tlog.checkpoint import Checkpoint
from ledger.tlog.note import sign
from ledger.verify import verify
from tests.support.oracle import check_store
from tests.support.records import requests
from tests.support.strategies import AT, ORIGIN, keys, new_lane, ruling, sequencer, signer, uid, write_request
from tests.support.tampering import CASES, COLUMNS, RECORDS, changed, check, tamper


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
    pin = HeadPin(folder / "head.pin")
    pin.write(sequencer(store).run().note, lane.position)
    verified = check_store(store, ORIGIN, keys(), pin.read())
    store.close()
    assert len(outcomes) == verified.packs
    assert sum(map(len, outcomes)) + len(outcomes) == verified.records


@pytest.mark.parametrize("changes", [{"rulings": 2}, {"rulings_root": "1" * 64}, {"items": (uid(),)}])
def test_a_pack_that_leaves_out_a_ruling_is_found(tmp_path, changes):
    """
    A pack record must commit to exactly the rulings of its request, and pack only what they released.
    """
    store, lane = new_lane(tmp_path / "other.sqlite")
    write_request(lane, ["released"])
    sequencer(store).run()
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
    lane.commit([Submission([lying])])
    with pytest.raises(LedgerCorruptError, match=r"pack\.sealed"):
        verify(store, origin=ORIGIN, keys=keys())
    store.close()


def test_another_origin_is_found(tmp_path):
    """
    Records of another log do not verify as this one's.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    write_request(lane, ["released"])
    sequencer(store).run()
    with pytest.raises(LedgerCorruptError, match="another"):
        verify(store, origin="other.local/ledger", keys=keys())
    store.close()


def test_a_clock_that_goes_back_changes_no_order(tmp_path):
    """
    Records keep the order they were written in whatever the clock says, and by how much it went back is told.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    times = ["2026-03-01T09:15:00.000000Z", "2026-03-01T09:14:57.500000Z", "2031-01-01T00:00:00.000000Z", AT]
    for n, at in enumerate(times):
        lane.commit([Submission([ruling(uid(), f"i{n}", at=at)])])
        sequencer(store).run()
    assert [f"i{n}" for n in range(4)] == [Record.decode(row.body).item.id for row in store.scan()]
    assert check_store(store, ORIGIN, keys()).skew_seconds > 2.5
    store.close()


def test_the_untouched_copy_verifies(ledger):
    """
    What the tests above refuse is refused for what they changed.
    """
    path, pin = ledger
    assert check(SqliteStore(path), pin).records == RECORDS


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
    Sequencer(forged, ORIGIN, [impostor], lambda: [*keys(), Ed25519Verifier(impostor.key)]).run()
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
    with pytest.raises(LedgerCorruptError, match="another root"):
        check(SqliteStore(path), pin)
