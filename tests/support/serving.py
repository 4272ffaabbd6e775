"""A gateway served on loopback, as officers elsewhere have it."""

import os
import subprocess

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gateway.settings import HOME
from tests.support.commands import COMMAND
from tools.loopback import free_port, until_up


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[str]:
    """The address of a gateway whose state lies in a folder; it is stopped at the end."""
    port = free_port()
    given = {**os.environ, "PYTHONPATH": str(HOME), "CTXGATE_DETECTOR_WORKERS": "1", **environment}
    server = subprocess.Popen(
        [*COMMAND, "serve", "--port", str(port)],
        cwd=folder,
        env=given,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until_up(server, f"http://127.0.0.1:{port}/readyz", seconds=180)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(timeout=20)
