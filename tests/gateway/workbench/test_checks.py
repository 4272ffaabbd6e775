"""What keeps a bundle from deciding: its registry, by table, field and line."""

import pytest

from gateway.policy.bundle import bundle_of
from gateway.workbench.checks import check
from tests.support.bundles import files


def problems(*change):
    return check(bundle_of({name: text.encode() for name, text in files(change).items()}))


@pytest.mark.parametrize(
    ("table", "old", "new", "at", "says"),
    [
        (
            "agents",
            "RISK: {archetype: worker",
            "RISK: {archtype: worker",
            "RISK: {archetype: worker",
            "RISK/archetype: Field",
        ),
        (
            "agents",
            "domains: [NPA], contract: RISK-1.1.0",
            "domains: [], contract: RISK-1.1.0",
            "RISK: {",
            "RISK/domains",
        ),
        (
            "agents",
            "contract: RISK-1.1.0",
            "contract: RISK-9",
            "RISK: {",
            "RISK/contract: names the unknown contract RISK-9",
        ),
        (
            "contracts",
            "  agent: RISK\n",
            "  agent: NOBODY\n",
            "  agent: RISK",
            "RISK-1.1.0/agent: names the unknown agent",
        ),
        ("budgets", "headroom_percent: 12", "headroom_percent: 95", "headroom_percent: 12", "headroom_percent: Input"),
        ("budgets", "min_relevance: 0.15", "min_relevanze: 0.15", None, "min_relevance"),
        ("prompts", "agents: [RISK]", "agents: [RSIK]", None, "system-risk/agents: names the unknown agent RSIK"),
        (
            "sources",
            "  domains: [DESK]",
            "  domains: [DSEK]",
            "  domains: [DESK]",
            "sor-desk/domains: names the unknown domain",
        ),
    ],
)
def test_a_flaw_of_the_registry_is_shown_where_it_is(table, old, new, at, says):
    """
    A flaw is named with its table, its entry and field, and the line that an officer has to look at.
    """
    found = [one for one in problems((f"registry/{table}/data.yaml", old, new)) if says in one.message]
    assert [one.file for one in found] == [f"registry/{table}/data.yaml"]
    if at is not None:
        text = files()[f"registry/{table}/data.yaml"].split("\n")
        assert text[found[0].line - 1].startswith(at)
    assert "policies/README.md" in found[0].hint


def test_a_table_that_nothing_reads():
    """
    A table under a name that nothing reads keeps a bundle from deciding, so that nobody believes that it counts.
    """
    changed = {name.replace("registry/agents/", "registry/agent/"): text.encode() for name, text in files().items()}
    said = [(one.file, one.message.partition(";")[0]) for one in check(bundle_of(changed))]
    assert said == [
        ("registry/agent/data.yaml", "nothing reads a table of this name"),
        ("registry/agents/data.yaml", "the bundle lacks registry/agents/data.yaml."),
    ]


def test_the_shipped_one_has_no_flaw():
    """
    The registry that ships keeps nobody from deciding.
    """
    assert problems() == []


def test_a_rule_that_reads_what_no_question_tells():
    """
    A rule on what the gateway told bundles in an earlier version, or on a misspelt member, is shown by name and line: it would
    find nothing, and look as if there were nothing to find.
    """
    at, rule = "context/limits/limits.rego", "_all_examples := [item |"
    for member in ("rivals", "contradictions", "itmes"):
        [problem] = problems((at, rule, f"_x if input.{member}[0]\n\n{rule}"))
        assert (problem.file, f"`input.{member}`, which no question tells" in problem.message) == (at, True)
        assert files()[at].split("\n")[problem.line - 1] == rule


def test_an_invariant_that_cannot_be_read():
    """
    A misspelt word of an invariant keeps a bundle from deciding, so that nobody believes that it is proved.
    """
    [problem] = problems(("context/invariants.yaml", "never:", "nevr:"))
    assert problem.file == "context/invariants.yaml"
    assert "INV-001" in problem.message
