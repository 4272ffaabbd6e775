"""The two clients: one that waits, and one that is awaited, with the same calls."""

import asyncio
import time
import uuid

from collections.abc import Callable, Iterable
from typing import Final, Self

import httpx

from ctxgate_client.answers import Catalog, CitationReply, ContextPack, RulingsAnswer
from ctxgate_client.problems import CtxgateError, unreached
from ctxgate_client.requests import Claim, PackRequest
from ctxgate_client.sending import Answer, Call, Retries, decoded

Token = str | Callable[[], str]
"""A bearer token, or what gives one: it is asked before each try, so that a token may be renewed."""

SECONDS: Final = 30.0
"""How long one try may take."""


def _pack(request: PackRequest, key: str | None, path: str) -> Call:
    return Call("POST", path, request.document(), key or uuid.uuid4().hex)


def _claims(pack: ContextPack, claims: Iterable[Claim]) -> Call:
    cited = [claim.model_dump(mode="json", exclude_none=True) for claim in claims]
    return Call("POST", "/v1/citations/verify", {"pack": pack.document(), "claims": cited})


_CATALOG: Final = "/v1/catalog"


def _of(token: Token) -> str:
    return token if isinstance(token, str) else token()


class Client:
    """
    Asks a gateway, and waits for the answer.

    Args:
        url: Of the gateway.
        token: A bearer token of the trust layer, or what gives one.
        seconds: How long one try may take.
        retries: When a call is sent again.
        transport: How it is sent, for tests and for networks of one's own.
    """

    def __init__(
        self,
        url: str,
        token: Token,
        *,
        seconds: float = SECONDS,
        retries: Retries | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._token, self._retries = token, retries or Retries()
        self._http = httpx.Client(base_url=url, timeout=seconds, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def pack(self, request: PackRequest, *, idempotency_key: str | None = None) -> ContextPack:
        """
        A governed pack.

        Raises:
            ProblemError: the gateway refused; nothing was released.

            UnansweredError: no answer came.
        """
        return self._sent(_pack(request, idempotency_key, "/v1/packs"), ContextPack)

    def rulings(self, request: PackRequest, *, idempotency_key: str | None = None) -> RulingsAnswer:
        """What is decided of each item, on the same records, without a pack; raises what `pack` does."""
        return self._sent(_pack(request, idempotency_key, "/v1/rulings"), RulingsAnswer)

    def verify_citations(self, pack: ContextPack, claims: Iterable[Claim]) -> CitationReply:
        """Which claims are grounded in what they cite, against a pack; raises what `pack` does."""
        return self._sent(_claims(pack, claims), CitationReply)

    def catalog(self) -> Catalog:
        """What requests of this token may name; raises what `pack` does."""
        return self._sent(Call("GET", _CATALOG), Catalog)

    def _sent(self, call: Call, shape: type[Answer]) -> Answer:
        tried = 0
        while True:
            tried, response = tried + 1, None
            try:
                response = self._http.request(
                    call.method, call.path, json=call.body, headers=call.headers(_of(self._token))
                )
                return decoded(response, call, shape)
            except httpx.HTTPError as lost:
                error: CtxgateError = unreached(lost, call.trace_id)
                if not call.again(error, tried, self._retries):
                    raise error from lost
            except CtxgateError as refused:
                if not call.again(refused, tried, self._retries):
                    raise
            time.sleep(self._retries.pause(tried, response))


class AsyncClient:
    """Asks a gateway, and is awaited; else as `Client`."""

    def __init__(
        self,
        url: str,
        token: Token,
        *,
        seconds: float = SECONDS,
        retries: Retries | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._token, self._retries = token, retries or Retries()
        self._http = httpx.AsyncClient(base_url=url, timeout=seconds, transport=transport)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def pack(self, request: PackRequest, *, idempotency_key: str | None = None) -> ContextPack:
        """A governed pack; raises what `Client.pack` does."""
        return await self._sent(_pack(request, idempotency_key, "/v1/packs"), ContextPack)

    async def rulings(self, request: PackRequest, *, idempotency_key: str | None = None) -> RulingsAnswer:
        """What is decided of each item, on the same records, without a pack; raises what `Client.pack` does."""
        return await self._sent(_pack(request, idempotency_key, "/v1/rulings"), RulingsAnswer)

    async def verify_citations(self, pack: ContextPack, claims: Iterable[Claim]) -> CitationReply:
        """Which claims are grounded in what they cite, against a pack; raises what `Client.pack` does."""
        return await self._sent(_claims(pack, claims), CitationReply)

    async def catalog(self) -> Catalog:
        """What requests of this token may name; raises what `Client.pack` does."""
        return await self._sent(Call("GET", _CATALOG), Catalog)

    async def _sent(self, call: Call, shape: type[Answer]) -> Answer:
        tried = 0
        while True:
            tried, response = tried + 1, None
            try:
                headers = call.headers(_of(self._token))
                response = await self._http.request(call.method, call.path, json=call.body, headers=headers)
                return decoded(response, call, shape)
            except httpx.HTTPError as lost:
                error: CtxgateError = unreached(lost, call.trace_id)
                if not call.again(error, tried, self._retries):
                    raise error from lost
            except CtxgateError as refused:
                if not call.again(refused, tried, self._retries):
                    raise
            await asyncio.sleep(self._retries.pause(tried, response))
