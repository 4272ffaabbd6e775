"""Receipts: a pack and its record belong together, and nothing in either can be changed."""

import json

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from ledger.errors import LedgerCorruptError
from ledger.lane import Submission
from ledger.receipt import issue, pack_digest, verify_receipt
from ledger.record import Draft, PackPart
from ledger.tlog.merkle import leaf_hash
from tests.support.strategies import AT, ORIGIN, new_lane, uid

SALT = bytes(range(32))


CONTENT = {"id": "pack_1", "sections": [{"items": [{"content": "Kreditlinie 50 Mio", "score": 0.82}]}]}


@pytest.fixture
def signer():
    return Ed25519Signer(ORIGIN, Ed25519PrivateKey.generate())


@pytest.fixture
def pack(tmp_path, signer):
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    draft = Draft(
        kind="pack.sealed",
        decision_id=uid(),
        trace_id="t",
        request_id=uid(),
        tenant="gfm",
        at=AT,
        pack=PackPart(
            id="pack_1",
            digest=pack_digest(SALT, CONTENT),
            items=(),
            rulings=0,
            rulings_root=leaf_hash(b"").hex(),
            lane_head="0" * 64,
        ),
    )
    [[sealed]] = lane.commit([Submission([draft])])
    store.close()
    receipt = issue(sealed.record, SALT, signer).model_dump(mode="json")
    return json.loads(json.dumps({**CONTENT, "receipt": receipt}))


def test_a_pack_and_its_receipt_belong_together(pack, signer):
    """
    A pack as it was handed over verifies offline against the public key alone.
    """
    assert verify_receipt(pack, [Ed25519Verifier(signer.key)]).pack.id == "pack_1"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda pack: pack["sections"][0]["items"][0].update(content="Kreditlinie 500 Mio"),
        lambda pack: pack.update(extra=1),
        lambda pack: pack["receipt"].update(pack_salt="00" * 32),
        lambda pack: pack["receipt"].update(origin="other"),
        lambda pack: pack["receipt"]["lane"].update(seq=5),
        lambda pack: pack["receipt"].update(signature="AAAA"),
        lambda pack: pack["receipt"].update(signature="not base64!"),
        lambda pack: pack["receipt"].update(record=pack["receipt"]["record"].replace("gfm", "gfn")),
        lambda pack: pack["receipt"].update(record="{}"),
        lambda pack: pack.pop("receipt"),
    ],
)
def test_any_change_is_found(pack, signer, spoil):
    """
    Nothing in the pack or its receipt can be changed.
    """
    spoil(pack)
    with pytest.raises(LedgerCorruptError):
        verify_receipt(pack, [Ed25519Verifier(signer.key)])


def test_another_key_does_not_verify(pack):
    """
    A receipt is only as good as the key it is checked with.
    """
    other = Ed25519Signer(ORIGIN, Ed25519PrivateKey.generate())
    with pytest.raises(LedgerCorruptError, match="signed"):
        verify_receipt(pack, [Ed25519Verifier(other.key)])
