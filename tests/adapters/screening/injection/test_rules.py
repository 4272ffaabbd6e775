"""Our own rules."""

import time

import pytest

from adapters.screening.injection.rules import RULES
from adapters.screening.presidio.engine import _NAMED
from adapters.screening.presidio.recognizers import (
    person,
)
from adapters.screening.text.decode import readings
from adapters.screening.text.normalise import normalised
from adapters.screening.text.view import View
from tests.support.screening import WORST


class TestWorstInputs:
    """100 KB of the worst that we can think of, under a second for every recognizer and rule."""

    @pytest.mark.parametrize("number", range(len(WORST)))
    def test_rules_and_readings(self, number):
        """
        No rule, decoder or normaliser takes a second.
        """
        text = WORST[number]
        for rule in RULES:
            started = time.process_time()
            list(rule.pattern.finditer(text))
            assert time.process_time() - started < 1, rule.name
        steps = (
            normalised,
            lambda one: readings(View(one)),
            lambda one: list(person.introduced(one)),
            _NAMED.search,
            across,
        )
        for step in steps:
            started = time.process_time()
            step(text)
            assert time.process_time() - started < 1
