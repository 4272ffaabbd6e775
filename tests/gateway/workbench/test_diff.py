"""What differs between two bundles, in words."""

import pytest

from gateway.policy.bundle import Bundle
from gateway.workbench.diff import REFITTED, diff, registry_changes

REFUSAL = """# METADATA
# title: Too old
# description: The item is too old.
# custom:
#   code: FRS-001
deny contains {"code": "FRS-001", "message": "x"} if {
	not fresh
}
"""


def bundle(rego="", **data):
    return Bundle("sha256:0", {"a.rego": "package a\n" + rego}, data)


@pytest.mark.parametrize(
    ("old", "new", "sentences"),
    [
        ({"x": 1}, {"x": 2}, ["table x: 1 becomes 2."]),
        ({"x": {"a": 1}}, {"x": {"b": 2}}, ["table x: the row a (1) is removed.", "table x: the row b is added: 2."]),
        ({"x": [1, 2]}, {"x": [2, 3]}, ["table x: 1 is removed.", "table x: 3 is added."]),
        ({"x": ["a", "b"]}, {"x": ["b", "a"]}, ["table x: the order changes to ['b', 'a']."]),
        ({"x": {"y": {"z": True}}}, {"x": {"y": {"z": None}}}, ["table x.y.z: True becomes None."]),
        ({"x": [1]}, {"x": 1}, ["table x: [1] becomes 1."]),
        ({"x": 1}, {"x": 1}, []),
    ],
)
def test_tables(old, new, sentences):
    """
    Each row that comes, goes or changes is one sentence, also deep in a table and in the order of a list.
    """
    assert diff(bundle(**old), bundle(**new)) == sentences


def test_refusals():
    """
    A refusal that comes, goes or is described otherwise is named by its code and title.
    """
    assert diff(bundle(), bundle(REFUSAL))[0] == (
        "a.rego: the refusal FRS-001 (Too old) is added: The item is too old."
    )
    assert diff(bundle(REFUSAL), bundle())[0] == "a.rego: the refusal FRS-001 (Too old) is removed."
    assert diff(bundle(REFUSAL), bundle(REFUSAL.replace("too old.", "far too old."))) == [
        "a.rego: the refusal FRS-001 (Too old) is described differently."
    ]


def test_lines_that_decide():
    """
    A line of a rule that changes is shown as it was and as it is.
    """
    assert diff(bundle(REFUSAL), bundle(REFUSAL.replace("not fresh", "not recent"))) == [
        "a.rego: added: not recent",
        "a.rego: removed: not fresh",
    ]


def test_only_comments():
    """
    A module whose text differs in comments alone says so, rather than nothing.
    """
    assert diff(bundle("# one\n"), bundle("# two\n")) == ["a.rego: only comments or the order of lines differ."]


def test_modules():
    """
    A module that comes or goes is named.
    """
    none = Bundle("sha256:0", {}, {})
    assert diff(none, bundle()) == ["a.rego is added."]
    assert diff(bundle(), none) == ["a.rego is removed."]


def registries(old, new):
    return bundle(registry=old), bundle(registry=new)


@pytest.mark.parametrize(
    ("old", "new", "sentences"),
    [
        (
            {"agents": {}},
            {"agents": {"SCOUT": {"archetype": "worker", "domains": ["NPA", "ORM"]}}},
            ["agent SCOUT is added: archetype worker; domains NPA, ORM."],
        ),
        (
            {"agents": {"SCOUT": {"archetype": "worker"}}},
            {"agents": {}},
            ["agent SCOUT is removed. Requests that name it are refused."],
        ),
        (
            {"agents": {"RISK": {"archetype": "worker", "domains": ["NPA"]}}},
            {"agents": {"RISK": {"archetype": "reviewer", "domains": ["ORM"]}}},
            [
                "agent RISK: archetype: worker becomes reviewer.",
                "agent RISK: domains: NPA is removed.",
                "agent RISK: domains: ORM is added.",
            ],
        ),
        (
            {"contracts": {"RISK-1": {"status": "DRAFT", "required_sources": []}}},
            {"contracts": {"RISK-1": {"status": "ACTIVE", "required_sources": ["get_limits"]}}},
            [
                "contract RISK-1: required_sources: get_limits is added.",
                "contract RISK-1: status: DRAFT becomes ACTIVE.",
            ],
        ),
        (
            {"budgets": {"sections": [{"name": "few_shot", "tokens": 5}], "relevance_weight": 0.6}},
            {"budgets": {"sections": [{"name": "few_shot", "tokens": 9}], "relevance_weight": 0.7}},
            ["weight of relevance: 0.6 becomes 0.7.", "budget few_shot: tokens: 5 becomes 9."],
        ),
        (
            {"budgets": {"authority_boost": {1: 0.4, 2: 0.3}, "archetypes": {"worker": {"few_shot": 1}}}},
            {"budgets": {"authority_boost": {1: 0.5, 2: 0.3}, "archetypes": {"worker": {"few_shot": 2}}}},
            [
                "budget of archetype worker: few_shot: 1 becomes 2.",
                "boost of authority tier 1: 0.4 becomes 0.5.",
            ],
        ),
        (
            {"prompts": {"prompts": [{"id": "system", "sha256": "a", "version": "1"}]}},
            {"prompts": {"prompts": [{"id": "system", "sha256": "b", "version": "1"}, {"id": "tools", "sha256": "c"}]}},
            ["prompt system: sha256: a becomes b.", "prompt tools is added: id tools; sha256 c."],
        ),
        (
            {"sources": {"sor": {"grant": {"domains": ["NPA"]}, "keys": [{"kid": "k1"}]}}},
            {
                "sources": {
                    "sor": {"grant": {"domains": ["NPA", "ORM"]}, "keys": [{"kid": "k1", "revoked_at": "2026-03-01"}]}
                }
            },
            [
                "source sor: grant domains: ORM is added.",
                "source sor: keys k1: revoked_at: nothing becomes 2026-03-01.",
            ],
        ),
        (
            {"budgets": {"overflow": [{"name": "a", "keep": 1}, {"name": "b", "keep": 2}]}},
            {"budgets": {"overflow": [{"name": "b", "keep": 2}, {"name": "a", "keep": 1}]}},
            ["overflow step: the order changes to b, a."],
        ),
        ({"agents": {"RISK": {"domains": ["A", "B"]}}}, {"agents": {"RISK": {"domains": ["A", "B"]}}}, []),
    ],
)
def test_the_registry(old, new, sentences):
    """
    What changes in the registry is said by the agent, contract, budget, weight, prompt or source that it is about.
    """
    assert diff(*registries(old, new)) == sentences


def test_what_a_change_of_the_registry_means_for_packs():
    """
    Where budgets or weights differ it is said that packs are fitted anew; elsewhere it is not.
    """
    agents = registries({"agents": {"A": {"archetype": "worker"}}}, {"agents": {"A": {"archetype": "reviewer"}}})
    assert registry_changes(*agents) == ["agent A: archetype: worker becomes reviewer."]
    budgets = registries({"budgets": {"headroom_percent": 12}}, {"budgets": {"headroom_percent": 20}})
    assert registry_changes(*budgets) == ["budgets: headroom_percent: 12 becomes 20.", REFITTED]
    assert registry_changes(bundle(), bundle(x=1)) == []
