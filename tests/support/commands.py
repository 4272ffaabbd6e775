"""
The `ctxgate` command: in a process of its own as users run it, and in this one, which takes a second less each.

Both run `main`, with its arguments, in a folder, and give status and output.  A process of its own is for what only that shows:
that the command starts, serves, and loads what it needs; what it answers is asked in this process.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import traceback

from unittest import mock

from gateway.cli import main
from gateway.cli.output import console, errors
from gateway.settings import HOME

STORY = HOME / "examples/npa-risk"

COMMAND = [sys.executable, "-c", "from gateway.cli import main; main()"]
"""The command with the Python that runs the tests, installed or not."""


VERIFY = ("ledger", "verify", "--waive", "key", "--waive", "policy")
"""Verification of a ledger whose log has no witnesses and whose key nobody brought from elsewhere."""


LOOKS = {"COLUMNS": "200", "NO_COLOR": "1"}
"""So wide that no table breaks its words, and without colours."""


def process_in(folder):
    """`ctxgate …` as a process in a folder, which is where its state lies; environment variables as keywords."""

    def command(*arguments, **environment):
        return subprocess.run(
            [*COMMAND, *map(str, arguments)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(HOME), **LOOKS, **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    return command


def in_folder(folder):
    """The same in this process; what `main` lets through is a trace and a status of 1, as Python makes of it."""

    def command(*arguments, **environment):
        out, err, status = io.StringIO(), io.StringIO(), 0
        with contextlib.ExitStack() as stack:
            stack.enter_context(contextlib.chdir(folder))
            stack.enter_context(mock.patch.dict(os.environ, environment))
            stack.enter_context(mock.patch.object(sys, "argv", ["ctxgate", *map(str, arguments)]))
            for one in (console, errors):
                stack.enter_context(mock.patch.multiple(one, _width=200, no_color=True))
            stack.enter_context(contextlib.redirect_stdout(out))
            stack.enter_context(contextlib.redirect_stderr(err))
            try:
                main()
            except SystemExit as end:
                status = end.code or 0
            except Exception:
                traceback.print_exc()
                status = 1
        return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())

    return command


def officer(run, folder, name, scope, **claims):
    """A file with a development token of an officer, as a command takes it, for the gateway of that folder."""
    person = {**json.loads((STORY / "subject.json").read_text()), "sub": name, "scope": scope, **claims}
    file, held = folder / f"{name}.json", folder / f"{name}.token"
    file.write_text(json.dumps(person))
    done = run("dev", "token", "--as", file)
    assert done.returncode == 0, done.stderr
    held.write_text(done.stdout)
    return held


def verify_export(folder, *more):
    """An export, checked by the verifier of one file, which needs nothing of ours."""
    command = [sys.executable, "-I", HOME / "tools/verify_ledger.py", folder, *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)
