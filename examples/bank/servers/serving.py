"""
A server of the bank: offers its tools over MCP, and says with each answer where it comes from.

Rule held here: what goes wrong is answered as an error in words of our own; no row and no path stands in them.
"""

import asyncio
import sqlite3

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import mcp_types as types

from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from bank.servers.spec import ToolSpec
from ctxgate_source import ScopeError, SigningKey, UserUnknownError, user_context_tool, with_provenance

PROVENANCE: Final = "ctxgate.example/provenance"
"""Under this name in the `_meta` of a result: its labels, and the owner's signature over labels and content."""

USER_CONTEXT: Final = "user_context"
Context = ServerRequestContext[Any]


def server_of(
    name: str, tools: Sequence[ToolSpec], database: Path, key: SigningKey, user: dict[str, Any] | None = None
) -> Server[Any]:
    """
    A server of these tools.

    Args:
        name: of the server.
        tools: what it offers beside `user_context`.
        database: the bank's, which is only read.
        key: which signs what the tools answer.
        user: verified claims of whom the server is for, who alone speaks to it over its pipes; None: nobody is known.
    """
    by_name = {tool.name: tool for tool in tools}
    whoami = user_context_tool(lambda: user)

    async def offer(_: Context, __: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[user_tool(), *map(_described, tools)])

    async def call(_: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        asked, tool = params.arguments or {}, by_name.get(params.name)
        try:
            if params.name == USER_CONTEXT:
                return types.CallToolResult(content=[], structured_content=dict(whoami()))
            if tool is None or asked.keys() - tool.input["properties"].keys():
                return _error("There is no such tool, or it takes no such argument.")
            # A thread of its own: reading a file must not keep others waiting.
            item = await asyncio.to_thread(_signed(tool, database, key), asked)
        except (ScopeError, UserUnknownError) as error:
            return _error(f"Refused: {error}.")
        except sqlite3.Error:
            return _error("The database did not answer.")
        said = {name: item[name] for name in ("provenance", "attestation")}
        return types.CallToolResult(content=[], structured_content=item["content"], _meta={PROVENANCE: said})

    return Server(name, version="1", on_list_tools=offer, on_call_tool=call)


def _signed(tool: ToolSpec, database: Path, key: SigningKey) -> Any:  # noqa: ANN401 - the decorator's own
    """The tool's function, which gives its answer as a signed item."""

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        return tool.call(database, asked)

    return with_provenance(
        key=key,
        issuer=f"sor-{tool.domain.lower()}",
        section=tool.section,
        source_id=tool.source_id,
        source_type="system_of_record",
        domain=tool.domain,
        data_classification="CONFIDENTIAL",
        owner=f"{tool.domain} Platform",
    )(answer)


def _described(tool: ToolSpec) -> types.Tool:
    return types.Tool(name=tool.name, description=tool.description, input_schema=tool.input, output_schema=tool.output)


def user_tool() -> types.Tool:
    """`user_context`, as each server offers it."""
    nothing = {"type": "object", "properties": {}, "additionalProperties": False}
    return types.Tool(name=USER_CONTEXT, description=user_context_tool(dict).__doc__, input_schema=nothing)


def _error(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=True)


async def over_pipes(server: Server[Any]) -> None:
    """Serve whoever started this process."""
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
