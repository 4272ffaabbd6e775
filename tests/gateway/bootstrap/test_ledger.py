"""The ledger put together: its store, keys and pin held against each other before anything is written."""

import os
import shutil

import pytest

from gateway.bootstrap.key_files import make_keys, write_log_keys
from gateway.bootstrap.ledger import open_ledger, open_store, trust_policy, writing
from gateway.errors import ConfigurationError, ForeignLogError
from ledger.erasable import Erasable, fresh_salt
from ledger.errors import RollbackError
from ledger.pin import HeadPin
from ledger.tlog.keys import LogKey
from ledger.verify import verify
from tests.support.strategies import keys, ruling, uid
from tests.support.tampering import tamper


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


class TestForeign:
    async def test_another_origin_cannot_write(self, settings, tmp_path):
        """
        A store that holds the log of one origin takes no record of another's, whatever keys that one brings.
        """
        await written(settings)
        other = settings.model_copy(update={"origin": "other.example", "state_dir": tmp_path / "other"})
        make_keys(other)
        shutil.copy(settings.ledger_file, other.ledger_file)
        with pytest.raises(ForeignLogError) as told:
            async with writing(other, sequencing=False):
                pass
        assert (told.value.code, settings.origin in told.value.detail) == ("GW-442", True)
        store = open_store(settings)
        assert len(store.lanes()) == 1
        store.close()

    async def test_a_stranger_signs_nothing(self, settings, tmp_path):
        """
        A folder with keys of its own, for the same origin, does not get to sign a log that is signed by others.
        """
        await written(settings)
        laptop = settings.model_copy(update={"state_dir": tmp_path / "laptop"})
        make_keys(laptop)
        shutil.copy(settings.ledger_file, laptop.ledger_file)
        with pytest.raises(ForeignLogError, match="not signed by a key"), open_ledger(laptop):
            pass

    @pytest.mark.parametrize("known", [True, False])
    async def test_nonsense_in_the_place_of_a_checkpoint(self, settings, known):
        """
        A newest checkpoint that the log did not sign keeps no process from starting, which takes it away; but whoever does not
        know the key that they sign with takes nothing for nonsense.
        """
        await written(settings)
        size = "(SELECT size FROM head)"
        tamper(settings.ledger_file, (f"INSERT INTO newest VALUES (7, {size}, '', 'nonsense', 99)",))
        if known:
            await written(settings)
        else:
            write_log_keys(settings, [LogKey(one) for one in keys()])
            with pytest.raises(ForeignLogError, match="not signed by a key"), open_ledger(settings):
                pass
        store = open_store(settings)
        assert (store.published().note == "nonsense") is not known
        store.close()

    def test_the_first_to_write_names_the_log(self, settings):
        """
        An empty store takes the name of whoever comes first, and keeps it; one from before says what its records say.
        """
        store = open_store(settings)
        assert (store.claim("one.example"), store.claim("two.example")) == ("one.example", "one.example")
        store.close()

    async def test_a_store_from_before_it_had_a_name(self, settings):
        """
        A store that was written before it held the name of its log takes it from its first record.
        """
        await written(settings)
        tamper(settings.ledger_file, ("DELETE FROM log",))
        store = open_store(settings)
        assert store.claim("two.example") == settings.origin
        store.close()
