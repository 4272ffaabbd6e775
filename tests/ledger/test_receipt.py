import json

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier, make_signing_key
from gateway.errors import ConfigurationError
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


def test_the_key_of_the_specification():
    """
    The example verifier key of c2sp.org/signed-note is read, and its hash is checked.
    """
    vkey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    Ed25519Verifier(vkey)
    for bad in ("PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "x", "a+b+c", vkey + "AAAA"):
        with pytest.raises(ConfigurationError):
            Ed25519Verifier(bad)


def test_a_key_file_is_made_once(tmp_path):
    """
    A signing key is readable by its owner alone, is never written over, and a damaged file is refused.
    """
    path = tmp_path / "keys" / "ledger.skey"
    made = make_signing_key(ORIGIN, path)
    assert made.key == Ed25519Signer.from_file(path).key
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(ConfigurationError, match="already"):
        make_signing_key(ORIGIN, path)
    for damaged in ("short", made.secret.replace("PRIVATE", "PUBLIC"), made.secret[:-6] + "AAAAA="):
        path.write_text(damaged)
        with pytest.raises(ConfigurationError):
            Ed25519Signer.from_file(path)
    with pytest.raises(ConfigurationError, match="named"):
        make_signing_key("two words", tmp_path / "other")
