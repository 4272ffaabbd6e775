import copy

from dataclasses import replace

import pytest
import yaml

from gateway.workbench.proving.documents import digest_of
from gateway.workbench.proving.invariants import FILE
from gateway.workbench.proving.prove import prove, unproved
from tests.support.bundles import SHIPPED
from tests.support.proofs import ENGINES, JURISDICTION, PATIENT

HEAD = """
invariants:
  - id: INV-900
    title: one
    says: what it says
    control: https://controls.bank.example/X
    owner: somebody
"""
IN_JURISDICTION = (
    HEAD
    + """
    never:
      item.jurisdiction: {none_of: [GLOBAL]}
      subject.jurisdictions: {lacks_fact: item.jurisdiction}
"""
)
WITHOUT_EXCEPTION = IN_JURISDICTION + "      exceptions: {none_for: {scope.jurisdiction: item.jurisdiction}}\n"
OF_A_KIND = HEAD + "    never: {item.source_type: bank_sop, exceptions: {empty: true}}\n"
LOSING = HEAD + "    never_more_by_losing: subject.jurisdictions\n"
TOUCHING = (
    HEAD
    + """
    touches_only:
      rows_of: context.exceptions.granted
      within: {agent.id: scope.agent, request.purpose: scope.purpose, item.source_id: scope.source_id}
"""
)


def bundle(invariants, **changes):
    modules = dict(SHIPPED.modules)
    for name, (old, new) in changes.pop("rego", {}).items():
        assert old in modules[name]
        modules[name] = modules[name].replace(old, new, 1)
    return replace(SHIPPED, modules=modules, checks={**SHIPPED.checks, FILE: invariants.encode()}, **changes)


def shown(invariants, **changes):
    (one,) = prove(bundle(invariants, **changes), ENGINES, seconds=PATIENT).shown
    return one


def some_of(count):
    """The shipped bundle with so many of its invariants, of the first kinds and the last."""
    document = yaml.safe_load(SHIPPED.checks[FILE])
    listed = document["invariants"]
    kept = [*listed[:: len(listed) // count][: count - 1], listed[-1]]
    return replace(SHIPPED, checks={**SHIPPED.checks, FILE: yaml.safe_dump({**document, "invariants": kept}).encode()})


@pytest.mark.parametrize("bundle", [some_of(5), pytest.param(SHIPPED, marks=pytest.mark.soak)], ids=["some", "all"])
def test_every_shipped_invariant_holds_for_every_input(bundle):
    """An officer who proves the shipped bundle sees every invariant hold, with nothing that is not covered."""
    steps = []
    proof = prove(bundle, ENGINES, seconds=PATIENT, progress=lambda: steps.append(1))
    assert [(one.id, one.verdict) for one in unproved(proof.shown)] == []
    assert len(steps) == len(proof.shown) >= (25 if bundle is SHIPPED else 5)
    assert proof.coverage.not_covered == ()
    assert proof.coverage.two_values == ()
    assert set(proof.coverage.areas) >= ({"scoping", "tools"} if bundle is SHIPPED else {"tools"})
    assert proof.digest == digest_of(proof)


def test_a_condition_that_is_dropped_breaks_its_invariant_with_the_plainest_input():
    """An officer who drops a condition is shown one input, with no fact changed that need not be, and what it gives away."""
    one = shown(IN_JURISDICTION, rego={JURISDICTION: ("\twithin_requester\n", "")})
    assert one.verdict == "broken"
    assert one.counterexample.differs == {"subject.jurisdictions": []}
    assert one.counterexample.engines == ("regorus",)


def test_an_exception_that_need_not_name_its_jurisdiction_is_found():
    """An officer whose exceptions need name no jurisdiction any more is shown an exception in force that opens one it does not name."""
    assert shown(WITHOUT_EXCEPTION).verdict == "holds"
    data = copy.deepcopy(SHIPPED.data)
    for code in ("JUR-001", "JUR-002"):
        data["context"]["exceptions"]["on_request"][code]["must_name"] = ["department"]
    one = shown(WITHOUT_EXCEPTION, data=data)
    assert one.verdict == "broken"
    found = one.counterexample.input
    assert any({"JUR-001", "JUR-002"}.intersection(exception["codes"]) for exception in found["exceptions"])
    assert found["item"]["jurisdiction"] not in {
        exception["scope"]["jurisdiction"] for exception in found["exceptions"]
    }


def test_a_label_of_its_own_name_is_part_of_every_input():
    """A rule that looks at a label which the schema does not list is read over every label, also where no label can be as it asks."""
    freshness, line = "context/freshness/freshness.rego", "\tcount(_too_old) == 0"
    asks = f'{line}\n\tsome name, _ in input.item.labels\n\tname == "kind"'
    one = shown(OF_A_KIND, rego={freshness: (line, asks)})
    assert one.verdict == "broken"
    assert "kind" in one.counterexample.input["item"]["labels"]
    refuses = f'{asks}\n\tevery other, _ in input.item.labels {{\n\t\tother != "kind"\n\t}}'
    assert shown(OF_A_KIND, rego={freshness: (line, refuses)}).verdict == "holds"


def test_a_rule_that_gives_more_to_whoever_has_less_is_found():
    """Two inputs are brought, of which the one with less is permitted."""
    rego = {
        JURISDICTION: (
            "within_requester if _applies_everywhere",
            'within_requester if not "HK" in input.subject.jurisdictions',
        )
    }
    one = shown(LOSING, rego=rego)
    assert one.verdict == "broken"
    more, less = (facts["subject"]["jurisdictions"] for facts in (one.counterexample.input, one.counterexample.other))
    assert "HK" in more
    assert "HK" not in less
    assert set(less) < set(more)


def test_an_exception_that_reaches_further_is_found():
    """An exception whose agent is no longer looked at makes a difference to other agents, and that is shown."""
    rego = {"context/exceptions/exceptions.rego": ("\texception.scope.agent == input.agent.id\n", "")}
    assert shown(TOUCHING).verdict == "holds"
    one = shown(TOUCHING, rego=rego)
    assert one.verdict == "broken"
    assert one.counterexample.input["agent"]["id"] not in {"", "ORM_ANALYST"} or "item" in one.counterexample.input


def test_what_is_not_covered_is_named_and_never_called_proved():
    """Whatever stands in place of a condition that is not covered may be true, so nothing that hangs on it is proved."""
    rego = {
        JURISDICTION: (
            "within_requester if input.item.jurisdiction in input.subject.jurisdictions",
            'within_requester if object.get(input.subject, "role", input.item.jurisdiction) == "x"',
        )
    }
    one = shown(IN_JURISDICTION, rego=rego)
    assert one.verdict == "open"
    assert "do not decide so" in one.reason


def test_a_false_proof_is_not_made_of_a_fact_that_may_be_null():
    """In Rego null stands before every number, so that a comparison alone lets an age through that nobody knows."""
    invariants = HEAD + "    never: {item.age_seconds: null}\n"
    assert shown(invariants).verdict == "holds"
    freshness = "context/freshness/freshness.rego"
    rego = {
        freshness: (
            "\tis_number(input.item.age_seconds)\n\tinput.item.age_seconds >= 0",
            "\tinput.item.age_seconds <= 10",
        )
    }
    assert shown(HEAD + "    never: {item.age_seconds: {under: 0}}\n", rego=rego).verdict == "broken"
