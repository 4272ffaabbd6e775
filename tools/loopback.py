"""Servers on loopback, for tests and benchmarks: a port of their own, and patience until they answer."""

import contextlib
import random
import socket
import subprocess
import time

import httpx

PORTS = range(20_000, 32_000)
"""Below Linux's ephemeral ports (32768 to 60999), so that no client's socket takes a port before its server does."""


def free_port() -> int:
    """
    A port of loopback that nobody listens on.

    Raises:
        RuntimeError: None was found in a hundred tries.
    """
    for port in random.SystemRandom().sample(PORTS, 100):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no free port of loopback")


def until_up(process: subprocess.Popen[bytes], url: str, *, any_status: bool = False, seconds: float = 300) -> None:
    """
    Wait until a server answers.

    Args:
        process: The server.
        url: What to ask.
        any_status: Whether any answer will do, rather than a 2xx.
        seconds: How long to wait at most.

    Raises:
        RuntimeError: The server ended, or did not answer in time.
    """
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"the server of {url} ended with {process.returncode}")
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(url, timeout=10).is_success or any_status:
                return
        time.sleep(0.05)
    raise RuntimeError(f"{url} did not answer in {seconds:g} s")
