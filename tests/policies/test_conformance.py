"""OPA's own conformance cases on the embedded engine."""

import json

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.errors import BundleInvalidError
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME
from gateway.workbench.checks import check
from tests.support.bundles import TRUST, with_module
from tests.support.services import need
from tools.conformance import LIST, VERSION, failing, folder, outcomes


def test_the_list_of_what_does_not_pass_is_true():
    """
    The committed list names exactly the cases that the embedded engine does not pass, by reason.
    """
    root = folder()
    need(root is not None, "the Go module of OPA")
    found = outcomes(root)
    listed = json.loads(LIST.read_text())
    assert listed["not_passing"] == failing(found)
    assert (listed["opa"], listed["cases"]) == (VERSION, len(found))
    assert listed["passing"] == sum(outcome == "passes" for outcome in found.values()) > 1000


@pytest.mark.parametrize(
    "call",
    [
        reason.removeprefix("has no ")
        for reason in json.loads(LIST.read_text())["not_passing"]
        if reason.startswith("has no ") and "." in reason
    ],
)
def test_a_bundle_that_uses_a_missing_function_is_refused(call):
    """
    A bundle that uses a function the embedded engine lacks is refused: it does not compile, or fails a check.
    """
    broken = with_module(
        TRUST, lambda rego: rego.replace("permit if {", f"permit if {{\n\t{call}(input.item.owner)", 1)
    )
    if not check(broken):
        with pytest.raises(BundleInvalidError):
            RegorusPolicyEngine(broken)


def test_our_own_policies_use_none_of_it():
    """
    The shipped policies pass the same checks.
    """
    assert check(load_bundle(HOME / "policies")) == []
