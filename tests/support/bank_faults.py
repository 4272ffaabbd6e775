"""
A server of the bundled bank that misbehaves: what each of its tools does wrong stands in a file, which is read at each call.

It offers what the honest one offers, so that no pin tells them apart, unless it is told to offer something else.
"""

import asyncio
import dataclasses
import json
import os
import sys
import time

from pathlib import Path
from typing import Any

from bank.servers import desk, npa, orm
from bank.servers.serving import over_pipes, server_of
from bank.servers.spec import ToolSpec
from ctxgate_source import ScopedQueries, ScopeError, make_key

SERVERS = {"npa": npa.TOOLS, "orm": orm.TOOLS, "desk": desk.TOOLS}
OTHER = 143
HUGE = 100_000_000


def faulty(tool: ToolSpec, faults: Path, database: Path) -> ToolSpec:
    """The tool, doing wrong what the file says at the time of the call."""

    def answers(queries: ScopedQueries) -> dict[str, Any]:
        fault = told(faults).get(tool.name)
        if fault == "hung":
            time.sleep(600)
        if fault == "killed":
            os._exit(9)
        if fault == "error":
            raise ScopeError("told to")
        if fault == "foreign":
            return tool.call(database, {tool.parameter: OTHER, "jurisdictions": ["SG", "HK", "IN", "TW", "ID", "AU"]})
        said = tool.answers(queries)
        if fault == "nameless":
            return {name: value for name, value in said.items() if name != "project_id"}
        if fault == "schema":
            return {**said, "jurisdiction": 7}
        if fault == "more":
            return {**said, "note": "a member that nobody knows"}
        return {**said, "title": "x" * HUGE} if fault == "huge" else said

    words = "Changed" if told(faults).get(tool.name) == "changed" else tool.description
    return dataclasses.replace(tool, answers=answers, description=words)


def told(faults: Path) -> dict[str, str]:
    """What the file says."""
    return json.loads(faults.read_text())


def main(server: str, database: str, faults: str) -> None:
    """Serve over pipes."""
    tools = [faulty(tool, Path(faults), Path(database)) for tool in SERVERS[server]]
    asyncio.run(over_pipes(server_of(f"bank-{server}", tools, Path(database), make_key("k"))))


if __name__ == "__main__":
    main(*sys.argv[1:])
