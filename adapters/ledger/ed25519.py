"""
Ed25519 keys (RFC 8032) in the C2SP signed-note forms, by pyca/cryptography.

A verifier key reads ``name+mark+base64(type || public key)``, a signing key ``PRIVATE+KEY+name+mark+base64(type ||
seed)``, as Go's ``golang.org/x/mod/sumdb/note`` writes both.
"""

import base64
import hashlib

from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from adapters.shared.secrets import write_secret
from gateway.errors import ConfigurationError
from ledger.errors import NoteInvalidError
from ledger.tlog.note import ED25519, VerifierKey

_PRIVATE: Final = "PRIVATE+KEY+"


class Ed25519Signer:
    """A `ledger.tlog.note.Signer`."""

    def __init__(self, name: str, key: Ed25519PrivateKey, algorithm: int = ED25519) -> None:
        self._private = key
        self._key = VerifierKey(name, key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw), algorithm)

    @classmethod
    def parse(cls, text: str) -> "Ed25519Signer":
        """
        Read a signing key.

        Raises:
            ConfigurationError: it is not one.
        """
        name, _, rest = text.strip().removeprefix(_PRIVATE).partition("+")
        key_hash, _, encoded = rest.partition("+")
        try:
            raw = base64.b64decode(encoded, validate=True)
            signer = cls(name, Ed25519PrivateKey.from_private_bytes(raw[1:]), raw[0])
        except (ValueError, IndexError) as error:
            raise ConfigurationError(
                "the file must hold an Ed25519 private key as PKCS #8 in PEM, with its name"
            ) from error
        if signer.key.key_hash.hex() != key_hash or not text.startswith(_PRIVATE):
            raise ConfigurationError("the file must hold an Ed25519 private key as PKCS #8 in PEM, with its name")
        return signer

    @classmethod
    def from_file(cls, path: Path) -> "Ed25519Signer":
        """
        Read the signing key in a file.

        Raises:
            ConfigurationError: there is none.
        """
        try:
            return cls.parse(path.read_text())
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"there is no signing key at {path}") from error

    @property
    def key(self) -> VerifierKey:
        return self._key

    @property
    def secret(self) -> str:
        """The signing key as text, for its file and nothing else."""
        seed = self._private.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
        return f"{_PRIVATE}{self._key.id}+{base64.b64encode(bytes([self._key.algorithm]) + seed).decode()}"

    def sign(self, message: bytes) -> bytes:
        return self._private.sign(message)

    @property
    def proof(self) -> bytes:
        """32 bytes that only who holds the key can name: what the ledger's database asks of those who write (Ed25519 is deterministic)."""
        return hashlib.sha256(self.sign(b"ctxgate-writer/1\n" + self._key.name.encode() + b"\n")).digest()


class Ed25519Verifier:
    """A `ledger.tlog.note.Verifier`."""

    def __init__(self, key: VerifierKey | str) -> None:
        """
        Raises:
            ConfigurationError: the text is a verifier key must be `name+hash+key` as signed notes have it, for Ed25519, or its mark is not its own.
        """
        try:
            self._key = VerifierKey.parse(key) if isinstance(key, str) else key
            self._public = Ed25519PublicKey.from_public_bytes(self._key.public)
        except (NoteInvalidError, ValueError) as error:
            raise ConfigurationError(
                "a verifier key must be `name+hash+key` as signed notes have it, for Ed25519"
            ) from error

    @property
    def key(self) -> VerifierKey:
        return self._key

    def verify(self, signature: bytes, message: bytes) -> bool:
        try:
            self._public.verify(signature, message)
        except InvalidSignature:
            return False
        return True


def make_signing_key(name: str, path: Path, algorithm: int = ED25519) -> Ed25519Signer:
    """
    A new key in a new file that its owner alone may read.

    Raises:
        ConfigurationError: there is a file already, or the name cannot be that of a key.
    """
    signer = Ed25519Signer(name, Ed25519PrivateKey.generate(), algorithm)
    try:
        VerifierKey.parse(str(signer.key))
        write_secret(path, signer.secret.encode() + b"\n")
    except NoteInvalidError as error:
        raise ConfigurationError(f"a key cannot be named {name!r}") from error
    except FileExistsError as error:
        raise ConfigurationError(f"there is a key at {path} already") from error
    return signer
