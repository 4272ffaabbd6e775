"""The ledger put together: its store, keys and pin held against each other before anything is written."""

import os

import pytest

from gateway.bootstrap.ledger import open_ledger, open_store, trust_policy, writing
from gateway.errors import ConfigurationError
from ledger.erasable import Erasable, fresh_salt
from ledger.errors import RollbackError
from ledger.pin import HeadPin
from ledger.verify import verify
from tests.support.strategies import ruling, uid


async def written(settings):
    """One record, with something aside."""
    async with writing(settings, sequencing=False) as ledger:
        token = await ledger.recorder.subject_token("gfm", "ann")
        draft = ruling(uid(), subject=token)
        await ledger.recorder.append([draft], [Erasable(input_salt=fresh_salt(), input=b"{}")])
        return draft.decision_id


async def test_what_was_written_is_there_and_verifies(settings):
    """
    At the end everything is under a signed and pinned checkpoint, and what is aside opens again.
    """
    decision_id = await written(settings)
    with open_ledger(settings) as parts:
        done = verify(parts.store, origin=settings.origin, pin=parts.pin.read(), keys=parts.keys)
        assert (done.records, done.pinned, done.waiting) == (1, True, 0)
        assert parts.evidence.inputs([decision_id]) == {decision_id: b"{}"}


async def test_an_older_store_is_refused(settings):
    """
    A store that is behind its pin is not opened, unless it is asked for without the pin.
    """
    await written(settings)
    settings.ledger_file.unlink()
    with pytest.raises(RollbackError), open_ledger(settings):
        pass
    with open_ledger(settings, check_pin=False) as parts:
        assert parts.store.published() is None


async def test_a_frozen_store_is_one_moment(settings):
    """
    A store that is read frozen does not change while others write.
    """
    await written(settings)
    store = open_store(settings, frozen=True)
    before = store.published()
    await written(settings)
    assert store.published() == before
    store.close()


@pytest.mark.parametrize("text", [None, "log nonsense\n", "quorum w1\n", b"\xff"])
def test_what_is_no_trust_policy(settings, tmp_path, text):
    """
    A trust policy that is missing or cannot be read stops the gateway: nobody is believed by default.
    """
    path = tmp_path / "trust"
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ConfigurationError, match="no trust policy"):
        trust_policy(settings.model_copy(update={"trust_policy": path}))
    assert trust_policy(settings) is None


def test_two_processes_pin_side_by_side(settings, monkeypatch):
    """
    A gateway and a command that work on one state folder pin at the same moment, and both pins are whole.
    """
    gateway, command = HeadPin(settings.pin), HeadPin(settings.pin)
    real, meanwhile = os.fsync, [lambda: command.write(None, ("other", 1, 2, "b" * 64))]

    def fsync(descriptor):
        real(descriptor)
        if meanwhile:
            meanwhile.pop()()

    monkeypatch.setattr(os, "fsync", fsync)
    gateway.write(None, ("lane", 1, 1, "a" * 64))
    assert HeadPin(settings.pin).read().lane in {("lane", 1, 1, "a" * 64), ("other", 1, 2, "b" * 64)}
