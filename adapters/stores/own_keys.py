"""
Values of persons at rest, sealed under a key of the person, so that deleting the key is enough, also for copies of the tables.

Rules held here: a person's key is in the tables only wrapped by what wraps persons' keys, where the settings say so under a key
outside of them; it is looked up for every value, so that no process goes on with a key that another one deleted.  What was sealed
before persons had keys here, and what says nothing of anybody, is under the key of the gateway.
"""

import os

from threading import Lock
from typing import Final

from cachetools import TTLCache
from cryptography.exceptions import InvalidTag

from adapters.stores.rows import Rows
from adapters.stores.value_cipher import ValueCipher, decrypting
from gateway.errors import StoreError
from ledger.erasable import KeyWrap
from ledger.errors import KeyServiceError

_MARK: Final = b"ctxgate.own/1:"
"""Before the name of the person and a line feed, before what is sealed."""

_FIND: Final = "SELECT wrapped FROM own_keys WHERE tenant = ? AND person = ?"


class OwnKeys:
    """Seals and opens values of persons, and forgets their keys.  Safe to share between threads."""

    def __init__(self, rows: Rows, wrap: KeyWrap, cipher: ValueCipher) -> None:
        """
        Args:
            rows: where wrapped keys lie.
            wrap: wraps them.
            cipher: the gateway's own, for what no person's key seals.
        """
        self._rows = rows
        self._wrap = wrap
        self._cipher = cipher
        self._unwrapped: TTLCache[bytes, ValueCipher] = TTLCache(4096, 60)
        self._lock = Lock()

    def seal(self, value: str, tenant: str, location: str, person: str) -> bytes:
        """
        A value, sealed under the person's key, for its tenant and place.

        Raises:
            StoreError: the key is not at hand.
        """
        return _MARK + person.encode() + b"\n" + self._made(tenant, person).seal(value, tenant, location)

    def open(self, sealed: bytes, tenant: str, location: str) -> str:
        """What was sealed; raises `InvalidTag` or `ValueError`, which `decrypting` translates, also where the key is deleted."""
        if not sealed.startswith(_MARK):
            return self._cipher.open(sealed, tenant, location)
        person, _, value = sealed.removeprefix(_MARK).partition(b"\n")
        known = self._known(tenant, person.decode())
        if known is None:
            raise InvalidTag
        return known.open(value, tenant, location)

    def seal_nobodys(self, value: str, tenant: str, location: str) -> bytes:
        """A value that says nothing of anybody, under the gateway's key."""
        return self._cipher.seal(value, tenant, location)

    async def forget(self, tenant: str, person: str) -> int:
        """
        Delete a person's key, and first the key outside that unwraps it; how many there were.

        Raises:
            StoreError: it is not known to be gone.
        """
        return await decrypting(lambda: self._forget(tenant, person))

    def _forget(self, tenant: str, person: str) -> int:
        found = self._rows.read(_FIND, tenant, person)
        with self._lock:
            self._unwrapped.clear()
        for (wrapped,) in found:
            if name := self._wrap.outside(wrapped):
                try:
                    self._wrap.destroy(name)
                except KeyServiceError as error:
                    raise StoreError("a key outside the store is not known to be destroyed") from error
        return self._rows.write("DELETE FROM own_keys WHERE tenant = ? AND person = ?", [(tenant, person)])

    def _made(self, tenant: str, person: str) -> ValueCipher:
        """The person's cipher, under a new key where there is none."""
        known = self._known(tenant, person)
        if known is not None:
            return known
        try:
            row = (tenant, person, self._wrap.wrap(os.urandom(32)))
        except KeyServiceError as error:
            raise StoreError("what keeps keys outside the store did not answer") from error
        self._rows.write(
            "INSERT INTO own_keys (tenant, person, wrapped) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", [row]
        )
        known = self._known(tenant, person)
        if known is None:
            raise StoreError("the person's key was deleted as it was made")
        return known

    def _known(self, tenant: str, person: str) -> ValueCipher | None:
        for (wrapped,) in self._rows.read(_FIND, tenant, person):
            with self._lock:
                cipher = self._unwrapped.get(wrapped)
            return cipher or self._opened(wrapped)
        return None

    def _opened(self, wrapped: bytes) -> ValueCipher:
        try:
            cipher = ValueCipher(self._wrap.unwrap(wrapped))
        except KeyServiceError as error:
            raise StoreError("what keeps keys outside the store did not answer") from error
        with self._lock:
            self._unwrapped[wrapped] = cipher
        return cipher
