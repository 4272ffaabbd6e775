"""The shipped policies, on the engine that runs them."""

import json
import re
import shutil
import subprocess

from copy import deepcopy
from typing import Any

import pytest
import regorus
import yaml

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.policy.annotations import annotations, conditions, emitted_codes, refusals
from gateway.policy.areas import areas_of
from gateway.policy.bundle import load_bundle
from gateway.policy.entrypoints import NAMES as ENTRYPOINTS
from gateway.settings import HOME
from gateway.workbench.cases import load_cases, rules_of, run
from tests.support.policy_facts import damaged
from tests.support.services import OPA, need

POLICIES = HOME / "policies"
CONTEXT = POLICIES / "context"
BUNDLE = load_bundle(POLICIES)
AREAS = areas_of(BUNDLE)
CASES = load_cases(POLICIES)
BASE: dict[str, Any] = yaml.safe_load((CONTEXT / "cases.base.yaml").read_text())


def machine(rules: list[str]) -> regorus.Rvm:
    data = json.dumps(BUNDLE.data)
    program = regorus.Program.compile_from_modules(data, list(BUNDLE.modules.items()), rules)
    made = regorus.Rvm()
    made.load_program(program)
    made.set_data_json(data)
    return made


COMPILED = machine([f"data.{name.replace('/', '.')}" for name in ENTRYPOINTS])


def interpreter() -> regorus.Engine:
    engine = regorus.Engine()
    for name, rego in BUNDLE.modules.items():
        engine.add_policy(name, rego)
    engine.add_data_json(json.dumps(BUNDLE.data))
    return engine


def evaluate(rule: str, facts: object) -> Any:
    COMPILED.set_input_json(json.dumps(facts))
    answer = COMPILED.execute_entry_point(rule)
    return None if answer == '"<undefined>"' else json.loads(answer)


@pytest.fixture(scope="module")
def asked():
    """The compiled bundle, for every rule that a case is about."""
    return RegorusPolicyEngine(BUNDLE, rules_of(CASES))


@pytest.mark.parametrize("case", CASES, ids=[f"{case.area}: {case.name}" for case in CASES])
def test_a_case(case, asked):
    """
    What a case allows is permitted and nothing explains a refusal; what it refuses is refused with exactly its codes, by
    the area and by every entrypoint that asks it; a fact that is missing refuses.
    """
    assert [str(failure) for failure in run(asked, [case])] == []


def test_every_area_has_rules_and_cases():
    """
    Rule and case: always both; a table where the area has one of its own; Rego tests only for what a case cannot say.
    """
    for area in AREAS.listed:
        names = {path.name for path in (CONTEXT / area.name).iterdir()}
        needed = {"cases.yaml", f"{area.name}.rego"}
        assert needed <= names <= needed | {"data.yaml", "schema.json", f"{area.name}_test.rego"}
        parts = yaml.safe_load((CONTEXT / area.name / "cases.yaml").read_text())
        assert parts["area"] == area.name
        assert parts["allowed"]
        assert parts["refused" if area.refuses else "warned"]


def test_every_code_has_a_case():
    """
    No refusal or warning of a rule is without a case that shows it.
    """
    shown = {
        code for case in CASES for code in (*case.codes, *(code for codes in case.noted.values() for code in codes))
    }
    emitted = {block.code for rego in BUNDLE.modules.values() for block in annotations(rego) if block.code}
    assert emitted - shown == set()


MODULES = {name: rego for name, rego in BUNDLE.modules.items() if name.count("/") == 2}


@pytest.mark.parametrize("name", sorted(MODULES))
def test_what_is_internal_says_so(name):
    """
    A rule that nothing outside its area reads begins with an underscore, and no other rule does.
    """
    rego, area = MODULES[name], name.split("/")[1]
    others = "\n".join(text for other, text in BUNDLE.modules.items() if other != name)
    tests = BUNDLE.checks.get(name.replace(".rego", "_test.rego"), b"").decode()
    answers = {rule for case in CASES if case.area == area for rule in case.rules}
    named = AREAS.named(area)
    stated = {*conditions(rego)} if named and named.refuses else set()
    read = {*re.findall(rf"data\.context\.{area}\.(\w+)", others), *re.findall(rf"\b{area}\.(\w+)", tests)}
    explained = {one for refusal in refusals(rego) for one in refusal.conditions}
    public = answers | stated | read | explained | {"permit", "deny", "warn", "set_aside"}
    if area == "batch":
        public = {entrypoint.rpartition("/")[2] for entrypoint in ENTRYPOINTS}
    defined = set(re.findall(r"^(?:default )?([a-z_]\w*)(?= |\()", rego, re.MULTILINE)) - {
        "package",
        "import",
        "default",
    }
    assert {rule for rule in defined if rule.startswith("_")} & public == set()
    assert {rule for rule in defined if not rule.startswith("_")} - public == set()


def test_no_double_negatives_and_no_long_lines():
    """
    Rules can be read aloud: nothing denies what is named by a denial, and no line is wider than a page.
    """
    for name, rego in BUNDLE.modules.items():
        assert not re.search(r"\bnot (not|no|nothing|never|un)_", rego), name
        assert not re.search(r"\bnot un[a-z]+$", rego, re.MULTILINE), name
    tests = {name: body.decode() for name, body in BUNDLE.checks.items() if name.endswith(".rego")}
    # Generated from the cases, whose expected messages are as long as they are.
    tests.pop("context/cases_test.rego")
    for name, rego in (BUNDLE.modules | tests).items():
        assert not [line for line in rego.split("\n") if len(line) > 120], name


@pytest.mark.parametrize("name", sorted(BUNDLE.modules))
def test_codes_in_metadata_are_the_codes_emitted(name):
    """
    The page that is made from METADATA tells the truth about the rules.
    """
    rego = BUNDLE.modules[name]
    documented = [block.code for block in annotations(rego) if block.code]
    assert sorted(documented) == sorted(emitted_codes(rego))
    assert len(documented) == len(set(documented))


def test_every_refusal_names_its_control():
    """
    A refusal that implements no control is nobody's.
    """
    for name, rego in BUNDLE.modules.items():
        for block in annotations(rego):
            if block.code and re.match(r"(deny|set_aside|warn) contains", block.target):
                assert block.controls, f"{name}:{block.line}"


INTERPRETER = interpreter()


@settings(max_examples=400)
@given(damaged())
def test_compiled_and_interpreted_agree(facts):
    """
    The compiled program, which has been seen to drop conditions, gives the interpreter's answers.
    """
    INTERPRETER.set_input_json(json.dumps(facts))
    for name in ENTRYPOINTS:
        rule = f"data.{name.replace('/', '.')}"
        try:
            expected = json.loads(INTERPRETER.eval_rule_as_json(rule))
        except RuntimeError:  # the interpreter stops at iterating over null, where OPA and the program go on
            continue
        assert expected == evaluate(rule, facts)


@settings(max_examples=400)
@given(damaged())
def test_whatever_is_wrong_every_answer_is_whole(facts):
    """
    Every entrypoint always answers; what is not allowed is always explained, and what is allowed never.
    """
    for name in ("scope", "admit", "pack"):
        answer = evaluate(f"data.context.{name}", facts)
        assert answer["allow"] == (answer["denials"] == [])
    released = evaluate("data.context.release", facts)
    assert (released["outcome"] in {"released", "redacted"}) == (released["denials"] == [])


@settings(max_examples=300)
@given(damaged(), st.sampled_from(["domain", "jurisdiction", "data_classification", "source_type", "ttl_seconds"]))
def test_removing_a_label_never_helps(facts, label):
    """
    No item is admitted because a label is missing.
    """
    if not isinstance(facts.get("item"), dict):
        return
    without = deepcopy(facts)
    without["item"].pop(label, None)
    assert not evaluate("data.context.admit", without)["allow"]


def test_rego_tests_pass_on_opa():
    """
    The tests beside the rules pass on OPA, and cover every line of them.
    """
    need(OPA is not None, "opa")
    done = subprocess.run(
        [str(OPA), "test", "-b", "--coverage", "--threshold", "100", str(POLICIES)], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout.decode()[-2000:]


class TestBundle:
    def test_revision_changes_with_what_decides(self, tmp_path):
        """
        Another table row is another revision; another test is not.
        """
        shutil.copytree(POLICIES, tmp_path / "policies")
        first = load_bundle(tmp_path / "policies").revision
        (tmp_path / "policies/context/trust/cases.yaml").write_text("allowed: []\nrefused: []\n")
        assert first == load_bundle(tmp_path / "policies").revision
        table = tmp_path / "policies/context/trust/data.yaml"
        table.write_text(table.read_text().replace("web_purposes: [general_research]", "web_purposes: []"))
        assert first != load_bundle(tmp_path / "policies").revision
