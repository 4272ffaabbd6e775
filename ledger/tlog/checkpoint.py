"""Signed tree heads (c2sp.org/tlog-checkpoint) and offline proofs of inclusion (c2sp.org/tlog-proof)."""

import base64
import binascii
import re

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ledger.errors import NoteInvalidError
from ledger.tlog.keys import spans
from ledger.tlog.merkle import HASH_BYTES, verify_inclusion
from ledger.tlog.note import ED25519, Verifier, open_note, parse

_NUMBER: Final = re.compile(r"0|[1-9]\d{0,18}")
_PROOF: Final = "c2sp.org/tlog-proof@v1"
MAX_PROOF_HASHES: Final = 63


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a log says of itself: its name, how many entries it has, and the root over them."""

    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"

    @classmethod
    def parse(cls, text: str) -> "Checkpoint":
        """
        Read the text of a checkpoint; lines after the third are allowed and passed over.

        Raises:
            NoteInvalidError: it is not one.
        """
        lines = text.split("\n")
        if len(lines) < 4 or not all(lines[:-1]) or lines[-1] or not _NUMBER.fullmatch(lines[1]):
            raise NoteInvalidError("not a checkpoint")
        return cls(lines[0], int(lines[1]), decode_hash(lines[2]))


@dataclass(frozen=True, slots=True)
class Proof:
    """That an entry is in a log, with the checkpoint that it is proved against."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: str
    """The signed note."""

    def __str__(self) -> str:
        lines = [_PROOF, f"index {self.index}", *map(encode_hash, self.hashes), "", self.checkpoint]
        return "\n".join(lines)

    @classmethod
    def parse(cls, text: str) -> "Proof":
        """
        Read a proof; extra data is passed over.

        Raises:
            NoteInvalidError: it is not one.
        """
        head, blank, note = text.partition("\n\n")
        lines = head.split("\n")
        if len(lines) > 1 and lines[1].startswith("extra "):
            del lines[1]
        index = lines[1].removeprefix("index ") if len(lines) > 1 else ""
        if lines[0] != _PROOF or not blank or not _NUMBER.fullmatch(index) or not lines[1].startswith("index "):
            raise NoteInvalidError("not a proof of inclusion")
        if len(lines) > 2 + MAX_PROOF_HASHES:
            raise NoteInvalidError("not a proof of inclusion: too many hashes")
        return cls(int(index), tuple(map(decode_hash, lines[2:])), note)


def open_checkpoint(
    note: str, log: Sequence[Verifier], witnesses: Sequence[Verifier] = ()
) -> tuple[Checkpoint, set[str]]:
    """
    Check a checkpoint's signatures.

    Args:
        note: the checkpoint as it is published.
        log: keys of the log; one of them, whose turn it was, must have signed.
        witnesses: keys of witnesses; none of them need have signed.

    Returns:
        What the log says, and the ids of the witness keys that say they saw it.

    Raises:
        NoteInvalidError: it is not a checkpoint of that log, or a signature does not hold.
    """
    opened = open_note(note, [*log, *witnesses])
    checkpoint = Checkpoint.parse(opened.text)
    # A key that was replaced is still known, for the trees that it signed, and says nothing of any larger one.
    own = {verifier.key for verifier in log if spans(verifier, checkpoint.size)} & set(opened.signed)
    if not any(key.algorithm == ED25519 and key.name == checkpoint.origin for key in own):
        raise NoteInvalidError("the log did not sign the checkpoint")
    seen = {key.id for key in opened.signed} - {verifier.key.id for verifier in log}
    return checkpoint, seen


def verify_proof(proof: Proof, leaf: bytes, log: Sequence[Verifier], witnesses: Sequence[Verifier] = ()) -> set[str]:
    """
    Check that an entry is in the log.

    Returns:
        Ids of the witness keys that cosigned the checkpoint.

    Raises:
        NoteInvalidError: the checkpoint is not the log's, or the entry is not in it.
    """
    checkpoint, seen = open_checkpoint(proof.checkpoint, log, witnesses)
    if not verify_inclusion(leaf, proof.index, checkpoint.size, proof.hashes, checkpoint.root):
        raise NoteInvalidError("the entry is not where the proof says")
    return seen


def read_checkpoint(note: str) -> Checkpoint:
    """
    What a checkpoint says, its signatures unchecked.

    Raises:
        NoteInvalidError: it is not one.
    """
    return Checkpoint.parse(parse(note)[0])


def encode_hash(value: bytes) -> str:
    """A hash as text."""
    return base64.b64encode(value).decode()


def decode_hash(text: str) -> bytes:
    """
    A hash from text.

    Raises:
        NoteInvalidError: it is not the base64 of 32 bytes.
    """
    try:
        value = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoteInvalidError("not a hash") from error
    if len(value) != HASH_BYTES or encode_hash(value) != text:
        raise NoteInvalidError("not a hash")
    return value
