"""`ctxgate serve`, with a development token."""

import json
import os
import re
import subprocess
import time

import httpx
import pytest

from bench.common import signed
from gateway.cli.serve import is_loopback
from gateway.settings import HOME, Settings
from tests.support.commands import COMMAND, STORY, VERIFY
from tools.loopback import free_port, until_up


def test_serve_and_development_token(run, tmp_path):
    """
    A served gateway takes a development token and gives the pack that the command line gives.
    """
    port = free_port()
    environment = {**os.environ, "PYTHONPATH": str(HOME), "CTXGATE_DETECTOR_WORKERS": "1"}
    server = subprocess.Popen(
        [*COMMAND, "serve", "--port", str(port)],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        base = f"http://127.0.0.1:{port}"
        until_up(server, f"{base}/readyz")
        made = run("dev", "token", "--as", STORY / "subject.json")
        assert "UNSAFE" in made.stderr
        request = json.loads((STORY / "request.json").read_text())
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        for item in request["items"]:
            item["provenance"]["fetched_at"] = now
        request = signed(request, Settings(state_dir=tmp_path / ".ctxgate"))
        headers = {"authorization": f"Bearer {made.stdout.strip()}"}
        answer = httpx.post(f"{base}/v1/packs", json=request, headers=headers, timeout=60)
        assert answer.status_code == 200, answer.text
        assert "npa-record" in answer.text
    finally:
        server.terminate()
        log = server.communicate(timeout=20)[1].decode()
    assert server.returncode in {0, -15}
    assert "unsafe_development_tokens" in log
    assert not re.search(r"S8421753F|kelvin|Traceback", log)
    assert "The ledger verifies" in run(*VERIFY).stdout


@pytest.mark.parametrize(
    "host",
    ["0.0.0.0", "::", "10.0.0.7", "", "gateway.bank.example", "127.0.0.1.evil.example"],  # noqa: S104 - none is bound
)
def test_development_keys_serve_this_machine_alone(run, host):
    """
    Without the trust layer's keys a server on an address that others reach does not start, unless it is told to in so many words.
    """
    assert not is_loopback(host)
    refused = run("serve", "--host", host, "--port", "1")
    assert refused.returncode != 0
    assert "GW-900" in refused.stderr
    assert "--unsafe-development-keys" in refused.stderr


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "::1", "localhost"])
def test_addresses_of_this_machine(host):
    """
    Only what cannot be reached from elsewhere counts as this machine.
    """
    assert is_loopback(host)
