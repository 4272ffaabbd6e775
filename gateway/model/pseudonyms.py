"""
Names that stand for values: the same value has the same name within a tenant, a purpose and a session, and nowhere else.

Names are HMAC-SHA-256 under a key of the tenant, so that they are the same every time a request is repeated, tell nothing
of the value, and cannot be compared across tenants.
"""

import base64
import hashlib
import hmac
import json

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

LENGTH: Final = 12
"""Characters of base 32 in a token: 60 bits, so that two values of one session never meet."""


@dataclass(frozen=True, slots=True)
class Pseudonyms:
    """What a request calls the values that it may not see."""

    tenant_key: bytes
    purpose: str
    session: str
    made: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Entity type and value by token, for the vault."""

    def token(self, entity: str, value: str) -> str:
        """The token of a value, such as ``<PERSON:k3v0…>``; the vault can tell what it stands for."""
        same = " ".join(value.split()).casefold()
        name = f"<{entity}:{self._short('token', self.purpose, self.session, entity, same)}>"
        self.made[name] = (entity, value)
        return name

    def hashed(self, entity: str, value: str) -> str:
        """A name that nobody can turn back, the same for the whole tenant."""
        return f"<{entity}#{self._short('hash', entity, value)}>"

    def cipher_key(self) -> bytes:
        """64 bytes for a deterministic cipher of this tenant."""
        return b"".join(_mac(self.tenant_key, "cipher", half) for half in ("1", "2"))

    def _short(self, *names: str) -> str:
        return base64.b32encode(_mac(self.tenant_key, *names)).decode().lower()[:LENGTH]


def tenant_key(secret: bytes, tenant: str) -> bytes:
    """The key of a tenant, from the gateway's secret."""
    return _mac(secret, "tenant", tenant)


def keyed_digest(key: bytes, digest: str) -> str:
    """A digest of content that only the holder of the tenant's key can compute."""
    return _mac(key, "content", digest).hex()


def keyed_label(key: bytes, label: str) -> str:
    """What stands in records in the place of a label that may not be repeated: the same for the whole tenant."""
    return f"label:{_mac(key, 'label', label).hex()[:24]}"


def keyed_names(secret: bytes) -> Callable[[str, str], str]:
    """What stands in records of a tenant in the place of a label, from the gateway's secret."""
    return lambda tenant, label: keyed_label(tenant_key(secret, tenant), label)


def _mac(key: bytes, *names: str) -> bytes:
    return hmac.new(key, "\x00".join(names).encode(), hashlib.sha256).digest()


def keyed_name(secret: bytes, *parts: str) -> str:
    """A name for what must not be told from it: HMAC-SHA-256 in hex."""
    return hmac.new(secret, json.dumps(["idempotency", *parts]).encode(), hashlib.sha256).hexdigest()


def name_of(secret: bytes, subject: str, key: str) -> str:
    """The name that a person's idempotency key has; all of one person begin with that person's mark."""
    return f"{keyed_name(secret, subject)}:{keyed_name(secret, subject, key)}"
