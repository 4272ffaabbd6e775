from dataclasses import replace

import pytest

from gateway.errors import InvariantInvalidError
from gateway.workbench.proving.invariants import FILE
from gateway.workbench.proving.prove import prove
from tests.support.bundles import SHIPPED
from tests.support.proofs import ENGINES

HEAD = """
invariants:
  - id: INV-900
    title: one
    says: what it says
    control: https://controls.bank.example/X
    owner: somebody
"""


def bundle(invariants):
    return replace(SHIPPED, checks={**SHIPPED.checks, FILE: invariants.encode()})


@pytest.mark.parametrize(
    ("facts", "named"),
    [
        ("never: {item.juristiction: HK}", "juristiction"),
        ("never: {item.jurisdiction: HongKong}", "HongKong"),
        ("never: {item.jurisdiction: {is_not: HK}}", "INV-900"),
        ("never: {exceptions: {none_for: {scope.zone: item.jurisdiction}}}", "zone"),
        ("never: {exceptions: {none_for: {scope.agent: agent.name}}}", "name"),
        ("never: {item.jurisdiction: {none_for: {scope.agent: agent.id}}}", "no list"),
        ("never_more_by_losing: subject.role", "no list"),
        ("never_more_by_losing: subject.rights", "rights"),
        ("touches_only: {rows_of: context.nothing, within: {}}", "context.nothing"),
        ("never: {}\n    never_more_by_losing: subject.agents", "one of"),
    ],
)
def test_an_invariant_that_says_nothing_is_refused_by_name(facts, named):
    """An officer who misspells a fact or a word is told which, rather than that it holds."""
    with pytest.raises(InvariantInvalidError) as raised:
        prove(bundle(f"{HEAD}    {facts}\n"), ENGINES)
    assert named in str(raised.value)
