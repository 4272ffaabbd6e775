"""`ctxgate policy new`: what is written, and what is refused before anything is."""

import pytest

from typer.testing import CliRunner

from gateway.cli import application
from gateway.errors import FieldInvalidError, MalformedJsonError, NotFoundError

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
