"""The `ctxgate` command as users run it: a process in a folder, with its output."""

import os
import subprocess
import sys

from gateway.settings import HOME

STORY = HOME / "examples/npa-risk"

COMMAND = [sys.executable, "-c", "from gateway.cli import main; main()"]
"""The command with the Python that runs the tests, installed or not."""


def in_folder(folder):
    """`ctxgate …` in a folder, which is where its state lies; environment variables as keywords."""

    def command(*arguments, **environment):
        return subprocess.run(
            [*COMMAND, *map(str, arguments)],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(HOME), "COLUMNS": "200", "NO_COLOR": "1", **environment},
            capture_output=True,
            text=True,
            check=False,
        )

    return command


def verify_export(folder, *more):
    """An export, checked by the verifier of one file, which needs nothing of ours."""
    command = [sys.executable, "-I", HOME / "tools/verify_ledger.py", folder, *more]
    return subprocess.run(command, capture_output=True, text=True, check=False)
