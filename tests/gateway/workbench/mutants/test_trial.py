"""Cases notice what changes what they say, and say which of them did."""

from dataclasses import replace

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.bootstrap.policies import failing_rego_tests
from gateway.errors import BundleInvalidError
from gateway.policy.areas import ENTRY
from gateway.policy.rego.parse import parse
from gateway.policy.rego.reader import modules
from gateway.workbench.cases import read_cases
from gateway.workbench.mutants.edits import RuleEdit, edits
from gateway.workbench.mutants.trial import Trial
from tests.support.bundles import SHIPPED

_AREA = "context/jurisdiction/jurisdiction.rego"
_CASES = read_cases(SHIPPED)


def changed(name, old, new):
    assert old in SHIPPED.modules[name]
    return SHIPPED.modules[name].replace(old, new, 1)


def test_a_case_of_the_area_notices():
    """
    Whoever is told of a change hears which case noticed it, by area and name.
    """
    trial = Trial(SHIPPED, _CASES, RegorusPolicyEngine)
    text = changed(_AREA, "\twithin_request\n", "")

    assert trial.noticed_by(_AREA, text) == "jurisdiction: outside the request"
    assert trial.noticed_by(_AREA, SHIPPED.modules[_AREA]) == ""


def test_an_entrypoint_notices_what_no_area_does():
    """
    An area that the entrypoints no longer ask is missed by its cases.
    """
    trial = Trial(SHIPPED, _CASES, RegorusPolicyEngine)

    found = trial.noticed_by(ENTRY, changed(ENTRY, "\tdata.context.sections.permit\n", ""))

    assert found.startswith("sections: ")


def test_a_rego_test_notices_what_no_case_does():
    """
    Where the cases say nothing, the tests beside the module are asked.
    """
    name = "context/pii/pii.rego"
    few = [case for case in _CASES if case.area != "pii"]
    text = changed(name, "count(entities) > 0", "count(entities) > 5")
    trial = Trial(SHIPPED, few, RegorusPolicyEngine, failing_rego_tests)

    assert "pii_test.rego" in trial.noticed_by(name, text)
    assert Trial(SHIPPED, few, RegorusPolicyEngine).noticed_by(name, text) == ""


def test_what_does_not_compile_is_no_change():
    """
    A text that is no policy any more is told from one that decides otherwise.
    """
    trial = Trial(SHIPPED, _CASES, RegorusPolicyEngine)

    with pytest.raises(BundleInvalidError):
        trial.noticed_by(_AREA, changed(_AREA, "permit if {", "permit if {\n\tnobody_wrote_this\n"))


@pytest.mark.parametrize("area", ["granting", "standing", "sections", "exposure"])
def test_a_change_of_one_place_is_noticed_as_its_whole_text_is(area):
    """
    What is asked only of the rules that read the changed one says the same as all that is asked of the changed text.
    """
    module = modules(SHIPPED)[f"context/{area}/{area}.rego"]
    trial = Trial(SHIPPED, _CASES, RegorusPolicyEngine, failing_rego_tests)

    changes = list(edits(module))[::3]

    narrow = [trial.noticed(edit) for edit in changes]
    assert narrow == [trial.noticed_by(module.file, edit.applied(module)) for edit in changes]
    assert any(narrow)


def test_a_change_of_the_entrypoints_is_tried_on_those_that_read_it():
    """
    Of a rule of one entrypoint alone, that entrypoint is compiled and asked, and nothing else.
    """
    compiled = []

    def compile_(bundle, rules):
        compiled.append(rules)
        return RegorusPolicyEngine(bundle, rules)

    trial = Trial(SHIPPED, _CASES, compile_)
    [edit] = [
        one for one in edits(modules(SHIPPED)[ENTRY]) if one.what == "without `data.context.detokenization.permit`"
    ]

    assert trial.noticed(edit).startswith("detokenization: ")
    assert compiled[0] == ["context/detokenize"]


def test_a_rule_that_nobody_asks_for_must_compile_all_the_same():
    """
    A change after which there is no policy any more is told from one that nobody notices, also where nobody asks.
    """
    text = "package context.lonely\np := x if some x in [1]\n"
    bundle = replace(SHIPPED, modules={**SHIPPED.modules, "context/lonely/lonely.rego": text})
    trial = Trial(bundle, _CASES, RegorusPolicyEngine)
    place = parse("context/lonely/lonely.rego", text).rules[0].bodies[0].query.statements[0].place

    with pytest.raises(BundleInvalidError):
        trial.noticed(RuleEdit(place, "p", "without it", "("))
