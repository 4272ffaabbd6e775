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

from gateway.policy.annotations import annotations, emitted_codes
from gateway.policy.bundle import ENTRYPOINTS, load_bundle
from gateway.settings import HOME
from gateway.workbench.cases import merged
from tests.support.services import OPA, need

POLICIES = HOME / "policies"
CONTEXT = POLICIES / "context"
AREAS = sorted(path.parent.name for path in CONTEXT.glob("*/cases.yaml"))
BUNDLE = load_bundle(POLICIES)
BASE: dict[str, Any] = yaml.safe_load((CONTEXT / "cases.base.yaml").read_text())


def machine(rules: list[str]) -> regorus.Rvm:
    data = json.dumps(BUNDLE.data)
    program = regorus.Program.compile_from_modules(data, list(BUNDLE.modules.items()), rules)
    made = regorus.Rvm()
    made.load_program(program)
    made.set_data_json(data)
    return made


COMPILED = machine(
    [f"data.context.{area}.{rule}" for area in AREAS for rule in ("permit", "deny")]
    + [f"data.{name.replace('/', '.')}" for name in ENTRYPOINTS]
)


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


def cases(part: str) -> list[Any]:
    found = []
    for area in AREAS:
        document = yaml.safe_load((CONTEXT / area / "cases.yaml").read_text())
        found += [pytest.param(area, case, id=f"{area}: {case['case']}") for case in document[part]]
    return found


@pytest.mark.parametrize(("area", "case"), cases("allowed"))
def test_allowed(area, case):
    """
    What the officers' cases allow is permitted, and nothing explains a refusal.
    """
    facts = merged(BASE, case["change"])
    assert evaluate(f"data.context.{area}.permit", facts) is True
    assert evaluate(f"data.context.{area}.deny", facts) == []


@pytest.mark.parametrize(("area", "case"), cases("refused"))
def test_refused(area, case):
    """
    What the officers' cases refuse is refused, with exactly their codes.
    """
    facts = merged(BASE, case["change"])
    assert evaluate(f"data.context.{area}.permit", facts) is not True
    assert case["codes"] == sorted(refusal["code"] for refusal in evaluate(f"data.context.{area}.deny", facts))


@pytest.mark.parametrize("area", AREAS)
def test_nothing_known(area):
    """
    A fact that is missing refuses.
    """
    codes = yaml.safe_load((CONTEXT / area / "cases.yaml").read_text())["nothing_known"]["codes"]
    assert codes == sorted(refusal["code"] for refusal in evaluate(f"data.context.{area}.deny", {}))
    if codes:
        assert evaluate(f"data.context.{area}.permit", {}) is not True


def test_every_area_has_rules_tests_and_cases():
    """
    Rule, test and case: always three.
    """
    for folder in (path for path in CONTEXT.iterdir() if path.is_dir() and path.name != "batch"):
        expected = {"data.yaml", "cases.yaml", f"{folder.name}.rego", f"{folder.name}_test.rego"}
        assert expected == {path.name for path in folder.iterdir()}


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
            if block.code and re.match(r"(deny|set_aside|_admit_denials) contains", block.target):
                assert block.controls, f"{name}:{block.line}"


# Inputs that are wrong in every way: any field missing, null, of another type or of an odd value.
ODD = st.sampled_from([None, "", "SG", "NPA", "analyst", 0, -1, 1.5, True, [], ["SG"], {}, {"id": 1}, "2026-03-01"])


@st.composite
def damaged(draw: Any) -> dict[str, Any]:
    facts = deepcopy(BASE)
    facts["findings"] = draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "kind": st.sampled_from(["pii", "injection"]),
                    "type": st.sampled_from(["PHONE_NUMBER", "CREDIT_CARD", "SG_NRIC_FIN", "SHOE_SIZE"]),
                    "score": st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0]),
                },
            )
            | st.sampled_from([{"kind": "pii"}, {"kind": "injection"}, {"type": "PHONE_NUMBER"}, {}, 7]),
            max_size=3,
        )
    )
    for _ in range(draw(st.integers(0, 4))):
        target, path = facts, draw(st.sampled_from(sorted(facts)))
        while isinstance(target[path], dict) and target[path] and draw(st.booleans()):
            target = target[path]
            path = draw(st.sampled_from(sorted(target)))
        if draw(st.booleans()):
            target[path] = deepcopy(draw(ODD))
        else:
            del target[path]
        if not facts:
            break
    return facts


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
