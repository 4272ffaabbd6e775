"""Every parser that takes foreign bytes: whatever comes, it reads it or raises its own error, and soon."""

import json

import pytest

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from gateway.content.parsing import parse_json, parse_request
from gateway.errors import GatewayError
from gateway.policy import archive
from gateway.settings import Settings
from ledger.erasable import Erasable
from ledger.errors import LedgerError, NoteInvalidError, RecordInvalidError
from ledger.receipt import verify_receipt
from ledger.record import Lane, Record, parse_record
from ledger.tlog.checkpoint import Checkpoint, Proof, decode_hash, read_checkpoint
from ledger.tlog.note import VerifierKey, open_note, parse
from ledger.tlog.tiles import parse_path, path_of
from ledger.tlog.trust import TrustPolicy
from ledger.tlog.witness import Witness
from tests.support.strategies import ORIGIN, REPLICA, keys, ruling, signer, uid

NOTE = (
    "example.com/log\n42\n"
    "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "\u2014 example.com/log Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
)
PROOF = f"c2sp.org/tlog-proof@v1\nindex 7\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n{NOTE}"
RECORD = ruling(uid()).placed(origin=ORIGIN, lane=Lane(id=uid(), epoch=1, seq=0, prev="0" * 64), gateway=REPLICA)
POLICY = f"log {signer().key} https://log\nquorum none\n"
REQUEST = json.dumps(
    {"agent_id": "RISK", "purpose": "p", "jurisdictions": ["SG"], "model": "m", "token_budget": 1, "items": []}
)


def witness(text):
    """A submission to a witness that knows no log: any answer but a cosignature."""
    assert Witness(signer(), {}, None, lambda: 0).add_checkpoint(text).status in {400, 404}


PARSERS = {
    "note": (parse, NOTE, NoteInvalidError),
    "note with keys": (lambda text: open_note(text, keys()), NOTE, NoteInvalidError),
    "checkpoint": (Checkpoint.parse, NOTE.partition("\n\n")[0] + "\n", NoteInvalidError),
    "signed checkpoint": (read_checkpoint, NOTE, NoteInvalidError),
    "proof": (Proof.parse, PROOF, NoteInvalidError),
    "hash": (decode_hash, "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=", NoteInvalidError),
    "verifier key": (VerifierKey.parse, str(signer().key), NoteInvalidError),
    "verifier": (Ed25519Verifier, str(signer().key), GatewayError),
    "signing key": (Ed25519Signer.parse, signer().secret, GatewayError),
    "trust policy": (TrustPolicy.parse, POLICY, NoteInvalidError),
    "submission": (witness, f"old 0\n\n{NOTE}", ()),
    "tile path": (parse_path, "tile/0/x001/x234/067.p/8", ()),
}
BYTES = {
    "record": (Record.decode, RECORD.encode(), RecordInvalidError),
    "record, quickly": (parse_record, RECORD.encode(), RecordInvalidError),
    "sealed side": (Erasable.unpack, Erasable(input=b"{}").pack(), ValueError),
    "request": (lambda body: parse_request(body, Settings().limits), REQUEST.encode(), GatewayError),
    "document": (lambda body: parse_json(body, depth=32), REQUEST.encode(), GatewayError),
    "bundle": (lambda body: archive.read(body, None), b"\x1f\x8b", GatewayError),
    "receipt": (lambda body: verify_receipt({"receipt": body.decode("latin-1")}, keys()), b"{}", LedgerError),
}


def spoiled(draw, whole, piece, one):
    """What is right with a part of it cut, doubled or overwritten; or something else altogether."""
    if draw(st.integers(0, 9)) == 0:
        return draw(piece)
    start = draw(st.integers(0, len(whole)))
    end = draw(st.integers(start, len(whole)))
    return (
        whole[:start]
        + draw(st.sampled_from([whole[:0], whole[start:end] * 2, whole[start:end] * 40, draw(one)]))
        + whole[end:]
    )


@settings(max_examples=150)
@given(data=st.data())
@pytest.mark.parametrize("name", sorted(PARSERS))
def test_text(name, data):
    """
    Text that is nearly right is read or refused with the parser's own error.
    """
    read, whole, error = PARSERS[name]
    text = data.draw(st.composite(lambda draw: spoiled(draw, whole, st.text(max_size=200), st.text(max_size=12)))())
    try:
        found = read(text)
    except error:
        return
    if name == "tile path" and found is not None:
        assert path_of(found.level, found.number, found.width) == text


@settings(max_examples=150)
@given(data=st.data())
@pytest.mark.parametrize("name", sorted(BYTES))
def test_bytes(name, data):
    """
    Bytes that are nearly right are read or refused with the parser's own error.
    """
    read, whole, error = BYTES[name]
    body = data.draw(st.composite(lambda draw: spoiled(draw, whole, st.binary(max_size=200), st.binary(max_size=12)))())
    try:
        read(body)
    except error:
        return
