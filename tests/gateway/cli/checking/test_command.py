"""`ctxgate policy check` and `test`: forms and statuses."""

import json
import shutil

from xml.etree import ElementTree as ET

import pytest

from typer.testing import CliRunner

from gateway.cli import application
from gateway.cli.checking.exits import FAILS, MAY_NOT_DECIDE
from gateway.cli.checking.watch import states
from tests.support.bundles import POLICIES, SHIPPED, edit


@pytest.fixture
def run(monkeypatch):
    """The commands, in this process, as on a machine without OPA."""
    monkeypatch.setattr("gateway.cli.checking.command.shutil.which", lambda _: None)
    runner, app = CliRunner(env={"COLUMNS": "80", "NO_COLOR": "1"}), application(["policy"])
    return lambda *arguments: runner.invoke(app, ["policy", *map(str, arguments)])


@pytest.fixture
def policies(tmp_path):
    shutil.copytree(POLICIES, tmp_path / "policies")
    return tmp_path / "policies"


def test_a_bundle_that_may_decide(run):
    """
    The revision stands whole on one line, however narrow the terminal.
    """
    done = run("check")
    assert done.exit_code == 0
    assert f"Revision {SHIPPED.revision}\n" in done.stdout


def test_each_outcome_has_its_status(run, policies):
    """
    A pipeline tells a bundle that may not decide from a case that fails by the status alone.
    """
    edit(policies, "entitlement/data.yaml", "analyst: CONFIDENTIAL", "analyst: PUBLIC")
    done = run("test", policies, "--quick", "--json")
    assert done.exit_code == FAILS
    edit(policies, "entitlement/data.yaml", "analyst: PUBLIC", "analyst: PUBLIK")
    assert run("test", policies, "--quick").exit_code == MAY_NOT_DECIDE
    assert run("check", policies).exit_code == MAY_NOT_DECIDE
    (policies / "context/trust/data.yaml").write_text("a: [")
    done = run("check", policies)
    assert done.exit_code == MAY_NOT_DECIDE
    assert "context/trust/data.yaml" in done.stdout
    assert run("check", "--no-such-option").exit_code == 2


def test_json_for_another_program(run, policies):
    """
    With --json the output is one document: problems with file, line and column.
    """
    edit(policies, "entitlement/data.yaml", "coo: RESTRICTED", "coo: RESTRCTED")
    document = json.loads(run("check", policies, "--json").stdout)
    [found] = document["findings"]
    assert document["may_decide"] is False
    assert (found["file"], found["kind"]) == ("context/entitlement/data.yaml", "table")
    assert "RESTRICTED" in found["hint"]
    assert found["line"] > 1
    assert found["column"] > 1


def test_files_for_pipelines(run, policies, tmp_path):
    """
    JUnit and SARIF are written beside what people read, also where a case fails, and name its line.
    """
    edit(
        policies,
        "classification/cases.yaml",
        "admin: [allowed, allowed, CLS-001, CLS-001]",
        "admin: [allowed, allowed, allowed, CLS-001]",
    )
    xml, log = tmp_path / "junit.xml", tmp_path / "found.sarif"
    done = run("test", policies, "--quick", "--junit", xml, "--sarif", log)
    assert done.exit_code == FAILS
    assert "clearance: admin, CONFIDENTIAL: should be allowed, is refused with CLS-001." in done.stdout
    failures = ET.parse(xml).findall(".//failure")  # noqa: S314 - our own
    assert len(failures) == 1
    [result] = json.loads(log.read_text())["runs"][0]["results"]
    line = result["locations"][0]["physicalLocation"]["region"]["startLine"]
    text = (policies / "context/classification/cases.yaml").read_text().split("\n")[line - 1]
    assert text.strip().startswith("admin:")


def test_again_with_every_change(run, policies, monkeypatch):
    """
    With --watch the command says anew what is wrong as soon as a file is saved, until it is stopped.
    """
    name = "entitlement/data.yaml"

    turns = []

    def save(_):
        turns.append(1)
        if len(turns) == 1:
            edit(policies, name, "coo: RESTRICTED", "coo: RESTRCTED")
        elif len(turns) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("gateway.cli.checking.command.states", lambda root: states(root, save))
    said = run("check", policies, "--watch").stdout
    assert said.index("may decide") < said.index("RESTRCTED is no classification")
