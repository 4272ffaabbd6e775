"""Figures in one unit each, however they are written."""

import pytest

from gateway.content.terms import reworded
from gateway.selection.figures import TOKEN, differ, figures


def of(text):
    return figures(TOKEN.findall(reworded(text)))


class TestOneFigure:
    @pytest.mark.parametrize(
        ("left", "right"),
        [
            ("72 hours", "three days"),
            ("one year", "12 months"),
            ("a week or 7 days", "7 days"),
            ("30 days", "one month"),
            ("USD 5 million", "$5,000,000"),
            ("5m USD", "US$5.0 million"),
            ("15 %", "15 percent"),
            ("15 per cent", "1500 basis points"),
            ("quarterly", "every three months"),
            ("twice a year", "every six months"),
            ("2026-03-31", "31 March 2026"),
            ("31 March", "March 31"),
            ("31 March", "31 March 2026"),
            ("17:00", "5 p.m."),
            ("5 to 7 years", "six years"),
            ("5 business days", "7 days"),
        ],
    )
    def test_said_in_two_ways(self, left, right):
        """
        One figure in two spellings or units does not differ from itself; a figure within a range does not differ from the range.
        """
        assert differ(of(left)[0], of(right)[0]) is False

    @pytest.mark.parametrize(
        ("left", "right"),
        [
            ("72 hours", "two days"),
            ("12 months", "13 months"),
            ("30 days", "one year"),
            ("USD 5 million", "USD 5 thousand"),
            ("1%", "1 basis point"),
            ("quarterly", "every two months"),
            ("31 March 2026", "31 March 2027"),
            ("31 March", "1 April"),
            ("17:00", "5 a.m."),
            ("5 to 7 years", "8 years"),
            ("5 business days", "30 days"),
            ("5 business days", "6 business days"),
        ],
    )
    def test_two_figures(self, left, right):
        """
        Two figures of one dimension differ.
        """
        assert differ(of(left)[0], of(right)[0]) is True

    @pytest.mark.parametrize(
        ("left", "right"), [("USD 5", "EUR 6"), ("5 days", "6%"), ("5 days", "every 6 days"), ("17:00", "5 hours")]
    )
    def test_what_cannot_be_compared(self, left, right):
        """
        Figures of two dimensions, or in two currencies, neither differ nor agree.
        """
        assert differ(of(left)[0], of(right)[0]) is None

    @pytest.mark.parametrize(
        "text", ["section 4.2", "version 3", "tier 2", "in 2026", "page 12", "a one on one", "Notice 637", "CP-40871"]
    )
    def test_what_only_names(self, text):
        """
        A number that names a part, a kind, a year or a thing is no figure.
        """
        assert of(text) == []
