"""The three recipes of policies/README.md, followed."""

import shutil
import subprocess

from functools import partial

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.bootstrap.policies import failing_rego_tests
from gateway.errors import FieldInvalidError, NotFoundError
from gateway.policy.bundle import load_bundle
from gateway.settings import HOME
from gateway.workbench.cases import load_cases, rules_of, run
from gateway.workbench.checks import check
from gateway.workbench.mutation import mutate
from gateway.workbench.scaffold import NewRule, new_area, new_case, new_rule
from tests.support.commands import in_folder
from tests.support.services import OPA, need

RULE = NewRule(
    code="JUR-009",
    title="Owner not known",
    description="The item does not say who owns it.",
    control="https://controls.bank.example/DPO-017",
    condition="owner_known",
    holds_if="is_string(input.item.owner)",
)


@pytest.fixture
def policies(tmp_path):
    shutil.copytree(HOME / "policies", tmp_path / "policies")
    return tmp_path / "policies"


def failures(policies):
    bundle, cases = load_bundle(policies), load_cases(policies)
    assert check(bundle) == []
    return [str(failure) for failure in run(RegorusPolicyEngine(bundle, rules_of(cases)), cases)]


def lost(policies):
    """The changes of the area that no case notices."""
    bundle, cases = load_bundle(policies), load_cases(policies)
    found = mutate(bundle, cases, RegorusPolicyEngine, tests=failing_rego_tests, areas=["jurisdiction"]).survivors
    return {(change.rule, change.condition) for change in found}


def test_a_new_rule_and_its_case(policies):
    """
    A new rule refuses what it should; the mutation names it as long as it has no case, and not after.
    """
    new_rule(policies, "jurisdiction", RULE)
    assert failures(policies) == []
    assert ("permit", "without `owner_known`") in lost(policies)
    new_case(policies, "jurisdiction", "nobody owns it", {"item": {"owner": None}}, ["JUR-009"])
    new_case(policies, "jurisdiction", "somebody owns it", {"item": {"owner": "x"}}, [])
    assert failures(policies) == []
    assert lost(policies) == set()


def test_a_new_area(policies):
    """
    A new area decides at once: what it refuses is not admitted, and its cases and its Rego test hold.
    """
    new_area(policies, "retention", "Retention", "Group Records")
    assert failures(policies) == []
    need(OPA is not None, "opa")
    done = subprocess.run([str(OPA), "test", "-b", str(policies)], capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()[-1500:]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"code": "JUR-001"}, "code"),
        ({"condition": "within_request"}, "condition"),
        ({"condition": "not a name"}, "condition"),
        ({"holds_if": "count(deny) == 0"}, "holds_if"),
    ],
)
def test_what_is_not_written(policies, change, field):
    """
    A taken code, a taken name and a rule that may not decide are refused, and the file stays what it was.
    """
    path = policies / "context/jurisdiction/jurisdiction.rego"
    before = path.read_text()
    with pytest.raises(FieldInvalidError) as caught:
        new_rule(policies, "jurisdiction", RULE.model_copy(update=change))
    assert caught.value.fields[0][0] == field
    assert path.read_text() == before


def test_areas_that_are_not_there_or_are(policies):
    """
    A case needs its area, and an area a name of its own.
    """
    with pytest.raises(NotFoundError):
        new_case(policies, "nowhere", "x", {}, [])
    for name in ("trust", "no name"):
        with pytest.raises(FieldInvalidError):
            new_area(policies, name, "x", "y")


def test_the_commands(policies):
    """
    The same from the command line.
    """
    run_command = partial(in_folder(policies.parent), "policy", "new")
    into = ("--bundle", policies)
    about = [f"--{name.replace('_', '-')}={value}" for name, value in RULE.model_dump().items()]
    assert run_command("rule", "jurisdiction", *about, *into).returncode == 0
    change = '--change={"item": {"owner": null}}'
    assert run_command("case", "jurisdiction", "--name=nobody owns it", change, "--code=JUR-009", *into).returncode == 0
    assert run_command("area", "retention", "--title=Retention", "--owner=Group Records", *into).returncode == 0
    assert failures(policies) == []
    assert "GW-111" in run_command("case", "trust", "--name=x", "--change={", *into).stderr
