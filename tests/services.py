"""Real servers, started on loopback for the tests."""

import shutil
import socket
import subprocess
import time

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

OPA = shutil.which("opa", path=f"{Path.home()}/.cache/ctxgate/bin:/usr/local/bin:/usr/bin")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def opa_server(bundle: Path, *more: str, wait: int = 200) -> Iterator[str]:
    """An OPA server with a bundle; its URL."""
    port = free_port()
    command = [str(OPA), "run", "--server", "--bundle", str(bundle), "--addr", f"127.0.0.1:{port}", *more]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(wait):
            try:
                httpx.get(f"{url}/health").raise_for_status()
                break
            except httpx.HTTPError:
                time.sleep(0.05)
        yield url
    finally:
        process.kill()
        process.wait()
