import os
import signal
import subprocess
import sys

from pathlib import Path

import pytest

from ledger.aside import Aside, fresh_salt
from ledger.errors import LedgerUnavailableError
from ledger.lane import Submission
from ledger.query import Filter
from ledger.record import Record
from ledger.sqlite import SqliteStore
from ledger.verify import verify
from tests.ledger.strategies import ORIGIN, new_lane, ruling, uid


@pytest.fixture
def lane(tmp_path):
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    yield lane
    store.close()


def write(lane, *drafts, asides=None):
    lane.commit([Submission(drafts, asides or [Aside()] * len(drafts))])


def found(store, **wanted):
    return [Record.decode(body).item.id for body in store.query(Filter(**wanted)).records]


class TestQuery:
    def test_by_column_code_and_time(self, lane):
        """
        Conditions narrow together, and the answer keeps the order of the ledger.
        """
        write(
            lane,
            ruling(uid(), "a"),
            ruling(uid(), "b", "denied"),
            ruling(uid(), "c", "denied", agent="OTHER", at="2026-03-02T00:00:00.000000Z"),
        )
        assert found(lane.store) == ["a", "b", "c"]
        assert found(lane.store, outcome="denied") == ["b", "c"]
        assert found(lane.store, outcome="denied", agent="RISK") == ["b"]
        assert found(lane.store, code="JUR-001") == ["b", "c"]
        assert found(lane.store, since="2026-03-02T00:00:00.000000Z") == ["c"]
        assert found(lane.store, until="2026-03-02T00:00:00.000000Z") == ["a", "b"]
        assert found(lane.store, tenant="other") == []

    def test_pages_neither_repeat_nor_miss(self, lane):
        """
        Following the cursor gives every record once.
        """
        write(lane, *(ruling(uid(), f"i{n}") for n in range(23)))
        seen, after = [], 0
        while after is not None:
            page = lane.store.query(Filter(after=after, limit=5))
            seen += [Record.decode(body).item.id for body in page.records]
            after = page.next
        assert [f"i{n}" for n in range(23)] == seen


def test_the_erasable_side_is_kept_aside(lane):
    """
    Salts and policy inputs come back by decision id, and are not in the record.
    """
    draft, aside = ruling(uid()), Aside(item_salt=fresh_salt(), input_salt=fresh_salt(), input=b"{}")
    write(lane, draft, asides=[aside])
    assert aside == lane.store.aside(draft.decision_id)
    assert lane.store.aside(uid()) is None


def test_a_subject_has_one_token_per_tenant(lane):
    """
    The token is stable, random, and different in every tenant.
    """
    token = lane.store.subject_token("gfm", "sarah.lim")
    assert token == lane.store.subject_token("gfm", "sarah.lim")
    assert token != lane.store.subject_token("other", "sarah.lim")
    assert "sarah" not in token


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
    assert found(lane.store) == ["before", "after"]
    verify(lane.store, origin=ORIGIN, pin={})


WRITER = """
import sys
from pathlib import Path
from ledger.aside import Aside
from ledger.lane import Submission
from tests.ledger.strategies import new_lane, ruling, uid
store, lane = new_lane(Path(sys.argv[1]))
while True:
    drafts = [ruling(uid(), f"i{n}") for n in range(5)]
    [written] = lane.commit([Submission(drafts, [Aside()] * 5)])
    for one in written:
        print(one.record.decision_id, flush=True)
"""


def kill_while_writing(path: Path, after: int) -> set[str]:
    """Start a writer, kill it with SIGKILL once it has acknowledged some records, and return those."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True, cwd=Path.cwd()
    )
    acknowledged = [process.stdout.readline().strip() for _ in range(after)]
    os.kill(process.pid, signal.SIGKILL)
    rest = process.stdout.read().split()
    process.wait()
    process.stdout.close()
    return {line for line in (*acknowledged, *rest) if len(line) == 36}


def kill_rounds(path: Path, rounds: int) -> None:
    acknowledged: set[str] = set()
    for turn in range(rounds):
        acknowledged |= kill_while_writing(path, 1 + turn % 17)
        store = SqliteStore(path)
        verify(store, origin=ORIGIN, pin={})
        stored = {Record.decode(row.body).decision_id for row in store.scan()}
        store.close()
        assert acknowledged <= stored


def test_kill_9_loses_nothing_acknowledged(tmp_path):
    """
    After SIGKILL in the middle of appends every acknowledged record is there and every lane is whole.
    """
    kill_rounds(tmp_path / "ledger.sqlite", 6)


@pytest.mark.soak
def test_200_kills_lose_nothing_acknowledged(tmp_path):
    """
    The same, 200 times on one ledger.
    """
    kill_rounds(tmp_path / "ledger.sqlite", 200)
