"""The command itself: its help, its version, and how mistakes end."""

import subprocess
import sys

from importlib.metadata import version
from pathlib import Path

import pytest
import typer

from gateway.cli import COMMANDS, SUMMARIES, application
from gateway.settings import HOME
from tests.support.commands import STORY

LISTING = """
import sys
from gateway.cli import main
sys.argv = ["ctxgate", *{arguments}]
try:
    main()
finally:
    heavy = {{"pydantic", "structlog", "regorus", "gateway.model", "gateway.settings"}} & sys.modules.keys()
    assert not heavy, heavy
"""


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


def listed(*arguments):
    code = LISTING.format(arguments=list(arguments))
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_the_list_says_what_the_commands_say():
    """Each command stands in the list, in its order, with the words of its own help."""
    commands = typer.main.get_command(application()).commands
    assert list(SUMMARIES) == list(COMMANDS) == list(commands)
    assert {name: one.get_short_help_str(400) for name, one in commands.items()} == SUMMARIES


def test_the_list_loads_no_command():
    """Whoever asks what there is, or for a version, waits for nothing that serves a request."""
    helped = listed("--help")
    assert helped.returncode == 0, helped.stderr
    assert all(name in helped.stdout for name in COMMANDS)
    assert listed("--version").stdout.startswith("ctxgate ")
