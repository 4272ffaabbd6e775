"""
What is kept beside the ledger so that it can be erased: salts, policy inputs and subject names.

A record holds only HMAC-SHA-256 commitments under fresh 32-byte salts, so that short contents such as a
telephone number cannot be guessed from it.  Deleting the salt leaves every proof valid and the
commitment meaningless.
"""

import hashlib
import hmac
import secrets

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Salt = Annotated[bytes, Field(min_length=32, max_length=32)]


class Aside(BaseModel):
    """The erasable side of one record."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    item_salt: Salt | None = None
    released_salt: Salt | None = None
    input_salt: Salt | None = None
    input: bytes | None = None
    """The policy input as canonical JSON: labels and findings, never text."""


def fresh_salt() -> bytes:
    """32 random bytes."""
    return secrets.token_bytes(32)


def commit(salt: bytes, content: bytes) -> str:
    """HMAC-SHA-256(salt, content) in lower-case hex."""
    return hmac.new(salt, content, hashlib.sha256).hexdigest()
