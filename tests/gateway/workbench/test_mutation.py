"""A line that no case would miss is named, whichever rule and alternative it stands in."""

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.bootstrap.policies import failing_rego_tests
from gateway.errors import BundleInvalidError
from gateway.workbench.cases import read_cases
from gateway.workbench.mutation import mutate
from tests.support.bundles import SHIPPED, with_module

_AREA = "context/jurisdiction/jurisdiction.rego"
_CASES = read_cases(SHIPPED)
_WIDER = """
within_requester if {
	input.item.jurisdiction == "HK"
	input.subject.department == "COO"
}
"""


def lost(bundle, cases=_CASES):
    found = mutate(bundle, cases, RegorusPolicyEngine, tests=failing_rego_tests, areas=["jurisdiction"])
    return [change for change in found.changes if not change.noticed_by]


def test_a_new_alternative_without_a_case_is_noticed():
    """
    An alternative that lets more through, and each of its lines, is told with its place where no case is about it.
    """
    bundle = with_module(_AREA, lambda rego: rego + _WIDER)
    found = lost(bundle)

    assert {change.rule for change in found} == {"within_requester"}
    assert {change.condition.partition(" ")[0] for change in found} == {"without", "with"}
    assert any(change.condition.startswith("without the alternative") for change in found)
    start = len(SHIPPED.modules[_AREA].split("\n"))
    assert all(change.line > start - 1 for change in found)
    assert found[0].where.startswith(f"{_AREA}:")


def test_one_line_of_an_alternative_that_is_not_held_is_named():
    """
    A line taken out of an alternative that widens is missed by somebody, or told.
    """
    found = mutate(SHIPPED, _CASES, RegorusPolicyEngine, tests=failing_rego_tests, areas=["jurisdiction"])

    assert found.survivors == ()
    noticed = {change.condition: change.noticed_by for change in found.changes if change.rule == "within_requester"}
    assert len(noticed) >= 3
    assert all(name.partition(": ")[2] for name in noticed.values())


def test_cases_that_fail_already_notice_nothing():
    """
    A case that fails before anything is changed does not count as one that noticed.
    """
    none = mutate(SHIPPED, [], RegorusPolicyEngine, areas=["sections"])
    broken = with_module("context/sections/sections.rego", lambda rego: rego + "\npermit if true\n")
    few = [case for case in _CASES if case.area == "sections" and case.permitted is False]

    assert len(none.survivors) == none.conditions > 10
    assert any(not one.noticed_by for one in mutate(broken, few, RegorusPolicyEngine, areas=["sections"]).changes)


def test_an_area_without_its_module_is_told():
    """
    Nothing is said of a bundle whose list names an area that has no rules.
    """
    modules = {name: text for name, text in SHIPPED.modules.items() if name != _AREA}
    with pytest.raises(BundleInvalidError, match="jurisdiction"):
        mutate(with_module(_AREA, lambda _: "").__class__("r", modules, SHIPPED.data), [], RegorusPolicyEngine)
