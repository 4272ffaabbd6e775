"""What a report says before it has a form, and as JSON."""

import json

import pytest

from gateway.reporting.document import as_document, shown, table, visible
from tests.support.reports import HOSTILE, sample


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, "—"), ("", "—"), ((), "—"), (True, "yes"), (False, "no"), (1234567, "1,234,567"), (("a", "b"), "a, b")],
)
def test_how_values_are_read(value, expected):
    """
    Somebody who reads a report sees what is missing as missing, and large figures in groups.
    """
    assert expected == shown(value)


def test_what_nobody_sees_has_a_name():
    """
    Nothing in a name hides or reorders what stands beside it, and writing that people read stays as it is.
    """
    assert visible("a\u202eb\x00\n\u200b\ud800") == r"a\u202eb\x00\n\u200b\ud800"
    assert visible("Łódź 陈大文 Müller’s") == "Łódź 陈大文 Müller’s"


def test_a_table_that_is_cut_says_so():
    """
    Of a table that is longer than people read the rows that there are remain known.
    """
    made = table("t", "T", {"n": "N"}, ((one,) for one in range(10)), listed=3)
    assert made.rows == ((0,), (1,), (2,))
    assert made.total == 10
    assert table("t", "T", {"n": "N"}, [(1,)], total=7).total == 7


def test_json_has_everything_as_it_is():
    """
    A program finds each fact and each row by names, unchanged.
    """
    document = json.loads(json.dumps(as_document(sample(*HOSTILE))))
    assert document["format"] == "ctxgate.report/1"
    assert document["things"]["f0"] == HOSTILE[0]
    assert document["rows"]["total"] == len(HOSTILE)
    assert document["rows"]["rows"][1] == {
        "name": HOSTILE[1],
        "count": 1,
        "flag": False,
        "codes": [HOSTILE[1], "x"],
        "gone": None,
    }
    assert document["lines"] == list(HOSTILE)
