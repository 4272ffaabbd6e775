"""A server of the Model Context Protocol as a source that tools are called of (`gateway.ports.sources.Toolbox`)."""

import ipaddress

from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from mcp.client import Transport
from pydantic import JsonValue

from adapters.shared.addresses import Addresses
from adapters.shared.side_loop import sessions
from adapters.shared.structured import structured_value
from adapters.sources.mcp.held import Held
from adapters.sources.mcp.over_http import Endpoint, http_streams
from adapters.sources.mcp.program import Program, program_streams
from adapters.sources.mcp.session import ServerSession, SessionLostError, session_with
from gateway.errors import ConfigurationError, SourceError
from gateway.model import SourceEntry
from gateway.model.base import Clock
from gateway.model.sources.connections import McpConnection
from gateway.ports.sources import Call, Offered, Result

_WRITTEN: Final = 8
"""Bytes on the wire for one of a result: it comes as data and once more as text for people, in which each character may be escaped."""


class McpToolbox:
    """A `Toolbox`; nothing is started or connected to until it is first asked."""

    def __init__(
        self, entry: SourceEntry, connection: McpConnection, *, addresses: Addresses, most_bytes: int, clock: Clock
    ) -> None:
        """
        Args:
            entry: the source, as it is registered.
            connection: where it is.
            addresses: where the gateway may connect to.
            most_bytes: of a result.
            clock: for when a result came.

        Raises:
            ConfigurationError: its URL is neither of HTTPS nor of this machine.
        """
        _check_url(connection.url)
        self._entry = entry
        self._connection = connection
        self._addresses = addresses
        self._most = most_bytes
        self._clock = clock
        self._held = Held(entry.id, lambda: session_with(entry.id, self._way))

    @property
    def entry(self) -> SourceEntry:
        return self._entry

    async def call(self, call: Call) -> Result:
        async def asked(session: ServerSession) -> tuple[dict[str, JsonValue], int]:
            answered = await session.call(call.tool, call.arguments)
            return structured_value(answered, most_bytes=self._most, source=self._entry.id)

        content, size = await sessions.run(lambda: self._in_session(asked))
        return Result(content, self._clock(), size)

    async def offered(self) -> Sequence[Offered]:
        async def asked(session: ServerSession) -> Mapping[str, Offered]:
            return await session.offered()

        return tuple((await sessions.run(lambda: self._in_session(asked))).values())

    async def _in_session(self, ask: "Callable[[ServerSession], Coroutine[Any, Any, Any]]") -> Any:  # noqa: ANN401 - what it gives
        session = await self._held.session()
        try:
            return await ask(session)
        except SessionLostError:
            # As after a restart of the server.  Calls only read, and this one was not taken up.
            session.retire()
            return await ask(await self._held.session())

    def _way(self, mishap: Callable[[SourceError], None]) -> Transport:
        """A new connection; files are read now, so that a secret may be replaced at any time."""
        connection, wire = self._connection, _WRITTEN * self._most
        if connection.url is not None:
            endpoint = Endpoint(self._entry.id, connection.url, connection.token_file, self._addresses)
            return http_streams(endpoint, most_bytes=wire)
        secrets = {name: _secret(path) for name, path in connection.environment_files.items()}
        environment = {**connection.environment, **secrets}
        program = Program(self._entry.id, connection.command, connection.folder, environment)
        return program_streams(program, most_bytes=wire, mishap=mishap)

    async def aclose(self) -> None:
        with suppress(Exception):
            await sessions.run(self._held.aclose)


def _secret(path: Path) -> str:
    return path.read_text().strip()


def _check_url(url: str | None) -> None:
    if url is None:
        return
    parts = urlsplit(url)
    if parts.scheme == "https" and parts.hostname and not parts.username:
        return
    if parts.scheme != "http" or parts.username or not _here(parts.hostname or ""):
        raise ConfigurationError("the url of an MCP server is of HTTPS, or of HTTP on this machine, and names nobody")


def _here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
