"""
Keys of persons on a PKCS#11 token (an HSM, or SoftHSM), by python-pkcs11.

Rules held here: one AES key for each person, made on the token, that never leaves it; AES-GCM with a random nonce, bound to the
key's name; one session, used by one thread at a time, and opened anew after any error; the library is loaded only where this
is asked for.
"""

import contextlib
import os

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

import pkcs11

from pkcs11 import Attribute, KeyType, Mechanism, ObjectClass

from adapters.ledger.keys.outside import fresh_name, labelled, parts_of
from ledger.errors import KeyServiceError

_KIND: Final = "pkcs11"
_NONCE: Final = 12
_ON_TOKEN: Final = {
    Attribute.TOKEN: True,
    Attribute.PRIVATE: True,
    Attribute.SENSITIVE: True,
    Attribute.EXTRACTABLE: False,
}
_T = TypeVar("_T")


class Pkcs11KeyWrap:
    """A `ledger.erasable.KeyWrap` with a key for each person on a token."""

    def __init__(self, module: Path, token: str, pin: str) -> None:
        """
        Args:
            module: the token's library.
            token: its label.
            pin: of its user.
        """
        self._module = module
        self._token = token
        self._pin = pin
        self._session: Any = None
        self._lock = Lock()

    def wrap(self, key: bytes) -> bytes:
        name, nonce = fresh_name(), os.urandom(_NONCE)

        def act(session: Any) -> bytes:  # noqa: ANN401 - the library has no types
            made = session.generate_key(KeyType.AES, 256, label=name, store=True, template=_ON_TOKEN)
            sealed: bytes = made.encrypt(key, mechanism=Mechanism.AES_GCM, mechanism_param=_bound(nonce, name))
            return sealed

        return labelled(_KIND, name, nonce + self._with_session(act))

    def unwrap(self, wrapped: bytes) -> bytes:
        name, inner = parts_of(_KIND, wrapped)
        nonce, sealed = inner[:_NONCE], inner[_NONCE:]

        def act(session: Any) -> bytes:  # noqa: ANN401 - the library has no types
            found = _found(session, name)
            if found is None:
                raise ValueError("the key outside is destroyed")
            key: bytes = found.decrypt(sealed, mechanism=Mechanism.AES_GCM, mechanism_param=_bound(nonce, name))
            return key

        return self._with_session(act)

    def outside(self, wrapped: bytes) -> str:
        return parts_of(_KIND, wrapped)[0]

    def destroy(self, name: str) -> None:
        def act(session: Any) -> bool:  # noqa: ANN401 - the library has no types
            found = _found(session, name)
            if found is not None:
                found.destroy()
            return _found(session, name) is None

        if not self._with_session(act):
            raise KeyServiceError("the key on the token is not known to be destroyed")

    def _with_session(self, act: Callable[[Any], _T]) -> _T:
        with self._lock:
            try:
                self._session = self._session or self._opened()
                return act(self._session)
            except (pkcs11.EncryptedDataInvalid, pkcs11.EncryptedDataLenRange) as error:
                raise ValueError("the key on the token does not open this one") from error
            except (pkcs11.PKCS11Error, RuntimeError, OSError) as error:
                session, self._session = self._session, None
                with contextlib.suppress(pkcs11.PKCS11Error, AttributeError):
                    session.close()
                raise KeyServiceError("the token that keeps keys did not answer") from error

    def _opened(self) -> Any:  # noqa: ANN401 - the library has no types
        token = pkcs11.lib(str(self._module)).get_token(token_label=self._token)
        try:
            return token.open(rw=True, user_pin=self._pin)
        except pkcs11.UserAlreadyLoggedIn:
            # A process logs in once, whichever of its sessions did.
            return token.open(rw=True)


def _found(session: Any, name: str) -> Any:  # noqa: ANN401 - the library has no types
    try:
        return session.get_key(object_class=ObjectClass.SECRET_KEY, label=name)
    except pkcs11.NoSuchKey:
        return None


def _bound(nonce: bytes, name: str) -> Any:  # noqa: ANN401 - the library has no types
    return pkcs11.GCMParams(nonce, name.encode())
