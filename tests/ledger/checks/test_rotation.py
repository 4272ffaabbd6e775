"""One key takes over from another at a place in the log, and the old one signs nothing that verifies after it."""

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from ledger.checks.rotation import bounded, replaced_at, rotation_codes
from ledger.errors import KeyReplacedError, LedgerCorruptError, NoteInvalidError
from ledger.lane import LaneWriter
from ledger.sequencer import Sequencer
from ledger.tlog.checkpoint import Checkpoint, open_checkpoint
from ledger.tlog.keys import LogKey
from ledger.tlog.note import sign
from ledger.verify import verify
from tests.support.strategies import AT, ORIGIN, REPLICA, keys, new_lane, ruling, signer, uid, write, write_request

OLD, NEW = (Ed25519Signer(ORIGIN, Ed25519PrivateKey.generate()) for _ in range(2))
KEYS = tuple(Ed25519Verifier(one.key) for one in (NEW, OLD))


@pytest.fixture
def rotated(tmp_path):
    """A log of six entries: three and their checkpoint under the old key, the rotation at entry 3, two under the new key."""
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    write_request(lane, ["released", "denied"])
    Sequencer(store, ORIGIN, [OLD], lambda: (*KEYS, *keys())).run()
    codes = rotation_codes(OLD.key, NEW.key)
    write(lane, ruling(uid(), kind="key.rotated", subject=None, item=None, outcome=None, codes=codes))
    write_request(lane, ["released"])
    Sequencer(store, ORIGIN, [NEW], lambda: (*KEYS, *keys())).run()
    yield store
    store.close()


def forged(store, signer, size):
    """A checkpoint of the tree as it is, signed by another key."""
    head = store.head()
    assert head.size == size
    note = sign(str(Checkpoint(ORIGIN, size, head.root)), [signer])
    store.publish(Checkpoint(ORIGIN, size, head.root), AT, note)


def test_each_key_for_its_time(rotated):
    """
    The log itself says which trees each key signs; with nothing but the keys it verifies.
    """
    assert replaced_at(rotated, OLD.key) == 3
    assert [(one.first, one.last) for one in bounded(rotated, KEYS)] == [(4, None), (0, 3)]
    assert verify(rotated, origin=ORIGIN, keys=KEYS).records == 6


def test_the_old_key_signs_nothing_any_more(rotated):
    """
    A tree that holds the rotation and is signed by the old key does not verify, whoever believes that key.
    """
    forged(rotated, OLD, 6)
    with pytest.raises(
        LedgerCorruptError, match="the checkpoint of 6 entries: it is signed by a key that had been replaced"
    ):
        verify(rotated, origin=ORIGIN, keys=KEYS)


def test_nor_where_its_end_is_known_from_elsewhere(rotated):
    """
    Whoever knows the last size of a key needs no log to refuse what it signs after that.
    """
    forged(rotated, OLD, 6)
    known = [LogKey(Ed25519Verifier(OLD.key), last=3)]
    with pytest.raises(NoteInvalidError, match="did not sign"):
        open_checkpoint(rotated.published().note, known)
    assert open_checkpoint(rotated.published().note, [Ed25519Verifier(OLD.key)])[0].size == 6


def test_the_new_key_did_not_sign_before(tmp_path):
    """
    A tree from before the rotation that is signed by the new key alone does not verify.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    write_request(lane, ["released"])
    Sequencer(store, ORIGIN, [NEW], lambda: (*KEYS, *keys())).run()
    write(lane, ruling(uid(), kind="key.rotated", item=None, outcome=None, codes=rotation_codes(OLD.key, NEW.key)))
    Sequencer(store, ORIGIN, [NEW], lambda: (*KEYS, *keys())).run()
    with pytest.raises(LedgerCorruptError, match="the checkpoint of 2 entries"):
        verify(store, origin=ORIGIN, keys=KEYS)
    store.close()


def test_a_process_with_the_old_key_stops_signing(rotated):
    """
    A replica that was not given the new key signs no tree with the old one, so that it spoils nothing.
    """
    before = rotated.published()
    write_request(LaneWriter(rotated, ORIGIN, REPLICA, signer()), ["released"])
    with pytest.raises(KeyReplacedError, match="was replaced"):
        Sequencer(rotated, ORIGIN, [OLD], lambda: (*KEYS, *keys())).run()
    assert rotated.published() == before


def test_a_rotation_from_before_names_no_keys(tmp_path):
    """
    A record of a rotation from before it named both keys ends none of them.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    write(lane, ruling(uid(), kind="key.rotated", item=None, outcome=None, codes=("KEY-0", "ROTATED")))
    Sequencer(store, ORIGIN, [OLD], lambda: (*KEYS, *keys())).run()
    assert replaced_at(store, OLD.key) is None
    assert verify(store, origin=ORIGIN, keys=KEYS).records == 1
    store.close()
