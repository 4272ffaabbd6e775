"""
The erasable side of records, sealed under keys of persons, by pyca/cryptography.

AES-256-GCM (NIST SP 800-38D) with a random nonce, bound to the decision it belongs to; the keys are wrapped with AES key
wrap (RFC 3394) under a key of the gateway that is not in the store.
"""

import os

from threading import Lock
from typing import Final

from cachetools import TTLCache
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.keywrap import InvalidUnwrap, aes_key_unwrap, aes_key_wrap

from ledger.erasable import Erasable, KeyWrap

_NONCE: Final = 12
_REMEMBERED: Final = 4096
"""How many persons' keys are held unwrapped."""

_SECONDS: Final = 60
"""How long one is; a key that another process erased is held no longer."""


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

    def outside(self, wrapped: bytes) -> str:
        return ""

    def destroy(self, name: str) -> None:
        """Nothing: there is none of one person's own."""


class AesSealer:
    """A `ledger.erasable.Sealer`."""

    def __init__(self, wrap: KeyWrap) -> None:
        self._wrap = wrap
        self._ciphers: TTLCache[bytes, AESGCM] = TTLCache(_REMEMBERED, _SECONDS)
        self._lock = Lock()

    def new_key(self) -> bytes:
        return self._wrap.wrap(AESGCM.generate_key(256))

    def outside(self, key: bytes) -> str:
        return self._wrap.outside(key)

    def holds(self, key: bytes) -> bool:
        with self._lock:
            known = key in self._ciphers
        return known or not self._wrap.outside(key)

    def fetch(self, key: bytes) -> None:
        self._cipher(key)

    def destroy(self, name: str) -> None:
        with self._lock:
            self._ciphers.clear()
        if name:
            self._wrap.destroy(name)

    def _cipher(self, wrapped: bytes) -> AESGCM:
        with self._lock:
            known = self._ciphers.get(wrapped)
        if known is None:
            # Outside of the lock: a service that is slow for one person's key holds nobody else up.
            known = AESGCM(self._wrap.unwrap(wrapped))
            with self._lock:
                self._ciphers[wrapped] = known
        return known

    def seal(self, erasable: Erasable, *, key: bytes, location: str) -> bytes:
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher(key).encrypt(nonce, erasable.pack(), location.encode())

    def open(self, sealed: bytes, *, key: bytes, location: str) -> Erasable:
        try:
            return Erasable.unpack(self._cipher(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], location.encode()))
        except InvalidTag as error:
            raise ValueError("what was sealed is not whole") from error
