"""
Keys of persons in the transit engine of a Vault or OpenBao server, by its HTTP API.

Rules held here: one key for each person, under a name that says nothing; it never leaves the server, and may be deleted; a
deleted one is asked for once more, and only "there is none" is believed; answers are bounded, redirections are no answers, and
nothing that was sent or answered is in an error.
"""

import base64
import binascii
import time

from http import HTTPStatus
from typing import Any, Final

import httpx

from adapters.ledger.keys.outside import fresh_name, labelled, parts_of
from ledger.errors import KeyServiceError

_KIND: Final = "vault"
_MOST: Final = 65_536
"""Bytes of an answer."""


class VaultKeyWrap:
    """A `ledger.erasable.KeyWrap` with a key for each person in a transit engine."""

    def __init__(self, url: str, token: str, *, seconds: float, transport: httpx.BaseTransport | None = None) -> None:
        """
        Args:
            url: of the engine, such as `https://vault.bank.example/v1/transit`.
            token: for it.
            seconds: how long one answer may take.
            transport: instead of the network.
        """
        headers = {"X-Vault-Token": token, "X-Vault-Request": "true", "accept-encoding": "identity"}
        self._seconds = seconds
        self._client = httpx.Client(
            base_url=url.rstrip("/") + "/",
            headers=headers,
            timeout=seconds,
            follow_redirects=False,
            transport=transport,
        )

    def wrap(self, key: bytes) -> bytes:
        name = fresh_name()
        self._ask("POST", f"keys/{name}", {"type": "aes256-gcm96", "exportable": False})
        self._ask("POST", f"keys/{name}/config", {"deletion_allowed": True})
        given = self._ask("POST", f"encrypt/{name}", {"plaintext": base64.b64encode(key).decode()})
        return labelled(_KIND, name, _text(given, "ciphertext").encode())

    def unwrap(self, wrapped: bytes) -> bytes:
        name, inner = parts_of(_KIND, wrapped)
        status, given = self._answer("POST", f"decrypt/{name}", {"ciphertext": inner.decode("ascii")})
        if status in {HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND}:
            raise ValueError("the key outside does not open this one, or is destroyed")
        if status != HTTPStatus.OK:
            raise KeyServiceError(f"the service that keeps keys answered {status}")
        try:
            return base64.b64decode(_text(given, "plaintext"), validate=True)
        except binascii.Error as error:
            raise KeyServiceError("the service that keeps keys did not answer with a key") from error

    def outside(self, wrapped: bytes) -> str:
        return parts_of(_KIND, wrapped)[0]

    def destroy(self, name: str) -> None:
        status, _ = self._answer("DELETE", f"keys/{name}", None)
        # A server may refuse to delete what is not there; what counts is what it says of the key now.
        found, _ = self._answer("GET", f"keys/{name}", None)
        if found != HTTPStatus.NOT_FOUND:
            raise KeyServiceError(f"the key outside is not known to be destroyed: {status}, and then {found}")

    def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        status, given = self._answer(method, path, body)
        if status not in {HTTPStatus.OK, HTTPStatus.NO_CONTENT}:
            raise KeyServiceError(f"the service that keeps keys answered {status}")
        return given

    def _answer(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, dict[str, Any]]:
        until = time.monotonic() + self._seconds
        try:
            with self._client.stream(method, path, json=body) as answer:
                content = bytearray()
                for part in answer.iter_bytes():
                    content += part
                    if len(content) > _MOST or time.monotonic() > until:
                        raise KeyServiceError(
                            "the service that keeps keys answered with more than it may, or too slowly"
                        )
                document = httpx.Response(200, content=bytes(content)).json() if content else {}
        except (httpx.HTTPError, ValueError) as error:
            raise KeyServiceError("the service that keeps keys did not answer") from error
        return answer.status_code, document if isinstance(document, dict) else {}


def _text(document: dict[str, Any], name: str) -> str:
    data = document.get("data")
    found = data.get(name) if isinstance(data, dict) else None
    if not isinstance(found, str):
        raise KeyServiceError("the service that keeps keys did not answer with a key")
    return found
