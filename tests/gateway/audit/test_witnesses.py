"""The panel of witnesses: asked over the protocol, counted by the trust policy."""

import pytest

from adapters.ledger.ed25519 import make_signing_key
from ledger.tlog.note import COSIGNATURE
from tests.support.strategies import new_lane
from tests.support.witnessing import grown, new_witness, panel, policy_of


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
