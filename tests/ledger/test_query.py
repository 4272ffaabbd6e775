"""Questions of an auditor, on SQLite and on PostgreSQL."""

import pytest

from ledger.lane import LaneWriter
from ledger.query import Filter
from ledger.record import Record
from tests.support.strategies import ORIGIN, REPLICA, found, ruling, sequencer, uid, write


@pytest.fixture
def lane(store):
    return LaneWriter(store, ORIGIN, REPLICA)


class TestQuery:
    def test_by_column_code_and_time(self, store, lane):
        """
        Conditions narrow together, and the answer keeps the order of the log.
        """
        write(
            lane,
            ruling(uid(), "a"),
            ruling(uid(), "b", "denied"),
            ruling(uid(), "c", "denied", agent="OTHER", at="2026-03-02T00:00:00.000000Z"),
        )
        assert found(store) == []
        sequencer(store).run()
        assert found(store) == ["a", "b", "c"]
        assert found(store, outcome="denied") == ["b", "c"]
        assert found(store, outcome="denied", agent="RISK") == ["b"]
        assert found(store, code="JUR-001") == ["b", "c"]
        assert found(store, since="2026-03-02T00:00:00.000000Z") == ["c"]
        assert found(store, until="2026-03-02T00:00:00.000000Z") == ["a", "b"]
        assert found(store, tenant="other") == found(store, decision_id="not an id") == []

    def test_pages_neither_repeat_nor_miss(self, store, lane):
        """
        Following the cursor gives every record once, with its place, while new ones arrive.
        """
        write(lane, *(ruling(uid(), f"i{n}") for n in range(23)))
        sequencer(store).run()
        seen, indexes, after = [], [], 0
        while after is not None:
            page = store.query(Filter(after=after, limit=5))
            seen += [Record.decode(body).item.id for body in page.records]
            indexes += page.indexes
            after = page.next
            if len(seen) == 10:
                write(lane, *(ruling(uid(), f"i{n}") for n in range(23, 30)))
                sequencer(store).run()
        assert [f"i{n}" for n in range(30)] == seen
        assert list(range(30)) == indexes

    def test_counts(self, store, lane):
        """
        Records are counted by a column or code, and by time.
        """
        day = "2026-03-02T00:00:00.000000Z"
        write(lane, ruling(uid()), ruling(uid(), "b", "denied"), ruling(uid(), "c", "denied", at=day))
        sequencer(store).run()
        assert triples(store.series(Filter(), "outcome", None)) == [("denied", None, 2), ("released", None, 1)]
        assert triples(store.series(Filter(), "code", None)) == [("JUR-001", None, 2)]
        by_day = triples(store.series(Filter(outcome="denied"), "agent", "day"))
        assert by_day == [("RISK", "2026-03-01", 1), ("RISK", "2026-03-02", 1)]


def triples(series):
    return [(one.value, one.period, one.count) for one in series]
