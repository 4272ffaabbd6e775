"""What a rule reads and calls, found wherever in it it stands."""

from gateway.policy.rego.parse import parse
from gateway.policy.rego.tree import Scalar, Statement
from gateway.policy.rego.walk import calls, children, dotted, references, statements, steps, used_names, walk

_MODULE = parse(
    "m.rego",
    """package a

p := {"k": input.a.b[x].c} if {
	some x in data.t.rows
	every y in [z | some z in input.list; f(z)] { y == other }
	not g.h(input["q"], data.t[input.key])
}
""",
)
_RULE = _MODULE.rules[0]


def test_every_node_is_gone_through_in_the_order_of_the_text():
    """
    Nothing below a rule is left out, and what stands above comes first.
    """
    starts = [node.place.start for node in walk(_RULE) if isinstance(node, Scalar)]

    assert sorted(starts) == starts
    assert {type(node).__name__ for node in walk(_RULE)} >= {
        "Every",
        "Comprehension",
        "SomeIn",
        "Not",
        "Call",
        "Object",
    }
    assert list(children(_RULE))
    assert next(_MODULE.source(one) for one in walk([_RULE.bodies[0].query])).startswith("{")


def test_references_are_the_longest_that_stand_there():
    """
    Each thing that is read is told once, with the keys that are read to find it, and the functions apart from it.
    """
    found = [_MODULE.source(one) for one in references(_RULE)]

    assert "input.a.b[x].c" in found
    assert "data.t[input.key]" in found
    assert "input.key" in found
    assert "input" not in found
    assert [call.function for call in calls(_RULE)] == ["f", "g.h"]


def test_steps_of_a_reference():
    """
    A step that is not written out is known as such, and what is written out before it has a name.
    """
    by_text = {_MODULE.source(one): one for one in references(_RULE)}

    assert steps(by_text["input.a.b[x].c"]) == ("input", "a", "b", None, "c")
    assert dotted(by_text["input.a.b[x].c"]) == "input.a.b"
    assert dotted(by_text['input["q"]']) == "input.q"
    assert dotted(by_text["x"]) == "x"


def test_statements_within_statements_are_found():
    """
    Also what must hold within a comprehension or an `every` is a statement.
    """
    found = [_MODULE.source(one) for one in statements(_RULE)]

    assert all(isinstance(one, Statement) for one in statements(_RULE))
    assert {"some z in input.list", "f(z)", "y == other"} <= set(found)


def test_names_that_a_rule_uses():
    """
    Rules, variables and functions that a rule names are known, so that who reads whom can be followed.
    """
    assert used_names(_RULE) == {"input", "data", "f", "g", "x", "y", "z", "other"}
