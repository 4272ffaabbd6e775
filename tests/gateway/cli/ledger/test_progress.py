"""A bar is for people who wait at a terminal, and for nobody else."""

import os
import pty
import subprocess

import pytest

from gateway.cli.ledger.progress import progress_bar, watched
from gateway.settings import HOME
from ledger.sqlite.store import SqliteStore
from tests.support.commands import COMMAND, LOOKS, VERIFY


def on_a_terminal(folder, *arguments):
    """What a command writes to stdout, and what to a terminal that is its stderr."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, **LOOKS, "PYTHONPATH": str(HOME), "TERM": "xterm"}
    with subprocess.Popen(
        [*COMMAND, *map(str, arguments)], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        told = bytearray()
        try:
            while some := os.read(ours, 4096):
                told += some
        except OSError:
            # Linux says so where nobody holds the other end any more.
            pass
        return process.stdout.read().decode(), told.decode(), process.wait()


@pytest.mark.parametrize(
    ("arguments", "label"),
    [(VERIFY, "verifying"), (("ledger", "export", "out"), "exporting"), (("ledger", "replay"), "deciding again")],
)
def test_a_long_command_shows_how_far_it_is_on_a_terminal_alone(ledger, tmp_path, arguments, label):
    """
    On a terminal there is a bar on stderr; nowhere else, and never among what the command prints.
    """
    out, told, status = on_a_terminal(tmp_path, *arguments)
    assert status == 0, told
    assert label in told
    assert label not in out
    if "out" in arguments:
        (tmp_path / "out").rename(tmp_path / "before")
    plain = ledger(*arguments)
    assert plain.returncode == 0
    assert label not in plain.stdout + plain.stderr


def test_entries_are_counted_as_they_are_read(ledger, tmp_path):
    """
    Whoever reads entries one after the other, or many together, is told of as many, and gets what the store has.
    """
    store = SqliteStore(tmp_path / ".ctxgate" / "ledger.sqlite")
    steps = []
    seen = watched(store, steps.append)
    try:
        assert list(seen.scan()) == list(store.scan())
        assert seen.count() == store.count() == sum(steps) > 10
        assert seen.entries(2, 5) == store.entries(2, 5)
        assert steps[-1] == 3
    finally:
        store.close()


def test_without_a_terminal_nothing_is_written(capsys):
    """
    What is called after each step does nothing where nobody looks.
    """
    with progress_bar("counting", 2) as advance:
        advance()
        advance(1)
    assert capsys.readouterr() == ("", "")
