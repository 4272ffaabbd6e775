"""
Ed25519 keys (RFC 8032) in the C2SP signed-note form, by pyca/cryptography.

A verifier key reads ``name+hash+base64(0x01 || public key)``, where the hash is the first four bytes of
SHA-256(name || 0x0A || 0x01 || public key) in hex (c2sp.org/signed-note).
"""

import base64
import hashlib
import os

from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from gateway.errors import ConfigurationError

_ALGORITHM: Final = b"\x01"


class Ed25519Signer:
    """A `ledger.receipt.Signer` whose key lies in a file."""

    def __init__(self, name: str, key: Ed25519PrivateKey) -> None:
        self._key = key
        public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self._vkey = _vkey(name, public)

    @classmethod
    def from_file(cls, name: str, path: Path) -> "Ed25519Signer":
        """
        Read the 32-byte seed at *path*; make one at first use, readable by the owner alone.

        Raises:
            ConfigurationError: the file does not hold a seed.
        """
        seed = read_or_make_secret(path)
        return cls(name, Ed25519PrivateKey.from_private_bytes(seed))

    @property
    def vkey(self) -> str:
        """The verifier key, to be handed to whoever checks receipts."""
        return self._vkey

    @property
    def key_id(self) -> str:
        return self._vkey.rpartition("+")[0]

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


class Ed25519Verifier:
    """A `ledger.receipt.SignatureVerifier` from a verifier key."""

    def __init__(self, vkey: str) -> None:
        """
        Raises:
            ConfigurationError: the text is not an Ed25519 verifier key, or its hash is not its own.
        """
        name, _, rest = vkey.strip().partition("+")
        try:
            raw = base64.b64decode(rest.partition("+")[2], validate=True)
            self._key = Ed25519PublicKey.from_public_bytes(raw[1:])
        except ValueError as error:
            raise ConfigurationError("not an Ed25519 verifier key") from error
        if raw[:1] != _ALGORITHM or _vkey(name, raw[1:]) != vkey.strip():
            raise ConfigurationError("not an Ed25519 verifier key")

    def verify(self, signature: bytes, message: bytes) -> bool:
        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True


def read_or_make_secret(path: Path) -> bytes:
    """
    The 32 bytes at *path*, made at first use.

    Raises:
        ConfigurationError: the file holds something else.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(os.urandom(32))
            file.flush()
            os.fsync(file.fileno())
    secret = path.read_bytes()
    if len(secret) != 32:
        raise ConfigurationError(f"{path} does not hold a 32-byte secret")
    return secret


def _vkey(name: str, public: bytes) -> str:
    mark = hashlib.sha256(name.encode() + b"\n" + _ALGORITHM + public).hexdigest()[:8]
    return f"{name}+{mark}+{base64.b64encode(_ALGORITHM + public).decode()}"
