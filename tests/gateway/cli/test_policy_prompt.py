"""`ctxgate policy prompt`."""

import json

import pytest
import yaml

from gateway.model import Candidate
from gateway.model.registry import Prompt
from tests.support.commands import STORY

ITEMS = {item["id"]: item for item in json.loads((STORY / "request.json").read_text())["items"]}


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_text(run, tmp_path, end):
    """
    The entry of a system prompt has the hash that the shipped library has, with or without the line end that editors add.
    """
    (tmp_path / "risk.txt").write_text(ITEMS["system-risk"]["content"] + end)
    done = run("policy", "prompt", "risk.txt", "--id", "system-risk", "--version", "4.20", "--agent", "RISK")
    [entry] = yaml.safe_load(done.stdout)
    prompt = Prompt.model_validate(entry)
    assert prompt.sha256 == Candidate.model_validate(ITEMS["system-risk"]).digest
    assert (prompt.id, prompt.version, prompt.sections, prompt.agents) == (
        "system-risk",
        "4.20",
        ("system",),
        ("RISK",),
    )


def test_examples_in_json(run, tmp_path):
    """
    A JSON document is hashed by its value, however it is written, and may be for several sections and all agents.
    """
    content = {"b": [1.0, 2], "a": "é"}
    (tmp_path / "golden.json").write_text(json.dumps(content, indent=4) + "\n")
    done = run("policy", "prompt", "golden.json", "--section", "few_shot", "--section", "tool_schema")
    [entry] = yaml.safe_load(done.stdout)
    assert entry["sha256"] == Candidate(id="a", section="few_shot", content={"a": "é", "b": [1, 2.0]}).digest
    assert (entry["id"], entry["sections"], entry["agents"]) == ("golden", ["few_shot", "tool_schema"], ["*"])


def test_what_is_not_json(run, tmp_path):
    """
    A file named .json that holds none is refused with a code.
    """
    (tmp_path / "golden.json").write_text("{")
    done = run("policy", "prompt", "golden.json")
    assert (done.returncode, "GW-" in done.stderr, done.stdout) == (1, True, "")
