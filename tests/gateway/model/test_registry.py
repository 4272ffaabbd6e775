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


def test_archetypes_name_lines_that_exist():
    """
    A misspelt line of an archetype would silently give nothing.
    """
    wrong = {**SHIPPED["budgets"], "archetypes": {"worker": {"no such line": 1}}}
    with pytest.raises(ValidationError, match="does not exist"):
        Registry.model_validate(changed(budgets=wrong))


def test_a_line_gives_its_part_of_any_budget():
    """
    Sizes are of the reference budget, and scale with the one that is asked for; an archetype may have its own.
    """
    budgets = REGISTRY.budgets
    line = budgets.line("knowledge")
    whole = budgets.tokens_for(line, "no archetype", budgets.reference_tokens)
    assert whole == line.tokens
    assert budgets.tokens_for(line, "no archetype", budgets.reference_tokens // 2) in {whole // 2, (whole - 1) // 2}
    name, sizes = next((name, sizes) for name, sizes in budgets.archetypes.items() if line.name in sizes)
    assert budgets.tokens_for(line, name, budgets.reference_tokens) == sizes[line.name]
