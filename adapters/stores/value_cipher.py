"""
Values at rest, sealed.

Rules held here: a value is on disk only as AES-256-GCM (NIST SP 800-38D) under a key outside the tables, bound to its tenant
and place; a value that does not open is an error, never a guess.
"""

import asyncio
import json
import os

from collections.abc import Callable
from typing import Final, TypeVar

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from gateway.errors import StoreError

_NONCE: Final = 12
_T = TypeVar("_T")


class ValueCipher:
    """Seals and opens values with one key of 32 bytes."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def seal(self, value: str, tenant: str, location: str) -> bytes:
        """A value, sealed for its tenant and place."""
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, value.encode(errors="surrogatepass"), _bound(tenant, location))

    def open(self, sealed: bytes, tenant: str, location: str) -> str:
        """What was sealed; raises `InvalidTag` or `ValueError`, which `unsealing` translates."""
        plain = self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], _bound(tenant, location))
        return plain.decode(errors="surrogatepass")


def _bound(tenant: str, location: str) -> bytes:
    return json.dumps([tenant, location]).encode()


async def decrypting(act: Callable[[], _T]) -> _T:
    """
    Do something with sealed values, off the event loop.

    Raises:
        StoreError: a value does not open, or the store did not answer.
    """
    try:
        return await asyncio.to_thread(act)
    except (InvalidTag, ValueError) as error:
        raise StoreError("a stored value does not decrypt: its row or its key was changed") from error
