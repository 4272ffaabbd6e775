"""
How a wrapped key says where the key is that opens it, and one wrap out of several.

A key that a service outside wrapped reads `kind:name:` and then what the service gave; one that the key file wrapped is 40 bytes
of AES key wrap without any of that, as it always was, so that a store may hold both: who was known before stays under the file.
"""

import secrets

from typing import Final

from ledger.erasable import KeyWrap

FILE_BYTES: Final = 40
"""Length of a 32-byte key under AES key wrap (RFC 3394)."""


def fresh_name() -> str:
    """A name for a key outside, which says nothing of the person."""
    return f"ctxgate-{secrets.token_hex(16)}"


def labelled(kind: str, name: str, wrapped: bytes) -> bytes:
    """A wrapped key with the place of the key that opens it."""
    return f"{kind}:{name}:".encode() + wrapped


def parts_of(kind: str, wrapped: bytes) -> tuple[str, bytes]:
    """
    Name of the key outside, and what it wrapped.

    Raises:
        ValueError: it was not wrapped by that kind.
    """
    found, _, rest = wrapped.partition(b":")
    name, _, inner = rest.partition(b":")
    if len(wrapped) == FILE_BYTES or found != kind.encode() or not name or not inner:
        raise ValueError("the key was not wrapped here")
    return name.decode("ascii"), inner


class KeyWraps:
    """A `ledger.erasable.KeyWrap` that wraps new keys outside, and still opens those of the key file."""

    def __init__(self, kept: KeyWrap, outside: KeyWrap) -> None:
        """
        Args:
            kept: the key file's.
            outside: the service's or the token's.
        """
        self._kept = kept
        self._outside = outside

    def wrap(self, key: bytes) -> bytes:
        return self._outside.wrap(key)

    def unwrap(self, wrapped: bytes) -> bytes:
        return self._of(wrapped).unwrap(wrapped)

    def outside(self, wrapped: bytes) -> str:
        return self._of(wrapped).outside(wrapped)

    def destroy(self, name: str) -> None:
        self._outside.destroy(name)

    def _of(self, wrapped: bytes) -> KeyWrap:
        return self._kept if len(wrapped) == FILE_BYTES else self._outside
