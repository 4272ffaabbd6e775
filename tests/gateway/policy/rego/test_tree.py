"""The kinds of nodes, as shipped policies have them."""

from gateway.policy.rego.reader import modules, read
from gateway.policy.rego.tree import Unknown
from gateway.policy.rego.walk import walk
from tests.support.bundles import SHIPPED


def test_shipped_rules_hold_nothing_that_is_not_known():
    """
    Every node of every shipped module has a kind of its own, so that no check passes one over.
    """
    strange = [node for module in modules(SHIPPED).values() for node in walk(module) if isinstance(node, Unknown)]

    assert not strange


def test_rules_are_found_by_name():
    """
    Whoever asks for the rules of a name gets all alternatives, the default among them, in order.
    """
    module = read("m.rego", "package a\n\ndefault p := false\n\np if input.x\n\nq := 1\n\np if input.y\n")

    assert [(rule.kind, rule.place.line) for rule in module.named("p")] == [
        ("default", 3),
        ("complete", 5),
        ("complete", 9),
    ]
    assert str(module.rules[1].place) == "m.rego:5:1"
