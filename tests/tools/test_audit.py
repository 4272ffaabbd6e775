"""The report of known vulnerabilities: what was found, what was not looked at, and that nobody could be asked."""

import json

import pytest

from tools.audit import NOT_AUDITED, SERVICES, main

CLEAN = {"dependencies": [{"name": "a", "version": "1", "vulns": []}]}
FOUND = {"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "X-1", "fix_versions": ["2"]}]}]}
SKIPPED = {"dependencies": [*CLEAN["dependencies"], {"name": "b", "skip_reason": "no such package"}]}


@pytest.fixture
def tool(tmp_path):
    """A stand-in for pip-audit that says what it is told to, for each database."""

    def make(**answers):
        said = {
            service: json.dumps(answer) if isinstance(answer, dict) else answer for service, answer in answers.items()
        }
        path = tmp_path / "pip-audit"
        lines = [f'case "$*" in *"-s {service} "*) cat <<"X"\n{text}\nX\n;; esac' for service, text in said.items()]
        path.write_text("#!/bin/sh\n" + "\n".join(lines) + "\necho broken >&2\nexit 1\n")
        path.chmod(0o755)
        return path

    return make


def run(tool, tmp_path, *, required=False):
    return main(tool, [tmp_path / "r.txt"], tmp_path / "out/v.json", required=required)


def test_what_is_known(tool, tmp_path, capsys):
    """
    A vulnerability, and a package that was not looked at, are told by name and fail; a clean answer does not.
    """
    for answer, status, text in (
        (CLEAN, 0, "1 packages by pypi"),
        (FOUND, 1, "a 1: X-1, fixed in 2"),
        (SKIPPED, 1, "not looked at"),
    ):
        assert run(tool(pypi=answer), tmp_path) == status
        assert text in capsys.readouterr().out
        assert json.loads((tmp_path / "out/v.json").read_text())["audited"] is True


def test_the_next_database_is_asked(tool, tmp_path, capsys):
    """
    Where the first does not answer, the second does, and it is said which.
    """
    assert run(tool(pypi="<html>", osv=CLEAN), tmp_path) == 0
    said = capsys.readouterr()
    assert "by osv" in said.out
    assert "pypi did not answer: broken" in said.err


@pytest.mark.parametrize(
    "answer", ["", "{}", '{"dependencies": []}', "[]", '{"dependencies": [{"name": "a", "skip_reason": "not found"}]}']
)
def test_no_answer_is_no_clean_one(tool, tmp_path, capsys, answer):
    """
    Where none answers it is said so, the report says so, and where an audit is required that fails.
    """
    broken = tool(**dict.fromkeys(SERVICES, answer))
    assert run(broken, tmp_path) == 0
    assert "NOT AUDITED" in capsys.readouterr().out
    assert json.loads((tmp_path / "out/v.json").read_text())["audited"] is False
    assert run(broken, tmp_path, required=True) == NOT_AUDITED
    assert run(tmp_path / "none", tmp_path, required=True) == NOT_AUDITED
