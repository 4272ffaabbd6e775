"""Signed notes: the examples of golang.org/x/mod/sumdb/note, byte for byte."""

import base64
import os

from dataclasses import replace

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from ledger.errors import NoteInvalidError
from ledger.tlog.note import (
    COSIGNATURE,
    ED25519,
    MAX_NOTE_BYTES,
    MAX_SIGNATURES,
    VerifierKey,
    cosign,
    open_note,
    parse,
    sign,
)


class TestNotes:
    """The examples of golang.org/x/mod/sumdb/note."""

    SKEY = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
    VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
    LINE = (
        "\u2014 PeterNeumann"
        " x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
    )

    def test_their_note(self):
        """
        Signing their text with their key gives their note, byte for byte, and it opens with their verifier key.
        """
        peter = Ed25519Signer.parse(self.SKEY)
        assert str(peter.key) == self.VKEY
        note = sign(self.TEXT, [peter])
        assert note == self.TEXT + "\n" + self.LINE
        opened = open_note(note, [Ed25519Verifier(self.VKEY)])
        assert (self.TEXT, (peter.key,)) == (opened.text, opened.signed)

    def test_unknown_and_broken_signatures(self):
        """
        A line by an unknown key is passed over; one by a known key must hold.
        """
        verifier = [Ed25519Verifier(self.VKEY)]
        unknown = "\u2014 somebody " + base64.b64encode(os.urandom(100)).decode() + "\n"
        note = self.TEXT + "\n" + self.LINE
        assert open_note(note + unknown, verifier).signed
        assert not open_note(self.TEXT + "\n" + unknown, verifier).signed
        with pytest.raises(NoteInvalidError):
            open_note(note.replace("your problem is", "my problem is"), verifier)
        for broken in (self.TEXT, note[:-1], note + "x\n", note.replace("\n", "\r\n"), "\n\n" + self.LINE, ""):
            with pytest.raises(NoteInvalidError):
                open_note(broken, verifier)


KEY = Ed25519Signer("log.test", Ed25519PrivateKey.generate())
WITNESS = Ed25519Signer("w.test", Ed25519PrivateKey.generate(), COSIGNATURE)


def test_a_cosignature_holds_for_its_time():
    """
    A witness signs the note together with the time, which stands in its line; with another time it does not hold.
    """
    text = "log.test\n1\nx\n"
    line = cosign(text, WITNESS, 1_772_000_000)
    [signature] = parse(f"{text}\n{line}")[1]
    assert int.from_bytes(signature.signature[:8]) == 1_772_000_000
    assert open_note(f"{text}\n{line}", [Ed25519Verifier(WITNESS.key)]).signed == (WITNESS.key,)
    later = replace(signature, signature=(1_772_000_001).to_bytes(8) + signature.signature[8:])
    with pytest.raises(NoteInvalidError, match="does not hold"):
        open_note(f"{text}\n{later}", [Ed25519Verifier(WITNESS.key)])


def test_a_key_of_one_kind_is_not_one_of_the_other():
    """
    The same public key has another mark as a witness's than as a log's, so that no signature passes for the other kind.
    """
    log, witness = (VerifierKey("same", bytes(32), kind) for kind in (ED25519, COSIGNATURE))
    assert log.key_hash != witness.key_hash
    assert VerifierKey.parse(str(log)) == log
    assert VerifierKey.parse(f" {witness}\n") == witness


@pytest.mark.parametrize(
    "key",
    [
        VerifierKey("a name", bytes(32)),
        VerifierKey("a+b", bytes(32)),
        VerifierKey("", bytes(32)),
        VerifierKey("short", bytes(31)),
        VerifierKey("other", bytes(32), 2),
    ],
)
def test_keys_that_cannot_be(key):
    """
    A key with a name that cannot stand in a line, of another size or of another kind is refused.
    """
    with pytest.raises(NoteInvalidError):
        VerifierKey.parse(str(key))


def test_bounds():
    """
    A note that is too long, holds a control character or has too many lines below it is refused before anything is checked.
    """
    line = sign("x\n", [KEY]).removeprefix("x\n\n")
    assert len(parse("x\n\n" + line * MAX_SIGNATURES)[1]) == MAX_SIGNATURES
    for note in (
        "x\n\n" + line * (MAX_SIGNATURES + 1),
        "x" * MAX_NOTE_BYTES + "\n\n" + line,
        "a\tb\n\n" + line,
        "a\x00b\n\n" + line,
    ):
        with pytest.raises(NoteInvalidError, match="not a signed note"):
            parse(note)


@given(
    st.lists(st.text(st.characters(min_codepoint=32, exclude_categories=["Cs"]), min_size=1), min_size=1, max_size=4)
)
def test_a_text_reads_back(lines):
    """
    Whatever lines a note has, blank ones in the middle too, its text is read as it was signed.
    """
    text = "\n".join([lines[0], "", *lines[1:], "end"]) + "\n"
    opened = open_note(sign(text, [KEY]), [Ed25519Verifier(KEY.key)])
    assert (opened.text, opened.signed) == (text, (KEY.key,))
