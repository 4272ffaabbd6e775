"""
Operations of a service over HTTP, as an OpenAPI 3.1 document describes them, called by their `operationId`.

Rules held here: the document is a file that was accepted, and nobody's answer; operations that read (GET) alone are called; what
is asked is written into the path and the query so that it cannot be anything else; an answer is what the document promises or none.
"""

import asyncio
import ssl

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlsplit

import httpx

from pydantic import JsonValue

from adapters.shared.addresses import Addresses, PinnedTransport
from adapters.shared.fetching import FetchRefusedError, FetchTooSlowError, fetch
from adapters.shared.result_schemas import ResultSchema, SchemaRefusedError
from adapters.shared.structured import structured
from gateway.concurrency.apart import apart
from gateway.errors import (
    SourceChangedError,
    SourceMalformedError,
    SourceRefusedError,
    SourceTooLargeError,
    SourceUnavailableError,
    ToolNotAskableError,
)
from gateway.model import SourceEntry
from gateway.model.base import Clock
from gateway.model.sources.connections import OpenApiConnection
from gateway.policy.supply.tables import TableError, read_json, read_yaml
from gateway.ports.sources import Call, Offered, Result

_VERSION: Final = "3.1"
_COMPONENTS: Final = "#/components/schemas/"
_ON_THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_DOTS: Final = frozenset({".", ".."})


@dataclass(frozen=True, slots=True)
class _Operation:
    offered: Offered
    path: str
    places: Mapping[str, str]
    """By parameter, where it stands: `path` or `query`."""

    required: frozenset[str]
    schema: ResultSchema


class OpenApiToolbox:
    """A `gateway.ports.Toolbox` over HTTP."""

    def __init__(
        self,
        entry: SourceEntry,
        connection: OpenApiConnection,
        *,
        addresses: Addresses,
        clock: Clock,
        most_bytes: int,
    ) -> None:
        """
        Args:
            entry: the source, as it is registered.
            connection: where the service and its document are.
            addresses: where may be connected to.
            clock: says when an answer came.
            most_bytes: of an answer.
        """
        self._entry = entry
        self._connection = connection
        self._clock = clock
        self._most = most_bytes
        # Neither proxies nor passwords of the environment: what is connected to is what the list allows, and whom the machine trusts.
        inner = httpx.AsyncHTTPTransport(verify=ssl.create_default_context(), trust_env=False)
        self._client = httpx.AsyncClient(transport=PinnedTransport(addresses, inner), trust_env=False)
        self._operations: Mapping[str, _Operation] | None = None

    @property
    def entry(self) -> SourceEntry:
        return self._entry

    async def call(self, call: Call) -> Result:
        if self._client.is_closed:
            raise SourceUnavailableError(f"source {self._entry.id} is closed")
        operation = (await self._known()).get(call.tool.operation)
        if operation is None or operation.offered.pin != call.tool.pin:
            msg = f"the document of source {self._entry.id} does not describe {call.tool.id} as it was accepted"
            raise SourceChangedError(msg)
        path, query = self._asked(operation, call)
        body = await self._fetched(path, query)
        if body is None:
            return Result({}, self._clock(), 0)
        content = await apart(lambda: self._read(body, operation), size=len(body))
        return Result(content, self._clock(), len(body))

    def _asked(self, operation: _Operation, call: Call) -> tuple[str, list[tuple[str, str]]]:
        said = call.arguments
        if not said.keys() <= operation.places.keys() or not operation.required <= said.keys():
            raise ToolNotAskableError(f"{call.tool.id} cannot be asked with what the request says")
        path, query = operation.path, []
        for name, value in said.items():
            texts = [str(one) for one in (value if isinstance(value, list) else [value])]
            if operation.places[name] == "query":
                query += [(name, text) for text in texts]
            elif len(texts) == 1 and texts[0] and _stays(texts[0]):
                path = path.replace(f"{{{name}}}", quote(texts[0], safe=""))
            else:
                raise ToolNotAskableError(f"{call.tool.id} cannot be asked with what the request says")
        return path, query

    async def _fetched(self, path: str, query: list[tuple[str, str]]) -> bytes | None:
        """The body of an answer; None where there is nothing of that name."""
        url, seconds = self._base() + path, self._entry.timeout_seconds
        headers = await asyncio.to_thread(self._headers)
        try:
            answer = await fetch(
                self._client, "GET", url, most_bytes=self._most, seconds=seconds, params=query, headers=headers
            )
        except httpx.InvalidURL as error:
            # A question may be longer than any address.
            raise ToolNotAskableError(f"source {self._entry.id} cannot be asked so much") from error
        except httpx.HTTPStatusError as error:
            if error.response.status_code == httpx.codes.NOT_FOUND:
                return None
            if error.response.status_code < httpx.codes.INTERNAL_SERVER_ERROR:
                # A redirection too: where it leads to was never listed.
                raise SourceRefusedError(f"source {self._entry.id} refused to answer") from error
            raise SourceUnavailableError(f"source {self._entry.id} did not answer") from error
        except (httpx.HTTPError, FetchTooSlowError) as error:
            raise SourceUnavailableError(f"source {self._entry.id} did not answer") from error
        except FetchRefusedError as error:
            raise SourceTooLargeError(f"source {self._entry.id}: {error}") from error
        return answer.body

    def _base(self) -> str:
        parts = urlsplit(self._connection.url)
        if parts.scheme != "https" and parts.hostname not in _ON_THIS_MACHINE:
            raise SourceUnavailableError(f"source {self._entry.id} is at an address without TLS")
        return self._connection.url.rstrip("/")

    def _headers(self) -> dict[str, str]:
        path = self._connection.token_file
        if path is None:
            return {}
        try:
            return {"authorization": f"Bearer {path.read_text().strip()}"}
        except OSError as error:
            raise SourceUnavailableError(f"the token for source {self._entry.id} cannot be read") from error

    def _read(self, body: bytes, operation: _Operation) -> dict[str, JsonValue]:
        content = structured(body, most_bytes=self._most, source=self._entry.id)
        if not operation.schema.fits(content):
            raise SourceMalformedError(f"source {self._entry.id} answered otherwise than its document promises")
        return content

    async def offered(self) -> Sequence[Offered]:
        return [one.offered for one in (await self._known()).values()]

    async def _known(self) -> Mapping[str, _Operation]:
        if self._operations is None:
            self._operations = await asyncio.to_thread(lambda: dict(_operations(self._connection.document)))
        return self._operations

    async def aclose(self) -> None:
        await self._client.aclose()


def _operations(path: Path) -> Iterator[tuple[str, _Operation]]:
    """The operations of a document that can be called; whatever of it cannot is as good as not there."""
    try:
        body = path.read_bytes()
        document: Any = read_json(body) if path.suffix == ".json" else read_yaml(body)
    except (OSError, TableError) as error:
        raise SourceUnavailableError(f"the document {path.name} cannot be read") from error
    if not isinstance(document, dict) or not str(document.get("openapi")).startswith(_VERSION):
        raise SourceMalformedError(f"the document {path.name} is not OpenAPI {_VERSION}")
    schemas = _at(document, "components", "schemas")
    for where, item in _at(document, "paths").items():
        said = _at(item, "get")
        schema = _at(said, "responses", "200", "content", "application/json", "schema")
        parameters = [one for one in (*_listed(item), *_listed(said)) if isinstance(one, dict)]
        if isinstance(said.get("operationId"), str) and schema and all(map(_is_known, parameters)):
            try:
                yield said["operationId"], _operation(str(where), said, parameters, _whole(schema, schemas))
            except SchemaRefusedError:
                continue


def _operation(
    path: str, said: Mapping[str, Any], parameters: Sequence[Mapping[str, Any]], schema: Mapping[str, JsonValue]
) -> _Operation:
    required = frozenset(one["name"] for one in parameters if one.get("required") or one["in"] == "path")
    takes: dict[str, JsonValue] = {
        "type": "object",
        "properties": {one["name"]: one.get("schema", {}) for one in parameters},
        "required": sorted(required),
        # Where it is asked is part of what was accepted.
        "x-path": path,
        "x-in": {one["name"]: one["in"] for one in parameters},
    }
    described = "\n".join(str(said[word]) for word in ("summary", "description") if word in said)
    offered = Offered(said["operationId"], described, takes, schema)
    return _Operation(offered, path, {one["name"]: one["in"] for one in parameters}, required, ResultSchema(schema))


def _stays(text: str) -> bool:
    """Whether it leads nowhere else, also where a proxy in front of the service undoes how it is written and reads it as a path."""
    return _DOTS.isdisjoint(text.replace("\\", "/").split("/"))


def _is_known(parameter: Mapping[str, Any]) -> bool:
    return isinstance(parameter.get("name"), str) and parameter.get("in") in {"path", "query"}


def _listed(item: Mapping[str, Any]) -> list[Any]:
    found = item.get("parameters")
    return found if isinstance(found, list) else []


def _at(value: object, *path: str) -> dict[str, Any]:
    for step in path:
        value = value.get(step) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def _whole(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, JsonValue]:
    """A schema with the schemas of the document that it refers to, all within itself."""
    found: dict[str, Any] = {}
    waiting = list(_referred(schema))
    while waiting:
        name = waiting.pop()
        if name in schemas and name not in found:
            found[name] = schemas[name]
            waiting += _referred(schemas[name])
    said = _inside(schema)
    return {**said, "$defs": {name: _inside(found[name]) for name in sorted(found)}} if found else said


def _referred(value: object) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            if isinstance(one.get("$ref"), str):
                yield one["$ref"].removeprefix(_COMPONENTS)
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _inside(value: Any) -> Any:  # noqa: ANN401 - JSON, of which `read_yaml` and `read_json` bound the depth
    if isinstance(value, list):
        return [_inside(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        name: one.replace(_COMPONENTS, "#/$defs/") if name == "$ref" and isinstance(one, str) else _inside(one)
        for name, one in value.items()
    }
