"""Questions of an auditor, on SQLite and on PostgreSQL."""

import re

import pytest

from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from ledger.lane import LaneWriter
from ledger.query import PROJECTED, Filter, Page, order, project, search
from ledger.record import Record, parse_record
from tests.support.records import RECORD
from tests.support.strategies import ORIGIN, REPLICA, found, ruling, sequencer, signer, uid, write


@pytest.fixture
def lane(store):
    return LaneWriter(store, ORIGIN, REPLICA, signer())


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


def marked(**wanted):
    """A filter as SQL, and what fills its places."""
    return search(Filter(**wanted), lambda position: f"${position}")


class TestFilter:
    @pytest.mark.parametrize(
        "wanted",
        [
            {"limit": 0},
            {"limit": 1001},
            {"after": -1},
            {"since": "2026-03-01"},
            {"colour": "x"},
            {"tenant": "a\x00b"},
            {"code": "x" * 301},
        ],
    )
    def test_what_is_no_question(self, wanted):
        """
        A page without end, an instant of another form, a condition that there is not: refused before any SQL is made.
        """
        with pytest.raises(ValidationError):
            Filter(**wanted)

    def test_values_are_never_part_of_the_statement(self):
        """
        Whatever is asked for stands in a place of its own, each place used once and in order.
        """
        hostile = "'; DROP TABLE entries; --"
        wanted = dict.fromkeys(("tenant", "kind", "decision_id", "item_id", "agent", "code"), hostile)
        source, values = marked(**wanted, since="2026-03-01T00:00:00.000000Z", after=7)
        assert hostile not in source
        assert re.findall(r"\$\d+", source) == [f"${n}" for n in range(1, len(values) + 1)]
        assert values.count(hostile) == 6

    def test_a_code_is_looked_up_the_shorter_way(self):
        """
        A code alone is looked up first; beside a condition that few entries meet it is looked up for each of those.
        """
        assert marked(code="JUR-001")[0].startswith("codes c CROSS JOIN entries e")
        assert order(Filter(code="JUR-001")) == "c.idx"
        assert marked(code="JUR-001", request_id="r")[0].startswith("entries e WHERE")
        assert order(Filter(code="JUR-001", request_id="r")) == order(Filter()) == "e.idx"


class TestPages:
    @given(st.lists(st.binary(max_size=2), max_size=12), st.integers(1, 5))
    def test_a_cursor_passes_over_what_was_given(self, bodies, limit):
        """
        Pages cut from rows with one more than the limit give each row once, and end.
        """
        rows, seen, after = list(enumerate(bodies)), [], 0
        while after is not None:
            page = Page.of([row for row in rows if row[0] >= after][: limit + 1], limit)
            assert len(page.records) <= limit
            seen += zip(page.indexes, page.records, strict=True)
            after = page.next
        assert seen == rows


def test_what_is_looked_for_is_what_the_record_says():
    """
    The index columns come from the record alone, in the order of the tables; what a record lacks is null.
    """
    columns = project(parse_record(RECORD.encode()))
    assert tuple(columns) == PROJECTED
    assert (columns["kind"], columns["item_id"], columns["outcome"]) == ("item.ruled", "doc-1", "released")
    assert (columns["source_id"], columns["pack_id"], columns["policy_revision"]) == (None, None, None)
