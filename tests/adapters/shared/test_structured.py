"""What a foreign system answered, as content."""

import pytest

from adapters.shared.structured import structured, structured_value, values_in
from gateway.errors import SourceMalformedError, SourceTooLargeError


class TestStructured:
    def test_an_object_keeps_its_order(self):
        """
        Content is what was answered, member by member in its own order, and its size is known.
        """
        content, size = structured_value({"b": 1.5, "a": ["ä", None]}, most_bytes=100, source="s")
        assert list(content.items()) == [("b", 1.5), ("a", ["ä", None])]
        assert size == len('{"b":1.5,"a":["ä",null]}'.encode())

    @pytest.mark.parametrize(
        "value",
        [
            [],
            "text",
            {"a": float("nan")},
            {"a": 2**60},
            {"a": "\ud800"},
            {"a": {1}},
            {"a": [[[]] * 2] * 2, "b": float("inf")},
        ],
    )
    def test_what_has_no_canonical_form_is_refused(self, value):
        """
        Nothing is taken that could not be put on record, and nothing but an object.
        """
        with pytest.raises(SourceMalformedError):
            structured_value(value, most_bytes=1_000, source="s")

    def test_nesting_is_bounded(self):
        """
        Depth that would end a recursion is refused, whoever parsed it.
        """
        deep = {}
        for _ in range(100_000):
            deep = {"a": deep}
        with pytest.raises(SourceMalformedError):
            structured_value(deep, most_bytes=10_000_000, source="s")
        while deep:  # so that freeing it is not recursive either
            deep = deep["a"]

    @pytest.mark.parametrize("body", [b'{"a":"%s"}' % (b"x" * 100), b'{"a":[%s]}' % b",".join([b"1"] * 30_000)])
    def test_size_is_bounded(self, body):
        """
        Too many bytes, and too many values, have an error of their own.
        """
        with pytest.raises(SourceTooLargeError):
            structured(body, most_bytes=100 if b"x" in body else 1_000_000, source="s")

    def test_keys_are_distinct(self):
        """
        An object that names one key twice means two things, so nothing.
        """
        with pytest.raises(SourceMalformedError):
            structured(b'{"a":1,"a":2}', most_bytes=100, source="s")


class TestValuesIn:
    def test_counting_ends_where_it_is_known(self):
        """
        Objects and arrays count with what is in them, and no further than the limit.
        """
        assert values_in({"a": [1, 2], "b": {}}, 100) == 5
        assert values_in([0] * 1_000, 10) == 11
