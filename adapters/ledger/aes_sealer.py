"""
The erasable side of records, sealed under keys of persons, by pyca/cryptography.

AES-256-GCM (NIST SP 800-38D) with a random nonce, bound to the decision it belongs to; the keys are wrapped with AES key
wrap (RFC 3394) under a key of the gateway that is not in the store.
"""

import os

from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

from ledger.erasable import Erasable, KeyWrap

_NONCE: Final = 12
_REMEMBERED: Final = 4096
"""How many persons' keys are held unwrapped."""


class FileKeyWrap:
    """A `ledger.erasable.KeyWrap` with a key from a file; a service of the bank can stand in its place."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def wrap(self, key: bytes) -> bytes:
        return aes_key_wrap(self._key, key)

    def unwrap(self, wrapped: bytes) -> bytes:
        try:
            return aes_key_unwrap(self._key, wrapped)
        except InvalidUnwrap as error:
            raise ValueError("the key was not wrapped here") from error


class AesSealer:
    """A `ledger.erasable.Sealer`."""

    def __init__(self, wrap: KeyWrap) -> None:
        self._wrap = wrap
        self._cipher = lru_cache(_REMEMBERED)(lambda wrapped: AESGCM(wrap.unwrap(wrapped)))

    def new_key(self) -> bytes:
        return self._wrap.wrap(AESGCM.generate_key(256))

    def seal(self, erasable: Erasable, *, key: bytes, location: str) -> bytes:
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher(key).encrypt(nonce, erasable.pack(), location.encode())

    def open(self, sealed: bytes, *, key: bytes, location: str) -> Erasable:
        try:
            return Erasable.unpack(self._cipher(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], location.encode()))
        except InvalidTag as error:
            raise ValueError("what was sealed is not whole") from error
