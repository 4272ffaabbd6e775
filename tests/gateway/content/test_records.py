"""Which contents are records, and how the names of their members are read."""

import pytest

from gateway.content.records import record, worded


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ({"a": 1}, {"a": 1}),
        ([1], [1]),
        (' {"a": 1}', {"a": 1}),
        ("[1]", [1]),
        ("{not JSON", None),
        ("plain", None),
        ("[" * 100_000, None),
    ],
)
def test_what_is_a_record(content, expected):
    """
    A JSON value is a record, and so is a text that spells an object or a list; any other text is none, however deep it nests.
    """
    assert record(content) == expected


def test_names_as_words():
    """
    Names in both customary spellings are read as words.
    """
    assert worded("dueDate") == "due Date"
    assert worded("due_date") == "due date"
