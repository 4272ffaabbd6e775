"""The bundled bank with its servers, as a gateway under test is told of it."""

import contextlib
import json
import os
import subprocess
import sys

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from gateway.bootstrap.gateway import Gateway
from gateway.cli.demo.bank import MODULES, Bank, desk_server, free_port, installed
from gateway.settings import HOME, Settings

QUESTION: dict[str, Any] = {
    "agent_id": "RISK",
    "purpose": "risk_assessment",
    "query": "Run a risk assessment for NPA-2026-00142",
    "entity": {"type": "project", "id": "NPA-2026-00142"},
    "model": "gpt-4o",
    "token_budget": 128_000,
}
"""The walkthrough's, and nothing beside it."""


@dataclass(frozen=True, slots=True)
class ServedBank:
    """The bank, while its server over HTTP runs."""

    bank: Bank
    desk: subprocess.Popen[bytes]
    """The server of the desk, over HTTP."""

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.bank.database.parent

    def settings(self, settings: Settings) -> Settings:
        """For a gateway that calls its tools."""
        return self.bank.settings(settings)

    def misbehaving(self, settings: Settings, *, seconds: float) -> Settings:
        """The same, where the server of projects does what `told` says; nothing as long as nothing was."""
        stated = yaml.safe_load(self.bank.connections.read_text())
        self.told({})
        program = [sys.executable, "-m", "tests.support.bank_faults", "npa", str(self.bank.database), str(self._faults)]
        modules = os.pathsep.join([str(HOME), MODULES])
        stated["sources"]["sor-npa"] = {"kind": "mcp", "command": program, "environment": {"PYTHONPATH": modules}}
        (self.folder / "faulty.yaml").write_text(yaml.safe_dump(stated))
        table = self.bank.policies / "registry/sources/data.yaml"
        rows = yaml.safe_load(table.read_text())
        rows["sor-npa"]["timeout_seconds"] = seconds
        table.write_text(yaml.safe_dump(rows))
        return self.settings(settings).model_copy(update={"connections": self.folder / "faulty.yaml"})

    def told(self, faults: dict[str, str]) -> None:
        """What each tool does wrong from now on."""
        self._faults.write_text(json.dumps(faults))

    @property
    def _faults(self) -> Path:
        return self.folder / "faults.json"


@contextlib.contextmanager
def served_bank(folder: Path) -> Iterator[ServedBank]:
    """The bank in a folder; the servers over pipes are the gateway's to start."""
    port = free_port()
    bank = installed(folder, port)
    with desk_server(bank.database, port) as desk:
        yield ServedBank(bank, desk)


async def started(gateway: Gateway) -> None:
    """Have every server up, so that no deadline of a call counts its start."""
    toolboxes = gateway.pipeline.pinned().toolboxes or {}
    for toolbox in toolboxes.values():
        await toolbox.offered()
