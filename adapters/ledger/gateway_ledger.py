"""
The ledger as an auditor without keys and without a right to write has it: the gateway records each reading and repeats decisions.

Rules held here: no reading goes on before the gateway said that it is on record; nothing else is ever recorded this way.
"""

import json

from collections.abc import Sequence
from typing import Any, Final

import httpx

from gateway.errors import KeyLostError, ReadingRefusedError
from gateway.model.policy_answer import ReleaseMode
from ledger.erasable import Erasable
from ledger.lane import Written
from ledger.record import Draft
from ledger.tlog.note import VerifierKey

_SECONDS: Final = 30.0
_OK: Final = 200
_MISSING: Final = 404


class GatewayLedger:
    """A `gateway.ports.ledger.Ledger` that has the gateway make the records of readings, and makes no others."""

    def __init__(self, url: str, token: str, client: httpx.AsyncClient) -> None:
        """
        Args:
            url: of the gateway.
            token: a bearer token with `ledger:read`.
            client: to ask with.
        """
        self._url = url.rstrip("/")
        self._headers = {"authorization": f"Bearer {token}"}
        self._client = client

    async def append(self, drafts: Sequence[Draft], erasables: Sequence[Erasable] = ()) -> Sequence[Written]:
        for draft, erasable in zip(drafts, erasables, strict=True):
            if draft.kind != "ledger.read":
                raise ReadingRefusedError("an auditor without keys writes nothing but that something is read")
            asked = {"asked": json.loads(erasable.content or b"{}"), "codes": draft.codes}
            answer = await self._ask("POST", "/v1/ledger/readings", json=asked)
            if answer.status_code != _OK:
                raise ReadingRefusedError(f"the gateway answered {answer.status_code} to an auditor's reading")
        return ()

    async def kept(self, repeated: Sequence[Written]) -> Sequence[Erasable]:
        raise KeyLostError("an auditor has no key for persons: the gateway shows evidence")

    async def settled(self, written: Sequence[Written], mode: ReleaseMode) -> None:
        """The gateway said that it is durable."""

    async def subject_token(self, tenant: str, subject: str) -> str:
        """Nothing: the gateway knows who asks by the token that it is shown."""
        return ""

    def receipt(self, sealed: Written, salt: bytes) -> dict[str, Any]:
        raise KeyLostError("an auditor has no key to sign a receipt with")

    async def replayed(self, decision_id: str) -> tuple[str, str] | None:
        """
        What became of a decision when the gateway made it again, and why; None of what is not the auditor's, or no ruling.

        Raises:
            ReadingRefusedError: the gateway did not answer.
        """
        answer = await self._ask("GET", f"/v1/ledger/records/{decision_id}/replay")
        if answer.status_code == _MISSING:
            return None
        if answer.status_code != _OK:
            raise ReadingRefusedError(f"the gateway answered {answer.status_code} to the question of a decision")
        told = answer.json()
        return str(told["verdict"]), "; ".join(told["why"])

    async def bundle(self, revision: str) -> bytes | None:
        """
        A bundle that decided, as the gateway keeps it; None of one that it does not keep.

        Raises:
            ReadingRefusedError: the gateway did not answer.
        """
        answer = await self._ask("GET", f"/v1/ledger/bundles/{revision}")
        return answer.content if answer.status_code == _OK else None

    async def _ask(self, method: str, path: str, **body: Any) -> httpx.Response:  # noqa: ANN401 - as httpx takes it
        try:
            return await self._client.request(
                method, f"{self._url}{path}", headers=self._headers, timeout=_SECONDS, **body
            )
        except httpx.HTTPError as error:
            raise ReadingRefusedError("the gateway that records an auditor's readings did not answer") from error


class NoKeys:
    """A `Signer` and a `Sealer` for whoever has no keys: asked for any, it says so."""

    @property
    def key(self) -> VerifierKey:
        raise KeyLostError("an auditor has no key to sign with")

    def sign(self, message: bytes) -> bytes:
        raise KeyLostError("an auditor has no key to sign with")

    def new_key(self) -> bytes:
        raise KeyLostError("an auditor has no key for persons")

    def outside(self, key: bytes) -> str:
        raise KeyLostError("an auditor has no key for persons")

    def holds(self, key: bytes) -> bool:
        return False

    def fetch(self, key: bytes) -> None:
        raise KeyLostError("an auditor has no key for persons")

    def destroy(self, name: str) -> None:
        raise KeyLostError("an auditor has no key for persons")

    def seal(self, erasable: Erasable, *, key: bytes, location: str) -> bytes:
        raise KeyLostError("an auditor has no key for persons")

    def open(self, sealed: bytes, *, key: bytes, location: str) -> Erasable:
        raise KeyLostError("an auditor has no key for persons: the gateway shows evidence")
