"""Questions to the ledger as SQL: assembled once, for both stores."""

import pytest

from ledger.query import COUNTED, PERIODS, Filter, search
from ledger.sql import codes_between, codes_by_index, count_by


def marked(position):
    return f"${position}"


class TestCountBy:
    @pytest.mark.parametrize("by", [column for column in COUNTED if column != "code"])
    def test_a_column_is_counted_where_it_stands(self, by):
        """
        A column of the entries is counted over what the filter finds, and nothing is joined to it.
        """
        wanted = Filter(outcome="denied", after=3)
        source, values = search(wanted, marked)
        assert count_by(wanted, by, None, marked) == (
            f"SELECT e.{by}, NULL, count(*) FROM {source} GROUP BY 1, 2 ORDER BY 2, 1",
            values,
        )

    @pytest.mark.parametrize(("period", "size"), PERIODS.items())
    def test_a_period_is_the_start_of_an_instant(self, period, size):
        """
        Entries are counted by as much of their instant as names the period.
        """
        select, _ = count_by(Filter(), "kind", period, marked)
        assert f"e.kind, substr(e.at, 1, {size}), count(*)" in select

    def test_codes_of_entries_with_a_code(self):
        """
        Who counts codes among the entries that have one code is told of the other codes of the same entries too.
        """
        select, values = count_by(Filter(code="JUR-001"), "code", None, marked)
        assert select.startswith(
            "SELECT k.code, NULL, count(*) FROM codes c CROSS JOIN entries e JOIN codes k ON k.idx = e.idx"
        )
        assert "c.code = $2" in select
        assert values == [0, "JUR-001", 0]


class TestCodes:
    def test_the_question_has_the_placeholders_of_its_store(self):
        """
        The first value is the first index, the second the last.
        """
        assert "idx >= $1 AND idx <= $2" in codes_between(marked)
        assert "idx >= ? AND idx <= ?" in codes_between(lambda _: "?")

    def test_each_entry_has_its_own(self):
        """
        Rows in the order of the log become the codes of each entry; one without a code is not there.
        """
        rows = [(4, "JUR-001"), (4, "PII-002"), (9, "JUR-001")]
        assert codes_by_index(rows) == {4: ("JUR-001", "PII-002"), 9: ("JUR-001",)}
        assert codes_by_index([]) == {}
