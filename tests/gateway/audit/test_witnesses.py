"""Packs that wait for witnesses."""

import subprocess
import sys

import pytest

from adapters.ledger.ed25519 import Ed25519Verifier, make_signing_key
from gateway.bootstrap.gateway import running
from gateway.bootstrap.keys import verifiers
from gateway.errors import RecordError
from gateway.settings import HOME
from ledger.tlog.checkpoint import open_checkpoint
from ledger.tlog.note import COSIGNATURE
from tests.support.bundles import sealed_for
from tests.support.clock import NOW
from tests.support.oracle import check_ledger
from tests.support.requests import asked
from tools.loopback import free_port, until_up


async def test_witnessed(settings, subject, small, tmp_path):
    """
    Where policy asks for witnesses, no quorum means no pack; with one it is handed over.
    """
    port, key = free_port(), make_signing_key("w1.test", tmp_path / "w1.skey", COSIGNATURE).key
    async with running(settings, clock=lambda: NOW) as gateway:
        vkey = gateway.vkey
    (tmp_path / "trust").write_text(f"log {vkey}\nwitness w1 {key} http://127.0.0.1:{port}\nquorum w1\n")
    chosen = sealed_for(settings, tmp_path, "witnessed").model_copy(
        update={"trust_policy": tmp_path / "trust", "settle_seconds": 1.0}
    )
    async with running(chosen, clock=lambda: NOW) as gateway:
        with pytest.raises(RecordError):
            await gateway.pipeline.assemble(asked(small, subject))
        with WitnessProcess(tmp_path, port, vkey):
            gateway.recorder._settle_seconds = 20
            await gateway.pipeline.assemble(asked({**small, "query": "again"}, subject))
            _, seen = open_checkpoint(gateway.store.published().note, verifiers([vkey]), [Ed25519Verifier(key)])
            assert seen == {key.id}
        check_ledger(gateway)


class WitnessProcess:
    """`ctxgate witness serve`, as another department would run it."""

    def __init__(self, folder, port, vkey):
        self.command = [
            *(sys.executable, "-c", "from gateway.cli import main; main()", "witness", "serve"),
            *("--key", folder / "w1.skey", "--state", folder / "w1.sqlite", "--log", vkey, "--port", str(port)),
        ]
        self.port = port

    def __enter__(self):
        self.process = subprocess.Popen(self.command, cwd=HOME)
        until_up(self.process, f"http://127.0.0.1:{self.port}/healthz")
        return self

    def __exit__(self, *error):
        self.process.kill()
        self.process.wait()
