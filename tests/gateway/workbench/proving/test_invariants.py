from gateway.workbench.proving.invariants import Wanted, conditions, invariants_of, rego_of
from tests.support.bundles import SHIPPED


def test_facts_become_lines_that_an_engine_decides():
    """What an officer says of facts is Rego, one line for each thing said."""
    facts = {"item.zone": "HK", "subject.held": Wanted(known=True, lacks="HK"), "answer.trust_class": ("A", "B")}
    assert list(conditions(facts, "admit")) == [
        'input.item.zone == "HK"',
        'not "HK" in input.subject.held',
        "input.subject.held != null",
        'data.context.admit.trust_class in ["A", "B"]',
    ]


def test_an_exception_is_named_by_what_it_is_for():
    """What an officer says of a list of exceptions holds where none is for these facts."""
    facts = {"exceptions": Wanted(none_for={"scope.agent": "agent.id", "scope.jurisdiction": "item.jurisdiction"})}
    alike = "one.scope.agent == input.agent.id; one.scope.jurisdiction == input.item.jurisdiction"
    assert list(conditions(facts, "admit")) == [f"count([one | some one in input.exceptions; {alike}]) == 0"]


def test_every_shipped_invariant_names_its_control_and_owner():
    """Whoever reads a proof sees who answers for each invariant."""
    found = invariants_of(SHIPPED)
    assert all(one.control.startswith("https://controls.bank.example/") and one.owner for one in found)
    assert "inv_026_0 if {" in rego_of(found, SHIPPED)
