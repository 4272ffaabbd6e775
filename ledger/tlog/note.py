"""
Signed notes (c2sp.org/signed-note) and cosignatures (c2sp.org/tlog-cosignature).

Rules: a signature by a key that the reader does not know is passed over, so that other kinds can be
added; one by a known key must hold, or the whole note is refused.  The format is one of text, so no
control character but the newline may stand in it.  Keys and curves are behind the two protocols below.
"""

import base64
import binascii
import hashlib
import re

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from ledger.errors import NoteInvalidError

ED25519: Final = 1
"""Signature type of a log's key."""

COSIGNATURE: Final = 4
"""Signature type of a witness's key: Ed25519 over the note with a time before it."""

MAX_NOTE_BYTES: Final = 1_000_000
MAX_SIGNATURES: Final = 100

_NAME: Final = re.compile(r"[^\s+\x00-\x1f]+")
_MARK: Final = "\u2014 "


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key with the name of its holder."""

    name: str
    public: bytes
    """32 bytes (RFC 8032)."""

    algorithm: int = ED25519

    @property
    def key_hash(self) -> bytes:
        """The four bytes that stand for the key in a signature line."""
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([self.algorithm]) + self.public).digest()[:4]

    @property
    def id(self) -> str:
        """Name and mark."""
        return f"{self.name}+{self.key_hash.hex()}"

    def __str__(self) -> str:
        return f"{self.id}+{base64.b64encode(bytes([self.algorithm]) + self.public).decode()}"

    @classmethod
    def parse(cls, text: str) -> "VerifierKey":
        """
        Read a key in the form that signed notes have: name, mark and key with plus signs between.

        Raises:
            NoteInvalidError: it is not one, or its mark is another's.
        """
        name, _, rest = text.strip().partition("+")
        raw = _base64(rest.partition("+")[2])
        if not _NAME.fullmatch(name) or len(raw) != 33 or raw[0] not in {ED25519, COSIGNATURE}:
            raise NoteInvalidError("not a verifier key for Ed25519")
        key = cls(name, raw[1:], raw[0])
        if str(key) != text.strip():
            raise NoteInvalidError("not a verifier key: its mark is not its own")
        return key


class Signer(Protocol):
    """Holds a private key."""

    @property
    def key(self) -> VerifierKey:
        """Its public half."""

    def sign(self, message: bytes) -> bytes:
        """Ed25519 signature (RFC 8032) over the message."""


class Verifier(Protocol):
    """Holds a public key."""

    @property
    def key(self) -> VerifierKey:
        """The key, with the name of its holder."""

    def verify(self, signature: bytes, message: bytes) -> bool:
        """Whether the signature is this key's over the message."""


@dataclass(frozen=True, slots=True)
class Signature:
    """One line below a note; the signature of a witness begins with eight bytes of time."""

    name: str
    key_hash: bytes
    signature: bytes

    def __str__(self) -> str:
        return f"{_MARK}{self.name} {base64.b64encode(self.key_hash + self.signature).decode()}\n"


@dataclass(frozen=True, slots=True)
class Opened:
    """A note whose known signatures hold."""

    text: str
    signed: tuple[VerifierKey, ...]
    """The known keys that signed it."""

    stamps: Mapping[str, int] = field(default_factory=dict)
    """When witnesses among them did so, by the id of the key, in seconds since 1970."""


def sign(text: str, signers: Iterable[Signer]) -> str:
    """A note with the signatures of logs below it."""
    lines = (Signature(s.key.name, s.key.key_hash, s.sign(text.encode())) for s in signers)
    return text + "\n" + "".join(map(str, lines))


def cosign(text: str, signer: Signer, seconds: int) -> str:
    """The line that a witness adds below a note, at a time in seconds since 1970."""
    signature = seconds.to_bytes(8) + signer.sign(_cosigned(text, seconds))
    return str(Signature(signer.key.name, signer.key.key_hash, signature))


def parse(note: str) -> tuple[str, tuple[Signature, ...]]:
    """
    A note's text and the lines below it.

    Raises:
        NoteInvalidError: it is not a signed note.
    """
    if len(note) > MAX_NOTE_BYTES or any(sign < " " and sign != "\n" for sign in note):
        raise NoteInvalidError("not a signed note: too long, or not text")
    text, blank, below = note.rpartition("\n\n")
    if not blank or not text or not below.endswith("\n"):
        raise NoteInvalidError("not a signed note: it has no signatures")
    lines = below.removesuffix("\n").split("\n")
    if len(lines) > MAX_SIGNATURES:
        raise NoteInvalidError("not a signed note: too many signatures")
    return text + "\n", tuple(map(_signature, lines))


def open_note(note: str, verifiers: Sequence[Verifier]) -> Opened:
    """
    Check a note by the keys that are known.

    Returns:
        Its text, and which of the keys signed it.  None may have: that is the caller's to judge.

    Raises:
        NoteInvalidError: it is not a signed note, or a signature by a known key does not hold.
    """
    text, signatures = parse(note)
    known = {(v.key.name, v.key.key_hash): v for v in verifiers}
    signed: dict[VerifierKey, None] = {}
    stamps: dict[str, int] = {}
    for line in signatures:
        verifier = known.get((line.name, line.key_hash))
        if verifier is None:
            continue
        if not _holds(verifier, line.signature, text):
            raise NoteInvalidError(f"the signature of {line.name} does not hold")
        signed[verifier.key] = None
        if verifier.key.algorithm == COSIGNATURE:
            stamps[verifier.key.id] = max(int.from_bytes(line.signature[:8]), stamps.get(verifier.key.id, 0))
    return Opened(text, tuple(signed), stamps)


def _holds(verifier: Verifier, signature: bytes, text: str) -> bool:
    if verifier.key.algorithm == ED25519:
        return verifier.verify(signature, text.encode())
    return verifier.verify(signature[8:], _cosigned(text, int.from_bytes(signature[:8])))


def _cosigned(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def _signature(line: str) -> Signature:
    name, _, encoded = line.removeprefix(_MARK).partition(" ")
    raw = _base64(encoded)
    if not line.startswith(_MARK) or not _NAME.fullmatch(name) or len(raw) < 5:
        raise NoteInvalidError("not a signed note: a line below it is not a signature")
    return Signature(name, raw[:4], raw[4:])


def _base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NoteInvalidError("not base64") from error
