import pytest

from gateway.workbench.proving.formulas.terms import (
    Index,
    begins,
    below,
    conjoined,
    equal,
    exists,
    negated,
    number,
    some_number,
    some_text,
    text,
)
from gateway.workbench.proving.solver import Question, Settled, TooManyTermsError, possible

ZONE, OTHER = some_text("zone"), some_text("other")
FIRST, SECOND = Index(("held",), 0), Index(("held",), 1)
AGE, TTL = some_number("age", whole=True), some_number("ttl", whole=True)


def holds(value):
    return exists([FIRST], equal(some_text("held", FIRST), value))


@pytest.mark.parametrize(
    ("formula", "settled"),
    [
        (conjoined([equal(ZONE, text("HK")), equal(OTHER, text("SG")), equal(ZONE, OTHER)]), Settled.NEVER),
        (conjoined([begins(ZONE, "agent:"), below(text("agent;"), ZONE)]), Settled.NEVER),
        (conjoined([begins(ZONE, "agent:"), negated(equal(ZONE, text("agent:RISK")))]), Settled.POSSIBLE),
        (conjoined([below(AGE, TTL), below(TTL, number(1)), below(number(-1), AGE)]), Settled.NEVER),
        (conjoined([below(AGE, TTL), below(TTL, number(2)), below(number(-1), AGE)]), Settled.POSSIBLE),
        (conjoined([holds(ZONE), negated(holds(OTHER)), equal(ZONE, OTHER)]), Settled.NEVER),
        (conjoined([holds(ZONE), negated(holds(OTHER))]), Settled.POSSIBLE),
        (conjoined([holds(text(str(one))) for one in range(12)]), Settled.POSSIBLE),
    ],
)
def test_what_no_input_can_be_is_never(formula, settled):
    """A solver that finds nothing says never, and of lists also where none is long enough to be tried."""
    assert possible(formula, seconds=20) is settled


def test_a_question_that_is_too_large_is_open_and_not_never():
    """Of what comes to more than is settled nothing is said."""
    many = [equal(ZONE, text(str(one))) for one in range(50_000)]
    formula = conjoined(map(negated, many))
    with pytest.raises(TooManyTermsError):
        Question([formula])
    assert possible(formula, seconds=5) is Settled.OPEN
