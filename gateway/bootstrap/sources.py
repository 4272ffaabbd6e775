"""
Which sources a gateway fetches from, and which it calls tools of.

Rule held here: what a source may say stands in the bundle, where it is in the file of connections; a source that one of the two
does not know is off.
"""

import asyncio

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import httpx

from pydantic import ValidationError

from adapters.shared.addresses import Addresses, PinnedTransport
from adapters.shared.tls import authorities
from adapters.sources.dify import DifySource
from adapters.sources.directory import DirectorySource
from adapters.sources.http import HttpSource
from adapters.sources.openapi import OpenApiToolbox
from adapters.sources.postgres import PostgresToolbox
from adapters.sources.sqlite import SqliteToolbox
from gateway.bootstrap.process import system_clock
from gateway.errors import ConfigurationError
from gateway.model import Registry, SourceEntry
from gateway.model.base import Clock
from gateway.model.sources.connections import (
    Connections,
    DifyConnection,
    McpConnection,
    OpenApiConnection,
    SqlConnection,
)
from gateway.model.sources.queries import NamedQuery
from gateway.policy.supply.tables import TableError, read_yaml
from gateway.ports.sources import Source, Toolbox
from gateway.settings import Settings


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What toolboxes of every kind are made with."""

    settings: Settings
    connections: Connections
    queries: Mapping[str, NamedQuery]
    """Those of the source, by id."""

    clock: Clock


ToolboxBuilder = Callable[[SourceEntry, Any, Surroundings], Toolbox]
"""Makes the toolbox of a source from its line, its connection, of the same kind, and what all are made with."""


def _sql(entry: SourceEntry, connection: SqlConnection, around: Surroundings) -> Toolbox:
    kind = SqliteToolbox if connection.sqlite else PostgresToolbox
    most = around.settings.max_item_bytes
    return kind(entry, connection, around.queries, clock=around.clock, most_bytes=most)


def _openapi(entry: SourceEntry, connection: OpenApiConnection, around: Surroundings) -> Toolbox:
    addresses, most = Addresses(around.connections.addresses), around.settings.max_item_bytes
    return OpenApiToolbox(entry, connection, addresses=addresses, clock=around.clock, most_bytes=most)


def _mcp(entry: SourceEntry, connection: McpConnection, around: Surroundings) -> Toolbox:
    # The SDK takes a second to load, which nobody should wait for who has no such source.
    from adapters.sources.mcp.toolbox import McpToolbox  # noqa: PLC0415

    addresses = Addresses(around.connections.addresses)
    most = around.settings.max_item_bytes
    return McpToolbox(entry, connection, addresses=addresses, most_bytes=most, clock=around.clock)


BUILDERS: Final[Mapping[str, ToolboxBuilder]] = {"mcp": _mcp, "openapi": _openapi, "sql": _sql}
"""One for each kind of source that tools are called of."""


_BEGIN_SECONDS: Final = 10.0
"""How long the start of a gateway waits for its sources."""


def connections_of(settings: Settings) -> Connections | None:
    """
    What the file of connections says; None where none is set, so that no tool is called.

    Raises:
        ConfigurationError: it cannot be read, or is not such a file; the detail says where, and never quotes it.
    """
    path = settings.connections
    if path is None:
        return None
    try:
        return Connections.model_validate(read_yaml(path.read_bytes()), context={"folder": path.resolve().parent})
    except OSError as error:
        raise ConfigurationError(f"CTXGATE_CONNECTIONS: {path} cannot be read") from error
    except TableError as error:
        raise ConfigurationError(f"CTXGATE_CONNECTIONS: {path}: {error}") from error
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise ConfigurationError(f"CTXGATE_CONNECTIONS: {path}: {place}: {first['msg']}") from None


class Toolboxes:
    """The toolboxes of all bundles; bundles that say the same of a source share one, with its connections."""

    def __init__(self, settings: Settings, connections: Connections | None, clock: Clock) -> None:
        """
        Args:
            settings: of the gateway.
            connections: where sources are; None for tools that are off.
            clock: says when an answer came.
        """
        self._settings = settings
        self.connections: Final = connections
        self.clock: Final = clock
        self._made: dict[str, Toolbox] = {}

    def of(self, registry: Registry) -> dict[str, Toolbox] | None:
        """By ids of their sources, those of a registry that have a connection of their kind; None where tools are off."""
        if self.connections is None:
            return None
        found = {}
        for entry in registry.sources.values():
            connection = self.connections.sources.get(entry.id)
            if connection is not None and connection.kind == entry.kind and entry.kind in BUILDERS:
                found[entry.id] = self._one(entry, connection, registry, self.connections)
        return found

    def _one(self, entry: SourceEntry, connection: Any, registry: Registry, connections: Connections) -> Toolbox:  # noqa: ANN401
        queries = {name: query for name, query in registry.queries.items() if query.source == entry.id}
        name = "\n".join([entry.model_dump_json(), *(query.model_dump_json() for query in queries.values())])
        if name not in self._made:
            around = Surroundings(self._settings, connections, queries, self.clock)
            self._made[name] = BUILDERS[entry.kind](entry, connection, around)
        return self._made[name]

    async def begin(self) -> None:
        """Start and connect to what there is, so that the first request need not wait; what does not come is not waited for long."""
        beginnings = [asyncio.create_task(toolbox.offered()) for toolbox in self._made.values()]
        if beginnings:
            _, late = await asyncio.wait(beginnings, timeout=_BEGIN_SECONDS)
            for one in late:
                one.cancel()
            # Why one is not there, its calls say.
            await asyncio.gather(*beginnings, return_exceptions=True)

    async def aclose(self) -> None:
        """Give back all connections."""
        await asyncio.gather(*(toolbox.aclose() for toolbox in self._made.values()), return_exceptions=True)


def source_client(connections: Connections | None) -> httpx.AsyncClient:
    """What fetches from sources of the kind `http`: from listed addresses alone, so from none where no connections are set."""
    inner = httpx.AsyncHTTPTransport(verify=authorities(), trust_env=False)
    addresses = Addresses(connections.addresses if connections else ())
    return httpx.AsyncClient(transport=PinnedTransport(addresses, inner), trust_env=False)


def sources_of(
    settings: Settings,
    client: httpx.AsyncClient,
    registry: Registry,
    connections: Connections | None = None,
    clock: Clock = system_clock,
) -> tuple[Source, ...]:
    """
    What fetches from the sources of a registry.

    Args:
        settings: of the gateway; without a folder for sources, none of the kinds directory and http is fetched from.
        client: to ask services with.
        registry: says which sources there are.
        connections: where those of the kind dify are; one that is not there is off.
        clock: says when an answer came.
    """
    made = (_source(entry, settings, client, connections, clock) for entry in registry.sources.values())
    return tuple(source for source in made if source is not None)


def _source(
    entry: SourceEntry, settings: Settings, client: httpx.AsyncClient, connections: Connections | None, clock: Clock
) -> Source | None:
    if entry.kind == "dify" and connections is not None:
        connection, most = connections.sources.get(entry.id), settings.max_request_bytes
        if isinstance(connection, DifyConnection):
            addresses = Addresses(connections.addresses)
            return DifySource(entry, connection, addresses=addresses, clock=clock, most_bytes=most)
    if settings.sources_dir is not None and entry.kind == "directory":
        return DirectorySource(entry, settings.sources_dir)
    if settings.sources_dir is not None and entry.kind == "http":
        return HttpSource(entry, client, most_bytes=settings.max_request_bytes)
    return None
