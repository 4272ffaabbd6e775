"""
An honest server of the Model Context Protocol by the SDK: over stdio as a program, over HTTP in a thread.

The same rows and the same tool as `tests/support/mcp_server.py`, as the SDK describes them.
"""

import socket
import sys
import threading

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypedDict, cast

import uvicorn

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.support.mcp_server import DESCRIPTION, PROJECTS


class Project(TypedDict):
    """A row."""

    project_id: str
    name: str
    booking: str
    notional: int


def honest_server() -> MCPServer:
    server = MCPServer("projects", log_level="ERROR")

    @server.tool(description=DESCRIPTION)
    def get_project(project_id: str) -> Project:
        if project_id not in PROJECTS:
            raise ToolError("there is no such project")
        return cast("Project", PROJECTS[project_id])

    return server


@contextmanager
def honest_over_http(*, json_response: bool = False, stateless_http: bool = False) -> Iterator[str]:
    """Its URL while it is served, in one of the ways of the SDK."""
    app = honest_server().streamable_http_app(json_response=json_response, stateless_http=stateless_http)
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", loop="asyncio", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join(timeout=10)


if __name__ == "__main__":
    honest_server().run()
