import pytest

from ledger.errors import LedgerUnavailableError
from ledger.lane import Submission
from ledger.query import Filter
from ledger.record import Record
from ledger.sqlite.store import SqliteStore
from tests.support.oracle import check_store
from tests.support.strategies import ORIGIN, keys, new_lane, ruling, sequencer, uid


@pytest.fixture
def lane(tmp_path):
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    yield lane
    store.close()


def write(lane, *drafts):
    lane.commit([Submission(drafts)])


def found(store, **wanted):
    return [Record.decode(body).item.id for body in store.query(Filter(**wanted)).records]


def test_a_file_that_is_not_a_ledger_is_refused(tmp_path):
    """
    The store does not write over something else.
    """
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(LedgerUnavailableError):
        SqliteStore(path)


def test_a_full_disk_is_an_error_and_nothing_is_half_written(lane):
    """
    When space runs out the whole group is refused; when it returns, writing goes on.
    """
    write(lane, ruling(uid(), "before"))
    connection = lane.store._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    with pytest.raises(LedgerUnavailableError):
        write(lane, *(ruling(uid(), f"big{n}", codes=("X" * 200,)) for n in range(200)))
    connection.execute("PRAGMA max_page_count = 1000000")
    write(lane, ruling(uid(), "after"))
    sequencer(lane.store).run()
    assert found(lane.store) == ["before", "after"]
    assert check_store(lane.store, ORIGIN, keys()).records == 2
