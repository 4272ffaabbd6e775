"""The registry's tables, and what they must agree on."""

import pytest

from pydantic import ValidationError

from gateway.model import Registry
from tests.support.packing import REGISTRY

SHIPPED = REGISTRY.model_dump()


def changed(**parts):
    return {**SHIPPED, **parts}


def test_the_domain_of_an_entity():
    """
    An agent deals with an entity in the domain that is about entities of its type, and otherwise in its first one.
    """
    agent = REGISTRY.agents["MASTER_COO"]
    dealt = {kind: REGISTRY.domain_of(agent, kind) for kind in ("incident", "counterparty", "ship", None)}
    assert dealt == {"incident": "ORM", "counterparty": "DESK", "ship": agent.domains[0], None: agent.domains[0]}


def test_a_section_has_one_budget():
    """
    A section on two lines would be counted twice.
    """
    budgets = SHIPPED["budgets"]
    twice = {**budgets, "sections": (*budgets["sections"], {**budgets["sections"][0], "name": "again"})}
    with pytest.raises(ValidationError, match="two budgets"):
        Registry.model_validate(changed(budgets=twice))


def test_the_whole_is_something():
    """
    A reference of no tokens would fail the first request that comes upon it.
    """
    with pytest.raises(ValidationError, match="equal to 1"):
        Registry.model_validate(changed(budgets={**SHIPPED["budgets"], "reference_tokens": 0}))


def test_archetypes_name_lines_that_exist():
    """
    A misspelt line of an archetype would silently give nothing.
    """
    wrong = {**SHIPPED["budgets"], "archetypes": {"worker": {"no such line": 1}}}
    with pytest.raises(ValidationError, match="does not exist"):
        Registry.model_validate(changed(budgets=wrong))


def test_a_line_gives_its_part_of_any_budget():
    """
    Sizes are of the reference budget, and scale with the one that is asked for; an archetype may have its own, and a profile
    that is selected for the agent, its archetype or the purpose goes before it.
    """
    budgets = REGISTRY.budgets
    line = budgets.line("knowledge")
    worker = REGISTRY.agents["RISK"]
    whole = budgets.tokens_for(line, worker, "risk_assessment", budgets.reference_tokens)
    assert whole == line.tokens
    half = budgets.tokens_for(line, worker, "risk_assessment", budgets.reference_tokens // 2)
    assert half in {whole // 2, (whole - 1) // 2}
    name, sizes = next((name, sizes) for name, sizes in budgets.archetypes.items() if line.name in sizes)
    other = next(agent for agent in REGISTRY.agents.values() if agent.archetype == name)
    assert budgets.tokens_for(line, other, "routing", budgets.reference_tokens) == sizes[line.name]
    for row in ({"agents": ["RISK"]}, {"archetypes": ["worker"]}, {"purposes": ["risk_assessment"]}):
        chosen = {**SHIPPED["budgets"], "selected": [{"profile": "upgrade_pack", **row}]}
        table = Registry.model_validate(changed(budgets=chosen)).budgets
        size = table.profiles["upgrade_pack"][line.name]
        assert size != whole
        assert table.tokens_for(line, worker, "risk_assessment", table.reference_tokens) == size
        assert table.tokens_for(line, other, "routing", table.reference_tokens) == sizes[line.name]


def test_the_profile_of_the_upgrade_pack_has_its_shares():
    """
    Of a whole budget the profile gives preamble and task 10 to 15 %, tools 5 to 10 %, knowledge and memory 50 to 60 %.
    """
    budgets = REGISTRY.budgets
    sizes, whole = budgets.profiles["upgrade_pack"], budgets.reference_tokens

    def share(*lines):
        return sum(sizes[line] for line in lines) / whole

    assert 0.10 <= share("system_prompt") <= 0.15
    assert 0.10 <= share("task") <= 0.15
    assert 0.05 <= share("tool_schemas") <= 0.10
    assert 0.50 <= share("regulatory_kb", "entity_data", "prior_results", "memory_and_uploads") <= 0.60
    assert share(*sizes) <= 1
    assert sizes.keys() == {line.name for line in budgets.sections}


@pytest.mark.parametrize("boosts", [{1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}, dict.fromkeys(range(1, 7), 0.1)])
def test_every_tier_of_authority_has_its_boost(boosts):
    """
    A tier that policy may give and that has no boost is refused, since its items could not be ranked; so is one that there is not.
    """
    with pytest.raises(ValidationError, match="authority_boost"):
        Registry.model_validate(changed(budgets={**SHIPPED["budgets"], "authority_boost": boosts}))


def test_a_profile_that_does_not_exist_is_no_choice():
    """
    Profiles size lines that exist, and rows select profiles that exist.
    """
    for wrong in ({"profiles": {"upgrade_pack": {"no such line": 1}}}, {"selected": [{"profile": "nowhere"}]}):
        with pytest.raises(ValidationError, match="does not exist"):
            Registry.model_validate(changed(budgets={**SHIPPED["budgets"], **wrong}))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"status": "SLEEPING"}, "ACTIVE"),
        ({"max_turns": -1}, "greater than or equal to 0"),
    ],
)
def test_a_contract_of_no_status(change, message):
    """
    A contract has a status and a number of turns that are ones.
    """
    contracts = {**SHIPPED["contracts"], "RISK-1.1.0": {**SHIPPED["contracts"]["RISK-1.1.0"], **change}}
    with pytest.raises(ValidationError, match=message):
        Registry.model_validate(changed(contracts=contracts))
