"""Checkpoints and offline proofs: as they are written, read and believed."""

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from ledger.errors import NoteInvalidError
from ledger.log import LogReader
from ledger.tlog.checkpoint import (
    MAX_PROOF_HASHES,
    Checkpoint,
    Proof,
    decode_hash,
    encode_hash,
    open_checkpoint,
    read_checkpoint,
    verify_proof,
)
from ledger.tlog.merkle import EMPTY_ROOT, leaf_hash
from ledger.tlog.note import COSIGNATURE, cosign, sign
from tests.support.strategies import ORIGIN, keys, new_lane, sequencer, signer, write_request
from tests.support.witnessing import grown

STRAY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
"""The key of somebody else."""


def test_proofs_of_our_own(log):
    """
    A proof reads back as it was written, holds for its entry alone, and only against a checkpoint of the log.
    """
    store, _ = log
    published = grown(log, 27)
    [body, other] = store.entries(77, 79)
    proof = LogReader(store).proof(77, published)
    assert Proof.parse(str(proof)) == proof
    assert verify_proof(proof, leaf_hash(body), keys()) == set()
    assert Proof.parse(str(proof).replace("\nindex", "\nextra AAAA\nindex", 1)) == proof
    with pytest.raises(NoteInvalidError):
        verify_proof(proof, leaf_hash(other), keys())
    with pytest.raises(NoteInvalidError):
        verify_proof(proof, leaf_hash(body), [Ed25519Verifier(STRAY)])
    for broken in ("", "x", str(proof).replace("@v1", "@v2"), str(proof).replace("index 77", "index 077")):
        with pytest.raises(NoteInvalidError):
            Proof.parse(broken)


def test_a_rotated_key(tmp_path):
    """
    After the key was rotated old checkpoints and proofs verify with the old key, new ones need the new one.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    write_request(lane, ["released"])
    first = sequencer(store).run()
    old_proof = LogReader(store).proof(0, first)
    [body] = store.entries(0, 1)
    renewed = Ed25519Signer(ORIGIN, Ed25519PrivateKey.generate())
    write_request(lane, ["released"])
    second = sequencer(store, renewed.secret).run()
    new = (Ed25519Verifier(renewed.key),)
    assert open_checkpoint(second.note, new)[0].size == 4
    verify_proof(old_proof, leaf_hash(body), keys())
    verify_proof(LogReader(store).proof(0, second), leaf_hash(body), [*new, *keys()])
    for note, wrong in ((first.note, new), (second.note, keys())):
        with pytest.raises(NoteInvalidError):
            open_checkpoint(note, wrong)
    store.close()


SAID = Checkpoint(ORIGIN, 7, EMPTY_ROOT)


@given(st.integers(0, 10**19 - 1), st.binary(min_size=32, max_size=32))
def test_a_checkpoint_reads_back(size, root):
    """
    Whatever its size and root, a checkpoint is read as it was written; lines after the third are passed over.
    """
    said = Checkpoint(ORIGIN, size, root)
    assert Checkpoint.parse(str(said)) == Checkpoint.parse(f"{said}an extension\n") == said


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text.removesuffix("\n"),
        lambda text: text.replace("\n7\n", "\n07\n"),
        lambda text: text.replace("\n7\n", "\n-7\n"),
        lambda text: text.replace("\n7\n", "\n" + "9" * 20 + "\n"),
        lambda text: text.replace(ORIGIN, ""),
        lambda text: text + "\n\n",
        lambda text: text.replace("=", ""),
        lambda text: "\n".join(text.split("\n")[:2]) + "\n",
    ],
)
def test_what_is_no_checkpoint(spoil):
    """
    A text that is not in the one form of a checkpoint is refused.
    """
    with pytest.raises(NoteInvalidError):
        Checkpoint.parse(spoil(str(SAID)))


@pytest.mark.parametrize("text", ["", "AAAA", "x" * 44, encode_hash(EMPTY_ROOT) + "=", encode_hash(bytes(33))])
def test_a_hash_has_one_form(text):
    """
    A hash is the base64 of 32 bytes and nothing else, so that no two texts stand for one tree.
    """
    with pytest.raises(NoteInvalidError, match="hash"):
        decode_hash(text)


def test_only_the_log_itself_speaks_for_the_log():
    """
    A checkpoint that is signed by a known key of another name, or only by a witness, is not believed; unchecked it can be read.
    """
    other = Ed25519Signer("other.test/log", Ed25519PrivateKey.generate())
    by_other = sign(str(SAID), [other])
    witness = Ed25519Signer("w.test", Ed25519PrivateKey.generate(), COSIGNATURE)
    by_witness = f"{SAID}\n{cosign(str(SAID), witness, 1)}"
    for note, known in ((by_other, [Ed25519Verifier(other.key)]), (by_witness, keys())):
        with pytest.raises(NoteInvalidError, match="did not sign"):
            open_checkpoint(note, known, [Ed25519Verifier(witness.key)])
        assert read_checkpoint(note) == SAID


def test_witnesses_are_told_apart_from_the_log():
    """
    The ids that are answered are those of witnesses that signed; the log's own key and unknown ones are not among them.
    """
    known, unknown = (Ed25519Signer(f"w{n}.test", Ed25519PrivateKey.generate(), COSIGNATURE) for n in (1, 2))
    note = sign(str(SAID), [signer()]) + cosign(str(SAID), known, 1) + cosign(str(SAID), unknown, 1)
    assert open_checkpoint(note, keys(), [Ed25519Verifier(known.key)]) == (SAID, {known.key.id})


def test_a_proof_is_no_longer_than_a_tree_is_high():
    """
    A proof with more hashes than any tree has levels is refused before it is looked at.
    """
    note = sign(str(SAID), [signer()])
    most = Proof(0, (EMPTY_ROOT,) * MAX_PROOF_HASHES, note)
    assert Proof.parse(str(most)) == most
    with pytest.raises(NoteInvalidError, match="too many"):
        Proof.parse(str(Proof(0, (EMPTY_ROOT,) * (MAX_PROOF_HASHES + 1), note)))
