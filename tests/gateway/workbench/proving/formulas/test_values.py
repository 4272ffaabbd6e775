from gateway.workbench.proving.formulas.terms import FALSE, TRUE, negated, some_number, some_text, text
from gateway.workbench.proving.formulas.values import NULL, Known, Listed, Number, Size, Text, compared, filled, same

ZONE, AGE = Text(some_text("zone")), Number(some_number("age", whole=True))


def test_values_of_two_types_compare_as_in_rego():
    """Null stands before every number, and a number before every text, whatever they are."""
    assert compared("<=", NULL, AGE) is TRUE
    assert compared("<", ZONE, AGE) is FALSE
    assert same(ZONE, AGE) is FALSE
    assert same(Known(True), Known(1)) is FALSE
    assert same(Known({"a": 1}), Known({"a": 1})) is TRUE


def test_how_many_there_are_is_asked_of_none_and_some_only():
    """Of other numbers of members nothing is known, and nothing is said."""
    held = Listed(("held",), "")
    assert compared(">", Size(held), Known(0)) is filled(held)
    assert compared("==", Known(0), Size(held)) is negated(filled(held))
    assert compared(">", Size(held), Known(1)).args[0] == "~"
    assert same(ZONE, Known("HK")).args[1] is text("HK")
