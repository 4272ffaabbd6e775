"""The panel of witnesses: asked over the protocol, counted by the trust policy; and packs that wait for it."""

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
from tests.support.strategies import new_lane
from tests.support.witnessing import grown, new_witness, panel, policy_of
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


@pytest.fixture
def log(tmp_path):
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    yield store, lane
    store.close()


@pytest.fixture
def witnesses(tmp_path):
    made = {name: new_witness(tmp_path, f"{name}.test") for name in ("w1", "w2", "w3")}
    yield made
    for one in made.values():
        one.state.close()


@pytest.fixture
def policy(witnesses):
    return policy_of(witnesses)


class TestPanel:
    async def test_cosignatures_are_collected_and_kept(self, log, policy, witnesses):
        """
        All witnesses cosign, the checkpoint with their lines is kept in the store, and the quorum is met.
        """
        asked = panel(log, policy, witnesses)
        for _ in range(3):
            published = await asked.cosigned(grown(log))
            assert asked.satisfied(published.note)
        assert log[0].published().note == published.note
        assert asked.failures == 0

    async def test_a_panel_that_starts_anew_learns_where_the_witnesses_are(self, log, policy, witnesses):
        """
        A log that has forgotten what was cosigned last is told by the witness, and goes on from there.
        """
        await panel(log, policy, witnesses).cosigned(grown(log))
        published = await panel(log, policy, witnesses).cosigned(grown(log, 3))
        assert panel(log, policy, witnesses).satisfied(published.note)

    @pytest.mark.parametrize(("down", "enough"), [(("w1",), True), (("w1", "w2"), False), (("w3",), False)])
    async def test_m_of_n(self, log, policy, witnesses, down, enough):
        """
        The policy decides which witnesses are enough when some are down.
        """
        asked = panel(log, policy, witnesses, down)
        published = await asked.cosigned(grown(log))
        assert asked.satisfied(published.note) is enough
        assert asked.failures == len(down)

    async def test_a_forged_cosignature_is_dropped(self, log, policy, witnesses, tmp_path):
        """
        A witness that answers with another's signature, or nonsense, counts as one that did not answer.
        """
        asked = panel(log, policy, witnesses)
        stray = make_signing_key("w1.test", tmp_path / "stray.skey", COSIGNATURE)
        object.__setattr__(witnesses["w1"], "signer", stray)
        published = await asked.cosigned(grown(log))
        assert asked.failures == 1
        assert "w1.test" not in published.note
