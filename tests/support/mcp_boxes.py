"""Toolboxes before the servers of tests."""

import os
import sys

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from adapters.shared.addresses import Addresses
from adapters.sources.mcp.toolbox import McpToolbox
from gateway.model import SourceEntry
from gateway.model.sources.connections import McpConnection
from gateway.model.sources.tools import Tool, tool_pin
from gateway.ports.sources import Call
from tests.support import mcp_server
from tests.support.toolboxes import NOW

MOST = 256_000
"""Bytes of a result."""

ASKED = {"project_id": "NPA-2026-00142"}
ENTRY = SourceEntry.model_validate({"id": "npa", "kind": "mcp"})
PIN = tool_pin("get_project", mcp_server.DESCRIPTION, mcp_server.INPUT, mcp_server.OUTPUT)
"""What an officer accepted: the honest one's."""


def tool_of(pin: str | None = PIN, **changes: object) -> Tool:
    given = {
        "id": "npa_get_project",
        "source": "npa",
        "operation": "get_project",
        "pin": pin,
        "owner": "NPA",
        **changes,
    }
    return Tool.model_validate({"description": "A project.", "safety": ["reads"], **given})


CALL = Call(tool_of(), ASKED)


@asynccontextmanager
async def box_of(connection: McpConnection, *addresses: str) -> AsyncIterator[McpToolbox]:
    """A toolbox, closed at the end."""
    box = McpToolbox(ENTRY, connection, addresses=Addresses(addresses), most_bytes=MOST, clock=lambda: NOW)
    try:
        yield box
    finally:
        await box.aclose()


def program(way: str, note: Path | None = None, **changes: object) -> McpConnection:
    """The server as a program."""
    command = (sys.executable, "-I", "-S", mcp_server.__file__, way, *([str(note)] if note else []))
    return McpConnection.model_validate({"kind": "mcp", "command": command, **changes})


def over_http(url: str, **changes: object) -> tuple[McpConnection, str]:
    """The server behind a URL, and its address."""
    return McpConnection.model_validate({"kind": "mcp", "url": url, **changes}), url.split("/")[2]


def alive(process: int) -> bool:
    """Whether a process runs; one that is dead and whose end nobody took note of does not."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (ProcessLookupError, FileNotFoundError):
        return False
    return state != "Z"
