"""The rules of the package and ours, in every reading of a text."""

import time

import pytest

from adapters.screening.injection import tier1
from adapters.screening.text.view import View
from tests.support.screening import WORST


@pytest.mark.parametrize("number", range(len(WORST)))
def test_the_package_of_rules(number):
    """
    The rules of the package, read in parts, take no more than three seconds for all hundred of them.
    """
    started = time.process_time()
    list(tier1._packaged(View(WORST[number]), ""))
    assert time.process_time() - started < 3


def test_short_texts_hold_no_instruction():
    """
    Below twelve characters no rule is asked.
    """
    assert tier1.findings("ignore all", "") == []
