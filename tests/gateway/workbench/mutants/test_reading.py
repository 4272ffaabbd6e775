"""Which rules read which."""

from gateway.policy.rego.reader import modules, read
from gateway.workbench.mutants.edits import edits
from gateway.workbench.mutants.reading import RuleReading, sliced
from tests.support.bundles import SHIPPED


def reading(**texts):
    return RuleReading({name: read(name, text) for name, text in texts.items()})


def test_what_a_rule_needs_and_who_needs_it():
    """
    A rule needs what it reads and what that reads, by whatever way it is named; whoever reads it hears of a change.
    """
    found = reading(
        a="package context.a\nimport data.context.b as other\np if other.q(1)\nalone := 1\n",
        b="package context.b\nq(x) if {\n\tsome y in data.context.c.r\n\ty == x\n}\nq(2) if true\n",
        c="package context.c\nr := {s}\ns := data.context.c.table.x\nt := 1\n",
    )
    chain = {("context.a", "p"), ("context.b", "q"), ("context.c", "r"), ("context.c", "s")}

    assert found.readers(("context.c", "s")) == chain
    assert found.needed([("context.a", "p")]) == chain
    assert found.readers(("context.c", "t")) == {("context.c", "t")}
    assert found.at("data.context.a.alone") == {("context.a", "alone")}
    assert found.at("data.context.a.nothing") == frozenset()


def test_who_reads_what_is_not_written_out_reads_all():
    """
    A rule that looks at all areas together, at a whole package or at all below one, hears of a change in any.
    """
    found = reading(
        a="package context.a\np if data.context[input.area].q\n",
        b="package context.b\nq if true\nr if true\n",
        c="package e\nwhole := data.context.b\n",
        d="package d\nall_of := data\n",
    )

    assert found.readers(("context.b", "q")) >= {("context.a", "p"), ("e", "whole"), ("d", "all_of")}
    assert found.readers(("context.b", "r")) == {("context.b", "r"), ("e", "whole"), ("d", "all_of")}


def test_a_module_without_what_nobody_asks_for():
    """
    Only the rules that are kept stay, all of a name together, and one change of them is made.
    """
    module = read("b.rego", "package b\np if input.x\np if input.y\nq := 1\nr if not p\n")
    [edit] = [one for one in edits(module) if one.what == "without the `not` of `not p`"]

    text = sliced(module, frozenset({("b", "p"), ("b", "r")}), edit)

    assert [rule.name for rule in read("b.rego", text).rules] == ["p", "p", "r"]
    assert text.endswith("r if p\n")
    assert sliced(module, frozenset()).split() == ["package", "b"]


def test_a_rule_of_the_shipped_bundle_needs_few():
    """
    Asking an area does not take the rules of all, and the entrypoints need every area.
    """
    found = RuleReading(modules(SHIPPED))

    needed = {package for package, _ in found.needed(found.at("data.context.jurisdiction.permit"))}
    assert len(needed) < 6
    assert len({package for package, _ in found.needed(found.at("data.context"))}) > 25
    assert found.at("data.context.admit") <= found.readers(("context.jurisdiction", "permit"))
