"""Identifiers: a form, a check, and borders."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from adapters.screening.presidio.recognizers.identifier import (
    LIKELY,
    WEAK,
    IdentifierRecognizer,
    compact,
    digits_of,
    luhn,
    weighted,
)
from tests.support.recognizing import found
from tests.support.screening import pii


def test_luhn():
    """
    4111 1111 1111 1111 passes, its neighbour does not.
    """
    assert luhn("4111111111111111")
    assert not luhn("4111111111111112")


@given(st.text("0123456789", min_size=1, max_size=18))
def test_one_last_digit_in_ten_passes(digits):
    """
    Whatever the digits before it, exactly one last digit passes the Luhn check.
    """
    assert sum(luhn(f"{digits}{last}") for last in range(10)) == 1


@given(st.text("0123456789", min_size=2, max_size=18), st.data())
def test_a_single_wrong_digit_is_seen(digits, data):
    """
    The Luhn check finds every change of one digit.
    """
    [whole] = [f"{digits}{last}" for last in range(10) if luhn(f"{digits}{last}")]
    index = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.sampled_from(sorted(set("0123456789") - {whole[index]})))
    assert not luhn(whole[:index] + other + whole[index + 1 :])


def test_sums():
    """
    Digits are weighted place by place; a value that is longer than its weights is an error, not a shorter sum.
    """
    assert weighted("123", (3, 2, 1)) == 10
    assert digits_of("0190") == [0, 1, 9, 0]
    with pytest.raises(ValueError, match="shorter"):
        weighted("1234", (3, 2, 1))


def test_values_are_compared_without_separators():
    """
    Letters are made upper and everything between them is dropped.
    """
    assert compact("ab-12 (3)/é") == "AB123É"


class TestScores:
    @staticmethod
    def recognizer(**changes):
        return IdentifierRecognizer(
            "X", r"\d{3}-?\d", context=["code"], check=lambda value: value[-1] == "7", **changes
        )

    def test_a_check_is_evidence(self):
        """
        A value that passes scores more than one that does not, unless it is said otherwise; 0 leaves it out.
        """
        assert found(self.recognizer(), "123-7 123-8") == {"123-7": LIKELY, "123-8": WEAK}
        assert found(self.recognizer(passed=0.9, failed=0), "123-7 123-8") == {"123-7": 0.9}

    def test_what_is_checked_may_be_prepared(self):
        """
        The check sees the value without separators, or as it is told to.
        """
        seen = []
        one = IdentifierRecognizer("X", r"\d-\d", context=[], check=seen.append, prepare=str.strip)
        found(one, "1-2")
        found(IdentifierRecognizer("X", r"\d-\d", context=[], check=seen.append), "1-2")
        assert seen == ["1-2", "12"]

    @pytest.mark.parametrize("text", ["A1237", "1237A", "12371", "AB-1237", "1237-1", "1.1237", "x_1237", "1237/8"])
    def test_a_value_stands_alone(self, text):
        """
        A part of a longer code is no value of its own.
        """
        assert found(self.recognizer(), text) == {}

    @pytest.mark.parametrize("text", ["1237", "(1237)", "no. 1237 or", "a: 1237-", "1237.", '"1237"', "號1237號"])
    def test_what_may_stand_around_it(self, text):
        """
        Brackets, full stops, dashes at an end and letters of other scripts do not hide it.
        """
        assert found(self.recognizer(), text) == {"1237": LIKELY}


@pytest.mark.parametrize(
    "text", ["NRIC No.S8421753J", "HKID No.A123456(3)", "NRIC S8421753J/T1234567J", "S8421753J-Tan"]
)
def test_an_abbreviation_or_a_pair_does_not_hide_it(text):
    """
    A value whose check holds is found right after "No." and beside another one, as people write it.
    """
    assert {finding.type for finding in pii(text)} & {"SG_NRIC_FIN", "HK_HKID"}


@pytest.mark.parametrize("text", ["ABC-1234567/2026", "v1.2345678", "INV-20260301-17", "ref SOP/4.2.1-7"])
def test_a_part_of_a_code_is_no_identifier(text):
    """
    What a dash, a slash or a stop ties to a longer code, and has no check that holds, is left alone.
    """
    assert not {finding.type for finding in pii(text)} & {"SG_NRIC_FIN", "HK_HKID"}
