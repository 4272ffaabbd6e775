"""
`ctxgate demo bank`: a made-up bank with its systems of record, a question alone, and the way of every item.

Everything runs on this machine: the servers of projects and of incidents over pipes, the one of the desk and of digital clients
over HTTP.
"""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import time

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Final

import yaml

from rich.table import Table

from gateway.bootstrap.gateway import Gateway, running
from gateway.bootstrap.process import system_clock
from gateway.cli.output import console, show_budget, show_candidates, styled
from gateway.content.parsing import parse_json, parse_request, shaped
from gateway.errors import SourceUnavailableError
from gateway.model import ContextPack, PackRequest, Subject
from gateway.model.pseudonyms import keyed_names
from gateway.pipeline import Asked
from gateway.settings import HOME, Settings
from gateway.sourcing.checking import Checked, check_source
from ledger.query import Filter
from ledger.record import Record

BANK: Final = HOME / "examples/bank"
MODULES: Final = os.pathsep.join(str(HOME / part) for part in ("examples", "sdk/ctxgate_source"))
"""Where Python finds the bank and the package that its servers are written with."""

_SERVERS: Final = {"sor-npa": "npa", "sor-orm": "orm", "sor-desk": "desk", "sor-dce": "desk"}
_SECONDS: Final = 30
"""How long the server over HTTP may take to begin."""


@dataclass(frozen=True, slots=True)
class Bank:
    """The bank in a folder, as a gateway is told of it."""

    database: Path
    policies: Path
    connections: Path

    def settings(self, settings: Settings) -> Settings:
        """The same, for a gateway that calls the bank's tools."""
        return settings.model_copy(update={"policies_dir": self.policies, "connections": self.connections})


def demo_bank(settings: Settings, now: datetime | None) -> ContextPack:
    """
    Ask the walkthrough's question of the bank and show what came of it.

    Raises:
        GatewayError: nothing is released; the code says why.
    """
    folder = settings.state_dir / "bank"
    port = free_port()
    bank = installed(folder, port)
    console.print(f"The bank is in {bank.database}: 300 projects, 200 incidents, 150 counterparties, 100 clients")
    with desk_server(bank.database, port):
        asked = parse_request((BANK / "request.json").read_bytes(), settings.limits)
        checked, pack, rulings, trace = asyncio.run(_asked(asked, bank.settings(settings), now))
    _show_servers(checked)
    console.print(styled("Asked: [bold]{}[/], and nothing else", asked.query))
    _show_calls(pack, trace)
    show_candidates(rulings, pack)
    show_budget(pack)
    return pack


def installed(folder: Path, port: int) -> Bank:
    """
    The bank, written into a folder where it is not there yet: rows, the policies that name its sources, and where its servers are.

    Args:
        folder: for all of it.
        port: of this machine, on which the server of the desk listens.
    """
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder.resolve()
    subprocess.run(  # noqa: S603 - our own module
        [sys.executable, "-m", "bank", "build", str(folder)],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": MODULES},
    )
    database, policies = folder / "bank.sqlite", folder / "policies"
    shutil.rmtree(policies, ignore_errors=True)
    shutil.copytree(HOME / "policies", policies)
    for name in ("sources", "tools"):
        _add(policies / f"registry/{name}/data.yaml", BANK / f"{name}.yaml")
    connections = folder / "connections.yaml"
    connections.write_text(yaml.safe_dump(_connections(database, port)))
    return Bank(database, policies, connections)


def _add(table: Path, rows: Path) -> None:
    """Put the bank's rows into a table; of a source nothing is left, of a tool what the bank says nothing about."""
    there, ours = (yaml.safe_load(path.read_bytes()) for path in (table, rows))
    kept = there if table.parent.name == "tools" else {}
    merged = {name: {**kept.get(name, {}), **row} for name, row in ours.items()}
    table.write_text(yaml.safe_dump({**there, **merged}, sort_keys=False))


def _connections(database: Path, port: int) -> dict[str, object]:
    sources = {
        source: {"kind": "mcp", "url": f"http://127.0.0.1:{port}/mcp"}
        if server == "desk"
        else {"kind": "mcp", "command": serving(server, database), "environment": {"PYTHONPATH": MODULES}}
        for source, server in _SERVERS.items()
    }
    return {"addresses": [f"127.0.0.1:{port}"], "sources": sources}


def serving(server: str, database: Path) -> list[str]:
    """The command of one of the bank's servers."""
    return [sys.executable, "-m", "bank", "serve", server, "--database", str(database)]


def free_port() -> int:
    """A port of this machine that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def desk_server(database: Path, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """
    The server of the desk and of digital clients, over HTTP.

    Raises:
        SourceUnavailableError: it did not begin to listen.
    """
    command, environment = (
        [*serving("desk", database), "--port", str(port)],
        {**os.environ, "PYTHONPATH": MODULES},
    )
    with subprocess.Popen(command, env=environment) as server:  # noqa: S603 - our own module
        try:
            _wait_for(port, server)
            yield server
        finally:
            server.terminate()


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _SECONDS
    while time.monotonic() < until and server.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.1)
    raise SourceUnavailableError("the bank's server of the desk did not begin to listen")


async def _asked(
    request: PackRequest, settings: Settings, now: datetime | None
) -> tuple[list[Checked], ContextPack, list[Record], dict[str, object]]:
    subject = shaped(Subject, parse_json((BANK / "subject.json").read_bytes(), depth=8))
    async with running(settings, clock=lambda: now or system_clock()) as gateway:
        checked = await _checked(gateway)
        pack = await gateway.pipeline.assemble(Asked(request, subject, gateway.clock()))
        await gateway.ledger.keeper.round()
        wanted = Filter(request_id=str(pack.request["request_id"]), kind="item.ruled", limit=1000)
        page = await asyncio.to_thread(gateway.store.query, wanted)
        records = [Record.decode(record) for record in page.records]
        records = _told(records, pack, partial(keyed_names(gateway.stores.secret), subject.tenant))
        traces = await gateway.traces.get(subject.tenant, records[0].trace_id or "")
        return checked, pack, records, next(iter(traces), {})


def _told(records: list[Record], pack: ContextPack, keyed: Callable[[str], str]) -> list[Record]:
    """The records with the ids of items as the pack has them; a record itself never repeats what may name a person."""
    known = {keyed(item.id): item.id for section in pack.sections for item in section.items}
    return [
        one.model_copy(update={"item": one.item.model_copy(update={"id": known.get(one.item.id, one.item.id)})})
        if one.item
        else one
        for one in records
    ]


async def _checked(gateway: Gateway) -> list[Checked]:
    """What the servers offer, held against the pins; all of them start at once."""
    pinned = gateway.pipeline.pinned()
    toolboxes = pinned.toolboxes or {}
    found = await asyncio.gather(*(check_source(one.entry, one, pinned.registry) for one in toolboxes.values()))
    return [one for source in found for one in source if one.tool]


def _show_servers(checked: list[Checked]) -> None:
    table = Table("source", "tools", "as an officer accepted them", title="Systems of record", title_justify="left")
    # A line for each source, in the order of the registry; a tool that is not as accepted is never called.
    for name in dict.fromkeys(one.source for one in checked):
        mine = [one for one in checked if one.source == name]
        accepted = sum(one.finding == "accepted" for one in mine)
        table.add_row(name, ", ".join(one.tool for one in mine), f"{accepted} of {len(mine)}")
    console.print(table)


def _show_calls(pack: ContextPack, trace: dict[str, object]) -> None:
    calls = trace.get("tools_called")
    took = {str(one["name"]): one["duration_ms"] for one in calls} if isinstance(calls, list) else {}
    table = Table(title="Tools called", header_style="bold", title_justify="left")
    for name in ("tool", "source", "came of it"):
        table.add_column(name)
    for name in ("bytes", "ms"):
        table.add_column(name, justify="right")
    for call in pack.runtime_state.tools_called:
        table.add_row(call.name, call.source, call.status, str(call.bytes), f"{took.get(call.name, 0):.0f}")
    console.print(table)
