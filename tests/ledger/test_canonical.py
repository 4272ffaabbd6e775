import math

import pytest
import rfc8785

from hypothesis import given
from hypothesis import strategies as st

from ledger.canonical import MAX_RECORD_BYTES, encode_record, jcs
from ledger.errors import RecordInvalidError

text = st.text(st.characters(exclude_categories=["Cs"]))
scalars = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | text
profile = st.recursive(
    scalars,
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(max_codepoint=127)), inner),
    max_leaves=20,
)
anything = st.recursive(
    scalars | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner) | st.dictionaries(text, inner),
    max_leaves=20,
)


class TestEncodeRecord:
    @given(st.dictionaries(st.text(st.characters(max_codepoint=127)), profile))
    def test_is_jcs(self, fields):
        """
        Within the profile the bytes are those of RFC 8785, by an implementation that is not ours.
        """
        assert rfc8785.dumps(fields) == encode_record(fields)

    @pytest.mark.parametrize("value", [1.5, math.nan, 2**53, b"x", {"é": 1}, {1: 2}, {"a": {"b": [0.0]}}, "\ud800"])
    def test_outside_the_profile(self, value):
        """
        What the profile does not have is refused, never rounded or replaced.
        """
        with pytest.raises(RecordInvalidError):
            encode_record({"field": value})

    def test_too_large(self):
        """
        A record that would not fit in a log entry is refused.
        """
        with pytest.raises(RecordInvalidError):
            encode_record({"field": "x" * MAX_RECORD_BYTES})


class TestJcs:
    @given(anything)
    def test_any_document(self, value):
        """
        Any JSON document has the bytes that RFC 8785 gives it.
        """
        assert rfc8785.dumps(value) == jcs(value)

    @pytest.mark.parametrize(
        ("number", "expected"),
        [
            (0.0, "0"),
            (-0.0, "0"),
            (5e-324, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (9007199254740992.0, "9007199254740992"),
            (295147905179352830000.0, "295147905179352830000"),
            (9.999999999999997e22, "9.999999999999997e+22"),
            (1e23, "1e+23"),
            (999999999999999700000.0, "999999999999999700000"),
            (1e21, "1e+21"),
            (9.999999999999997e-7, "9.999999999999997e-7"),
            (0.000001, "0.000001"),
            (333333333.3333332, "333333333.3333332"),
            (-0.0000033333333333333333, "-0.0000033333333333333333"),
        ],
    )
    def test_numbers_of_the_rfc(self, number, expected):
        """
        The numbers of RFC 8785 appendix B read as printed there.
        """
        assert expected.encode() == jcs(number)

    @pytest.mark.parametrize("value", [math.nan, math.inf, 2**53, object()])
    def test_refused(self, value):
        """
        What JSON cannot carry exactly is refused.
        """
        with pytest.raises(ValueError, match=r"finite|integer|JSON"):
            jcs(value)
