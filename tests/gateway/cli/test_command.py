"""The command itself: its help, its version, and how mistakes end."""

from importlib.metadata import version
from pathlib import Path

import pytest

from gateway.settings import HOME
from tests.support.commands import STORY


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (("assemble", "{bad}", "--as", "{subject}"), "GW-111"),
        (("assemble", "{request}", "--as", "{bad}"), "GW-111"),
        (("assemble", "{request}", "--as", "{empty}"), "GW-106"),
        (("assemble", "{request}", "--as", "{subject}", "--now", "yesterday"), "GW-120"),
        (("assemble", "{request}", "--as", "{subject}", "--now", "2026-03-01T09:15:00"), "GW-120"),
        (("assemble", "{request}", "--as", "{subject}", "--now", "2027-03-01T09:15:00Z"), "GW-153"),
        (("demo", "no-such-story"), "GW-170"),
        (("ledger", "verify"), "GW-170"),
        (("ledger", "show", "x"), "GW-170"),
    ],
)
def test_errors_are_codes_not_traces(run, tmp_path, args, text):
    """
    Every mistake ends with a code and a sentence, and a status that scripts can use.
    """
    (tmp_path / "bad.json").write_text("{")
    (tmp_path / "empty.json").write_text("{}")
    names = {
        "bad": tmp_path / "bad.json",
        "empty": tmp_path / "empty.json",
        "request": STORY / "request.json",
        "subject": STORY / "subject.json",
    }
    done = run(*(arg.format(**names) for arg in args))
    assert done.returncode == 1
    assert text in done.stderr
    assert "Traceback" not in done.stderr


def test_a_mistake_of_a_process(process):
    """
    What a script sees of a mistake is a status, and of its reason a code: no trace, and nothing on the standard output.
    """
    done = process("demo", "no-such-story")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("GW-170 ")


def test_help_names_every_command(process):
    """
    A newcomer finds the commands.
    """
    shown = process("--help").stdout
    for name in ("assemble", "demo", "serve", "ledger", "dev"):
        assert name in shown
    assert Path(HOME / "README.md").is_file()


def test_version(process):
    """
    `--version` names the build that records name.
    """
    done = process("--version")
    assert (done.returncode, done.stdout.split()) == (0, ["ctxgate", version("ctxgate")])
