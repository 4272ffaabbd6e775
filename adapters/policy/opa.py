"""
Policy decisions from an OPA server, over its Data API with `opa-python-client`.

Rules held here: one round trip for so many items of a request; built-in errors are strict; an undefined result,
another bundle than ours, a wrong status or a slow answer is no decision; only a refused connection is
tried again; after several failures in a row OPA is left alone for a while, and requests fail at once.
"""

import asyncio
import time

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp

from opa_client.opa_async import AsyncOpaClient

from gateway.errors import ConfigurationError, PolicyError, PolicyMalformedError, PolicyUnavailableError
from gateway.model import PolicyVersion
from gateway.policy.entrypoints import SCOPE
from gateway.ports.policy import PolicyEngine

_QUERY: Final = {"strict-builtin-errors": "true", "provenance": "true"}
_TRIES: Final = 3
_PAUSE: Final = 0.05
"""Seconds before a refused connection is tried again."""


@dataclass(slots=True)
class Breaker:
    """Lets nothing through for a while after several failures in a row."""

    failures_to_open: int = 5
    open_seconds: float = 2.0
    clock: Callable[[], float] = time.monotonic
    _failures: int = 0
    _opened: float = field(default=float("-inf"))

    def check(self) -> None:
        """
        Raises:
            PolicyUnavailableError: the breaker is open.
        """
        if self._failures >= self.failures_to_open and self.clock() - self._opened < self.open_seconds:
            raise PolicyUnavailableError("the policy server failed several times; it is asked again in a moment")

    def failed(self) -> None:
        """Count a failure."""
        self._failures += 1
        self._opened = self.clock()

    def succeeded(self) -> None:
        """Forget earlier failures."""
        self._failures = 0


class _TracedClient(AsyncOpaClient):  # type: ignore[misc]  # the package has no types
    """The client, telling OPA which trace a question belongs to (W3C traceparent)."""

    traceparent: Callable[[], str | None]

    def _request(self, method: str, url: str, **options: Any) -> Any:  # noqa: ANN401 - the client's own
        header = self.traceparent()
        return super()._request(method, url, headers={"traceparent": header} if header else {}, **options)


class OpaPolicyEngine:
    """A `gateway.ports.PolicyEngine` that asks an OPA server with our bundle."""

    def __init__(
        self,
        url: str,
        *,
        revision: str,
        timeout_seconds: float,
        items: int = 100,
        token: str | None = None,
        certificate: tuple[str, str] | None = None,
        breaker: Breaker | None = None,
        traceparent: Callable[[], str | None] = lambda: None,
    ) -> None:
        """
        Args:
            url: such as ``https://opa.bank.example:8181``.
            revision: of the bundle that OPA must decide with.
            timeout_seconds: for one round trip.
            items: most that one round trip asks about.
            token: bearer token for OPA.
            certificate: files of our client certificate and its key.
            breaker: when to leave OPA alone.
            traceparent: the header of the request at hand.

        Raises:
            ConfigurationError: the URL is not one of an HTTP server.
        """
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ConfigurationError("CTXGATE_OPA_URL must be an http or https URL")
        self._client = _TracedClient(
            host=parts.hostname,
            port=parts.port or 8181,
            ssl=parts.scheme == "https",
            cert=certificate,
            token=token,
            retries=0,
            timeout=timeout_seconds,
        )
        self._client.traceparent = traceparent
        self._items = items
        self._breaker = breaker or Breaker()
        self._version = PolicyVersion(revision=revision, engine="opa", engine_version="unknown")

    @property
    def version(self) -> PolicyVersion:
        return self._version

    def pinned(self) -> "PolicyEngine":
        return self

    async def start(self) -> None:
        """
        Open the connection pool and learn OPA's version.

        Raises:
            PolicyError: OPA does not answer, or has another bundle.
        """
        await self._client._init_session()  # noqa: SLF001 - the client's own `async with` does no more
        try:
            answer = await self._ask(SCOPE.name, {})
        except PolicyError:
            await self.close()
            raise
        known = answer.get("provenance", {}).get("version", "unknown")
        self._version = self._version.model_copy(update={"engine_version": known})

    async def close(self) -> None:
        """Close the connection pool."""
        await self._client.close_connection()

    async def evaluate(self, entrypoint: str, inputs: Sequence[Mapping[str, Any]]) -> list[object]:
        documents: list[object] = []
        for start in range(0, len(inputs), self._items):
            documents += await self._some(entrypoint, inputs[start : start + self._items])
        return documents

    async def _some(self, entrypoint: str, inputs: Sequence[Mapping[str, Any]]) -> list[object]:
        package, _, rule = entrypoint.rpartition("/")
        answer = await self._ask(f"{package}/batch/{rule}", batch(inputs))
        documents = answer.get("result")
        # A short answer would shift the answers of the items after it.
        if not isinstance(documents, list) or len(documents) != len(inputs):
            raise PolicyMalformedError(f"{entrypoint} is undefined on the policy server, or not answered for each item")
        return documents

    async def _ask(self, path: str, facts: object) -> dict[str, Any]:
        self._breaker.check()
        try:
            answer = await self._post(path, facts)
        except PolicyUnavailableError:
            self._breaker.failed()
            raise
        self._breaker.succeeded()
        self._check_bundle(answer)
        return answer

    async def _post(self, path: str, facts: object) -> dict[str, Any]:
        for attempt in range(1, _TRIES + 1):
            try:
                answer = await self._client.query_rule(facts, path, query_params=_QUERY)
            except aiohttp.ClientConnectorError as error:
                if attempt == _TRIES or not isinstance(error.os_error, ConnectionRefusedError):
                    raise PolicyUnavailableError("the policy server cannot be reached") from error
                await asyncio.sleep(_PAUSE * attempt)
            except (aiohttp.ContentTypeError, ValueError) as error:
                raise PolicyMalformedError("the policy server answered with something that is not JSON") from error
            except (aiohttp.ClientError, TimeoutError) as error:
                raise PolicyUnavailableError("the policy server did not answer") from error
            else:
                if not isinstance(answer, dict):
                    raise PolicyMalformedError("the policy server answered with something that is not a document")
                return answer
        raise PolicyUnavailableError("the policy server cannot be reached")

    def _check_bundle(self, answer: dict[str, Any]) -> None:
        bundles = (answer.get("provenance") or {}).get("bundles") or {}
        # A server that was started on files has no revision to compare; of several bundles none may be another one's.
        revisions = {str(bundle.get("revision") or "") for bundle in bundles.values()} - {""}
        if revisions and revisions != {self._version.revision}:
            raise PolicyMalformedError("the policy server decides with another bundle than the gateway's")


def batch(inputs: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    """Many inputs as one: what they all have in common once, and the rest of each."""
    # The request around an item is most of its input and the same for all of them: sent once, a hundred items are one small body.
    first = inputs[0]
    shared = {name: value for name, value in first.items() if all(_has(one, name, value) for one in inputs)}
    return {
        "shared": shared,
        "parts": [{name: value for name, value in one.items() if name not in shared} for one in inputs],
    }


def _has(facts: Mapping[str, Any], name: str, value: object) -> bool:
    return name in facts and facts[name] == value
