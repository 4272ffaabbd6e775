"""`ctxgate top`, and `ctxgate serve --accept-rollback`."""

import io
import os
import signal
import subprocess
import sys

import pytest

from rich.console import Console

from gateway.cli.top import samples, view
from gateway.errors import NotFoundError
from gateway.settings import HOME
from tools.loopback import free_port, until_up


def test_top_and_an_accepted_rollback(ledger, tmp_path, monkeypatch):
    """
    `serve --accept-rollback` goes on from an older copy, which is recorded; `top` shows the gateway that runs.
    """
    monkeypatch.setenv("CTXGATE_MONITOR_TOKEN", "watching")
    state = tmp_path / ".ctxgate"
    copies = {path.name: path.read_bytes() for path in state.glob("ledger.sqlite*")}
    assert ledger("ledger", "query").returncode == 0
    for path in state.glob("ledger.sqlite*"):
        path.unlink()
    for name, body in copies.items():
        (state / name).write_bytes(body)
    port = free_port()
    command = [sys.executable, "-c", "from gateway.cli import main; main()", "serve", "--port", str(port)]
    environment = {**os.environ, "PYTHONPATH": str(HOME), "CTXGATE_DETECTOR_WORKERS": "0"}
    given = {"cwd": tmp_path, "env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    assert subprocess.run(command, **given, check=False, timeout=120).returncode != 0
    process = subprocess.Popen([*command, "--accept-rollback", "restored on 2 March"], **given)
    url = f"http://127.0.0.1:{port}"
    try:
        until_up(process, f"{url}/readyz")
        with monkeypatch.context() as patch, pytest.raises(NotFoundError):
            patch.setenv("CTXGATE_MONITOR_TOKEN", "guessing")
            samples(url)
        first = samples(url)
        out = io.StringIO()
        Console(file=out, width=100).print(view(first, samples(url), 1.0))
        assert "log of" in out.getvalue()
        assert ledger("top", "--url", url, "--every", "0.1", "--looks", "2").returncode == 0
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in {0, -signal.SIGTERM}
    assert "ROLLBACK-ACCEPTED" in ledger("ledger", "query", "--kind", "lane.opened").stdout


def test_no_gateway():
    """
    Where there is no gateway `top` says so.
    """
    with pytest.raises(NotFoundError):
        samples("http://127.0.0.1:9")
