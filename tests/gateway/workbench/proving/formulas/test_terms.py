from gateway.workbench.proving.formulas.terms import (
    FALSE,
    TRUE,
    Index,
    at_most,
    begins,
    below,
    conjoined,
    disjoined,
    equal,
    exists,
    negated,
    replaced,
    some_text,
    term,
    text,
)

ZONE = some_text("item", "zone")


def test_equal_formulas_are_one():
    """What two bundles have in common costs nothing to compare."""
    assert equal(ZONE, text("HK")) is equal(text("HK"), ZONE)
    assert conjoined([equal(ZONE, text("HK")), negated(equal(ZONE, text("HK")))]) is FALSE
    assert disjoined([FALSE, TRUE, ZONE]) is TRUE


def test_known_texts_are_compared_at_once():
    """Of what is known nothing is left to a solver."""
    assert below(text("a"), text("b")) is TRUE
    assert at_most(text("b"), text("a")) is FALSE
    assert begins(text("agent:RISK"), "agent:") is TRUE
    assert equal(term("joined", "agent:", ZONE), text("agent:RISK")) is equal(ZONE, text("RISK"))
    assert equal(term("joined", "agent:", ZONE), text("RISK")) is FALSE


def test_what_does_not_speak_of_a_member_stands_beside_it():
    """A condition that is of no member is not asked again of every member, and a member must be there all the same."""
    index = Index(("list",), 0)
    of_it, beside = equal(some_text("list", index), text("HK")), equal(ZONE, text("SG"))
    assert exists([index], conjoined([of_it, beside])) is conjoined([beside, exists([index], of_it)])
    assert exists([index], beside) is conjoined([beside, exists([index], TRUE)])


def test_a_member_that_is_chosen_is_told_from_others():
    """A name that is bound within is not the one without."""
    index, slot = Index(("list",), 0), Index(("list",), 5)
    body = equal(some_text("list", index), text("HK"))
    assert exists([index], body).free == frozenset()
    assert replaced(body, {index: slot}).free == {slot}
