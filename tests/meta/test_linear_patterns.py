"""Every pattern that sees foreign text is linear: on the text that is worst for it, whoever wrote that text."""

from functools import partial

import pytest

from tests.support.effort import Effort
from tools.patterns import every, written
from tools.prove_patterns import BOUND, KILOBYTES, everywhere, proved
from tools.worst import LONG, Worst

KNOWN = {
    "gateway.content.json_offsets._STRING": "matched where a text begins, never searched for",
    "adapters.screening.presidio.pieces._LAST": "sees `LONGEST` characters before a line break",
    "adapters.screening.presidio.pieces._PIECE_NAME": "sees names of 200 characters at most",
    "gateway.cli.output.escape..": "Rich's own, at the command line",
    "gateway.policy.supply.tables._OTHER_NUMBERS": "held against a whole text, never searched for",
}
"""Patterns that are not linear, and why that hurts nobody else."""

PUT_TOGETHER = {
    "gateway/policy/bundle.py:_sized": "a constant",
    "gateway/prompt/rendering.py:_compiled": "tokens of a bundle's table, escaped, beside patterns whose lookaheads are bounded or end at a bracket",
    "gateway/workbench/scaffold.py:_at_the_end_of": "an officer's own file, at the command line",
    "adapters/screening/injection/rules.py:_rule": "kept in RULES, and measured there",
    "adapters/screening/presidio/context.py:_pattern": "kept by its module, and measured there",
    "adapters/screening/presidio/recognizers/gated.py:__init__": "kept by its recognizer, and measured there",
    "adapters/screening/presidio/recognizers/identifier.py:__init__": "kept by its recognizer, and measured there",
}
"""Functions that put a pattern together when they are called, and what it is."""


@pytest.fixture(scope="module")
def patterns():
    return [one for one in every() if one.where not in KNOWN]


def test_every_pattern_is_proved_linear(patterns):
    """
    A pattern that stands in no list of what was proved is refused.
    """
    assert len(patterns) > 100, "the patterns of our packages are not found any more"
    known = proved()
    missing = [one.where for one in patterns if one.key not in known]
    assert not missing, (
        f"not proved to be linear: {missing}; run `python -m tools.prove_patterns` and commit what it writes"
    )


def test_every_pattern_put_together_is_known():
    """
    A function that puts a pattern together out of what it is given says here what it is given.
    """
    unknown = {one.where for one in written() if one.text is None} - PUT_TOGETHER.keys()
    assert not unknown, (
        f"write the pattern out, at its module's top, or say in PUT_TOGETHER why it is linear: {unknown}"
    )


def test_the_worst_of_250_kb_costs_no_more_than_the_worst_of_1_kb(patterns):
    """
    On 250 KB of the text that is worst for it, each costs at most so much for a kilobyte as on a short one.
    """
    effort, known = Effort(), proved()
    for one in patterns:
        text = Worst(*known[one.key], 0.0, 0).text(LONG)
        effort.within(BOUND * LONG / 1000 / KILOBYTES, partial(everywhere(one.pattern), text), one.where)
