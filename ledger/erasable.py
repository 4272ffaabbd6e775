"""
What is kept beside the ledger so that it can be erased: salts, policy inputs, contents and subject names.

A record holds only HMAC-SHA-256 commitments under fresh 32-byte salts, so that short contents such as a
telephone number cannot be guessed from it.  Deleting the salt leaves every proof valid and the
commitment meaningless.  The whole side of a record is sealed under a key of the person it is about, so
that deleting that one key erases it in every copy that lacks the key.
"""

import hashlib
import hmac
import secrets

from typing import Annotated, Final, Protocol

from pydantic import BaseModel, ConfigDict, Field

from ledger.canonical import jcs

Salt = Annotated[bytes, Field(min_length=32, max_length=32)]

_ABSENT: Final = 0xFFFF_FFFF


_LATER: Final = frozenset({"means", "labels"})
"""Parts that what was sealed before does not have."""


class Erasable(BaseModel):
    """The erasable side of one record."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    item_salt: Salt | None = None
    released_salt: Salt | None = None
    input_salt: Salt | None = None
    input: bytes | None = None
    """The policy input as canonical JSON: labels and findings, never text."""

    content: bytes | None = None
    """What the item's commitment is to, or the pack; kept only where the gateway is set so."""

    released: bytes | None = None
    """What the released commitment is to, which of a pack is its prompt; kept only where the gateway is set so."""

    means: bytes | None = None
    """With what the obligations were carried out, so that they can be again; kept only where the gateway is set so."""
    labels: bytes | None = None
    """What the record has keyed names in the place of, by the names of its members, as canonical JSON."""

    def pack(self) -> bytes:
        """All parts in order, each with its length before it; those that came later only as far as there is one."""
        parts = [part for _, part in self]
        while parts[-1] is None and len(parts) > len(type(self).model_fields) - len(_LATER):
            parts.pop()
        return b"".join(_ABSENT.to_bytes(4) if part is None else len(part).to_bytes(4) + part for part in parts)

    @classmethod
    def unpack(cls, packed: bytes) -> "Erasable":
        """
        What `pack` wrote.

        Raises:
            ValueError: it is not that.
        """
        parts: dict[str, bytes | None] = {}
        start = 0
        for name in cls.model_fields:
            if start == len(packed) and name in _LATER:
                break
            length = int.from_bytes(packed[start : start + 4])
            start += 4
            parts[name] = None if length == _ABSENT else packed[start : start + length]
            start += 0 if length == _ABSENT else length
        if start != len(packed):
            msg = "not the erasable side of a record"
            raise ValueError(msg)
        return cls(**parts)


NOTHING: Final = Erasable()
"""The erasable side of a record that has none."""


class KeyWrap(Protocol):
    """Keeps the keys of persons from whoever reads the store: by a key file, or by a key for each person outside the database."""

    def wrap(self, key: bytes) -> bytes:
        """
        A key, as it may lie in the store; where keys are kept outside, under a new one of its own there.

        Raises:
            KeyServiceError: what keeps keys outside did not answer.
        """

    def unwrap(self, wrapped: bytes) -> bytes:
        """
        The key again.

        Raises:
            ValueError: it was not wrapped here, or what unwraps it is destroyed.

            KeyServiceError: what keeps keys outside did not answer.
        """

    def outside(self, wrapped: bytes) -> str:
        """Name of the key outside the database that unwraps this one alone; empty where there is none."""

    def destroy(self, name: str) -> None:
        """
        Destroy a key outside by its name; one that is gone already is gone.

        Raises:
            KeyServiceError: it is not known to be gone.
        """


class Sealer(Protocol):
    """Seals the erasable side of records under the keys of persons (AES-256-GCM)."""

    def new_key(self) -> bytes:
        """
        A fresh key for a person, wrapped.

        Raises:
            KeyServiceError: what keeps keys outside did not answer.
        """

    def outside(self, key: bytes) -> str:
        """Name of the key outside the database that opens a person's wrapped key; empty where there is none."""

    def holds(self, key: bytes) -> bool:
        """Whether a person's key is at hand, so that nothing outside this process is asked for it."""

    def fetch(self, key: bytes) -> None:
        """
        Have a person's key at hand, for a while; takes as long as what keeps keys outside does.

        Raises:
            ValueError: the key was not wrapped here.

            KeyServiceError: what keeps keys outside did not answer.
        """

    def destroy(self, name: str) -> None:
        """
        Destroy a key outside by its name, and hold none that it opened any more.

        Raises:
            KeyServiceError: it is not known to be gone.
        """

    def seal(self, erasable: Erasable, *, key: bytes, location: str) -> bytes:
        """
        Seal under a person's wrapped key, bound to the decision id that it belongs to.

        Raises:
            ValueError: the key was not wrapped here.
        """

    def open(self, sealed: bytes, *, key: bytes, location: str) -> Erasable:
        """
        Open what was sealed.

        Raises:
            ValueError: it is not whole, or belongs elsewhere.
        """


def fresh_salt() -> bytes:
    """32 random bytes."""
    return secrets.token_bytes(32)


def commit(salt: bytes, content: bytes) -> str:
    """HMAC-SHA-256(salt, content) in lower-case hex."""
    return hmac.new(salt, content, hashlib.sha256).hexdigest()


def commit_person(salt: bytes, tenant: str, subject: str) -> str:
    """What records say of the person behind a token, so that nobody can put another in their place."""
    return commit(salt, jcs([tenant, subject]))
