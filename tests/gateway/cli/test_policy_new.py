"""`ctxgate policy new`: what is written, and what is refused before anything is."""

import json

import pytest
import yaml

from typer.testing import CliRunner

from gateway.cli import application
from gateway.errors import FieldInvalidError, MalformedJsonError, NotFoundError
from gateway.model import Candidate
from gateway.model.registry import Prompt
from tests.support.commands import STORY, in_folder

RULE = {
    "code": "JUR-099",
    "title": "Owner not known",
    "description": "The item does not say who owns it.",
    "control": "https://controls.bank.example/DPO-017",
    "condition": "owner_known",
    "holds-if": "is_string(input.item.owner)",
}


@pytest.fixture
def run(policies):
    """The commands, in this process, on a copy of the policies."""
    runner, app = CliRunner(env={"COLUMNS": "200", "NO_COLOR": "1"}), application(["policy"])
    return lambda *arguments: runner.invoke(app, ["policy", "new", *arguments, "--bundle", str(policies)])


def options(**changes):
    return [f"--{name}={value}" for name, value in {**RULE, **changes}.items()]


def test_a_rule_stands_in_its_area(run, policies):
    """
    The rule is written with its METADATA, and the officer is told to add a case.
    """
    done = run("rule", "jurisdiction", *options())
    assert done.exit_code == 0, done.exception
    assert "Add a case" in done.stdout
    text = (policies / "context/jurisdiction/jurisdiction.rego").read_text()
    assert "#   code: JUR-099" in text
    assert "owner_known" in text


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["case", "jurisdiction", "--name=x", "--change={"], MalformedJsonError),
        (["case", "nowhere", "--name=x", "--change={}"], NotFoundError),
        (["rule", "jurisdiction", *options(code="JUR-001")], FieldInvalidError),
        (["area", "trust", "--title=x", "--owner=y"], FieldInvalidError),
    ],
)
def test_what_is_refused_changes_nothing(run, policies, arguments, error):
    """
    A change that is no JSON, an area that is not there, a taken code and a taken area leave every file as it was.
    """
    before = {path: path.read_bytes() for path in policies.rglob("*") if path.is_file()}
    assert isinstance(run(*arguments).exception, error)
    assert {path: path.read_bytes() for path in policies.rglob("*") if path.is_file()} == before


ITEMS = {item["id"]: item for item in json.loads((STORY / "request.json").read_text())["items"]}


@pytest.fixture
def command(tmp_path):
    """The command, in a folder of its own."""
    return in_folder(tmp_path)


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_text(command, tmp_path, end):
    """
    The entry of a system prompt has the hash that the shipped library has, with or without the line end that editors add.
    """
    (tmp_path / "risk.txt").write_text(ITEMS["system-risk"]["content"] + end)
    done = command("policy", "prompt", "risk.txt", "--id", "system-risk", "--version", "4.20", "--agent", "RISK")
    [entry] = yaml.safe_load(done.stdout)
    prompt = Prompt.model_validate(entry)
    assert prompt.sha256 == Candidate.model_validate(ITEMS["system-risk"]).digest
    assert (prompt.id, prompt.version, prompt.sections, prompt.agents) == (
        "system-risk",
        "4.20",
        ("system",),
        ("RISK",),
    )


def test_examples_in_json(command, tmp_path):
    """
    A JSON document is hashed by its value, however it is written, and may be for several sections and all agents.
    """
    content = {"b": [1.0, 2], "a": "é"}
    (tmp_path / "golden.json").write_text(json.dumps(content, indent=4) + "\n")
    done = command("policy", "prompt", "golden.json", "--section", "few_shot", "--section", "tool_schema")
    [entry] = yaml.safe_load(done.stdout)
    assert entry["sha256"] == Candidate(id="a", section="few_shot", content={"a": "é", "b": [1, 2.0]}).digest
    assert (entry["id"], entry["sections"], entry["agents"]) == ("golden", ["few_shot", "tool_schema"], ["*"])


def test_what_is_not_json(command, tmp_path):
    """
    A file named .json that holds none is refused with a code.
    """
    (tmp_path / "golden.json").write_text("{")
    done = command("policy", "prompt", "golden.json")
    assert (done.returncode, "GW-" in done.stderr, done.stdout) == (1, True, "")
