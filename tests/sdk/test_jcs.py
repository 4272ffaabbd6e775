"""Canonical JSON of the package for sources: the same bytes as the gateway's and as another author's."""

import struct

import pytest
import rfc8785

from hypothesis import given
from hypothesis import strategies as st

from ctxgate_source import canonical
from ledger.canonical import jcs

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_three_authors_agree(value):
    """
    Any JSON value has one form: of this package, of the gateway, and of the package `rfc8785`.
    """
    assert canonical(value) == jcs(value) == rfc8785.dumps(value)


@given(st.integers(0, 2**64 - 1))
def test_any_double(bits):
    """
    Every finite double, drawn by its bits, is written as the others write it.
    """
    [value] = struct.unpack(">d", bits.to_bytes(8, "big"))
    if value - value == 0:
        assert canonical(value) == jcs(value) == rfc8785.dumps(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (1.5e-9, "1.5e-9"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        ({"\U0001f600": 1, "\ufb33": 2}, '{"\U0001f600":1,"\ufb33":2}'),
        ("\u2028\x7f\x1f/", '"\u2028\x7f\\u001f/"'),
    ],
)
def test_what_is_written_otherwise_elsewhere(value, text):
    """
    Numbers as ECMAScript prints them, members by UTF-16 code units, and no escapes but those that must be.
    """
    assert canonical(value).decode() == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53, {1: 2}, {"a": b"b"}, object(), "\ud800", {1, 2}])
def test_what_is_not_json(value):
    """
    What is not JSON, or would not be the same for every reader, has no form.
    """
    with pytest.raises(ValueError):
        canonical(value)
