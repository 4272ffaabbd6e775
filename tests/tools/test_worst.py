"""The search for the text that is worst for a pattern."""

import re

import pytest

from tests.support.effort import cpu, one_pass
from tools.prove_patterns import BOUND, KILOBYTES, prove


@pytest.fixture(scope="module")
def unit():
    return cpu(one_pass) / KILOBYTES


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:a+)+$",
        r"\w*\d[\w.]*",
        r"(?:[a-z](?:[ .]{1,3}|[ ]{2,4})){7,}[a-z](?![a-z])",
        r"^<(\w+) id=[^\n]* mark=(\w{12})>\n.*?^</\1 mark=\2>\n?",
        r"\s+$",
        r"<!--.*?-->",
        r"\bnow\s*,?\s+your",
        r"\s{5000}",
    ],
)
def test_finds_out_what_is_not_linear(pattern, unit):
    """
    Exponential, quadratic within a match, quadratic by beginning anew at every place: each is found out.
    """
    found = prove(re.compile(pattern, re.DOTALL | re.MULTILINE), BOUND * unit)
    assert found.seconds_per_kb > BOUND * unit


@pytest.mark.parametrize(
    "pattern", [r"\w+", r"(?<!\w)[^\W\d]*+\d[\w.]*", r"[^.]{0,30}end", r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', r"a|b|cd"]
)
def test_lets_what_is_linear_be(pattern, unit):
    """
    What is linear is, also where a repetition of it is bounded.
    """
    found = prove(re.compile(pattern, re.DOTALL | re.MULTILINE), BOUND * unit)
    assert found.seconds_per_kb <= BOUND * unit
