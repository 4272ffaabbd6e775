"""A small system of record in SQLite, with the tools, the queries and the connections that a gateway calls it by."""

import asyncio
import json
import shutil
import sqlite3

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import yaml

from gateway.bootstrap.gateway import Gateway
from gateway.model import ContextPack, Registry, SourceEntry
from gateway.model.sources.tools import Tool
from gateway.pipeline import Pipeline
from gateway.policy.bundle import load_bundle
from gateway.policy.registries import Registries
from gateway.ports.sources import Call, Offered, Result, Toolbox
from gateway.settings import HOME, Settings
from tests.support.clock import NOW

PROJECT: Final = "NPA-2026-00142"
OTHER: Final = "NPA-2026-00143"

RESULT: Final[dict[str, Any]] = {
    "section": "tool_result",
    "entity_member": "project_id",
    "jurisdiction_member": "jurisdiction",
    "data_classification": "CONFIDENTIAL",
    "ttl_seconds": 60,
    "owner": "NPA Platform",
}

SOURCE: Final[dict[str, Any]] = {
    "kind": "sql",
    "timeout_seconds": 5.0,
    "grant": {
        "source_ids": ["SoR:*"],
        "source_types": ["system_of_record"],
        "domains": ["NPA"],
        "jurisdictions": ["SG", "HK"],
        "data_classifications": ["CONFIDENTIAL"],
    },
}


def tool(source_id: str, operation: str, **changes: Any) -> dict[str, Any]:
    """A line of the table of tools."""
    result = {**RESULT, "source_id": source_id, **changes.pop("result", {})}
    return {
        "source": "sor-records",
        "operation": operation,
        "description": f"What {source_id} holds on a project",
        "arguments": {"project": "entity.id"},
        "result": result,
        "domains": ["NPA"],
        "safety": ["reads"],
        "owner": "NPA Platform",
        **changes,
    }


def query(sql: str, **changes: Any) -> dict[str, Any]:
    """A line of the table of queries, of the source `s`, about one project."""
    return {"source": "s", "sql": sql, "parameters": {"project": "text"}, "owner": "o", **changes}


def asking(operation: str) -> Tool:
    """A tool of the source `s` that stands for a query."""
    row = tool("SoR:x", operation, source="s", arguments={"project": "entity.id"})
    return Tool.model_validate({"id": "t", **row})


TOOLS: Final[dict[str, Any]] = {
    "get_npa_by_id": tool(
        "SoR:npa_projects",
        "project",
        arguments={"project": "entity.id", "moment": "as_of"},
        result={"section": "entity"},
    ),
    "get_risk_checks": tool("SoR:npa_risk_checks", "risk_checks", result={"rows": "rows", "jurisdiction": "SG"}),
    "get_form_data": tool("SoR:npa_form_data", "form"),
}

QUERIES: Final[dict[str, Any]] = {
    "project": {
        "source": "sor-records",
        "sql": "SELECT project_id, title, jurisdiction, jurisdictions FROM projects WHERE project_id = :project AND (:moment IS NULL OR known_from <= :moment)",
        "parameters": {"project": "text", "moment": "text"},
        "json_columns": ["jurisdictions"],
        "owner": "NPA Platform",
    },
    "risk_checks": {
        "source": "sor-records",
        "sql": "SELECT project_id, domain, score FROM risk_checks WHERE project_id = :project ORDER BY domain",
        "parameters": {"project": "text"},
        "answers": "rows",
        "most_rows": 20,
        "owner": "NPA Platform",
    },
    "form": {
        "source": "sor-records",
        "sql": "SELECT project_id, 'SG' AS jurisdiction, underlying FROM forms WHERE project_id = :project",
        "parameters": {"project": "text"},
        "owner": "NPA Platform",
    },
}

_TABLES: Final = """
CREATE TABLE projects (project_id TEXT PRIMARY KEY, title TEXT, jurisdiction TEXT, jurisdictions TEXT, known_from TEXT);
CREATE TABLE risk_checks (project_id TEXT, domain TEXT, score INTEGER);
CREATE TABLE forms (project_id TEXT, underlying TEXT);
"""

PROJECTS: Final = (
    (PROJECT, "FX target redemption forward", "SG", ["SG"], "2026-01-01T00:00:00Z"),
    (OTHER, "Equity accumulator", "HK", ["HK"], "2026-01-01T00:00:00Z"),
)

REQUEST: Final[dict[str, Any]] = {
    "agent_id": "RISK",
    "purpose": "risk_assessment",
    "query": f"Run a risk assessment for {PROJECT}",
    "entity": {"type": "project", "id": PROJECT},
    "model": "gpt-4o",
    "token_budget": 128_000,
}
"""The question alone: neither items nor jurisdictions."""


def records(path: Path) -> Path:
    """The database."""
    with sqlite3.connect(path) as database:
        database.executescript(_TABLES)
        rows = [(*row[:3], json.dumps(row[3]), row[4]) for row in PROJECTS]
        database.executemany("INSERT INTO projects VALUES (?, ?, ?, ?, ?)", rows)
        database.executemany(
            "INSERT INTO risk_checks VALUES (?, ?, ?)", [(PROJECT, "market", 7), (PROJECT, "credit", 3)]
        )
        database.execute("INSERT INTO forms VALUES (?, ?)", (PROJECT, "USD/SGD spot"))
    database.close()
    return path


def calling(
    settings: Settings,
    folder: Path,
    *,
    tools: dict[str, Any] = TOOLS,
    queries: dict[str, Any] = QUERIES,
    source: dict[str, Any] = SOURCE,
    connection: dict[str, Any] | None = None,
) -> Settings:
    """Settings of a gateway that calls these tools of this source, and has one connection; for none give an empty one."""
    policies = folder / "policies"
    shutil.copytree(HOME / "policies", policies)
    _add(policies / "registry/sources/data.yaml", {"sor-records": source})
    for table, rows in (("tools", tools), ("queries", queries)):
        (policies / f"registry/{table}/data.yaml").write_text(yaml.safe_dump(rows))
    if connection is None:
        connection = {"kind": "sql", "sqlite": str(records(folder / "records.sqlite"))}
    stated = {"sources": {"sor-records": connection} if connection else {}}
    (folder / "connections.yaml").write_text(yaml.safe_dump(stated))
    return settings.model_copy(update={"policies_dir": policies, "connections": folder / "connections.yaml"})


def _add(path: Path, rows: dict[str, Any]) -> None:
    path.write_text(yaml.safe_dump({**yaml.safe_load(path.read_text()), **rows}))


class ScriptedToolbox:
    """A toolbox that answers as it is told, by tool: a result, what it raises, nothing ever, or one after the other."""

    def __init__(self, entry: SourceEntry, answers: Mapping[str, Any]) -> None:
        self._entry = entry
        self._answers = dict(answers)
        self.calls: list[Call] = []

    @property
    def entry(self) -> SourceEntry:
        return self._entry

    async def call(self, call: Call) -> Result:
        self.calls.append(call)
        answer = self._answers.get(call.tool.id, {})
        if isinstance(answer, list):
            answer = answer.pop(0)
        if answer is None:
            await asyncio.sleep(60)
        if isinstance(answer, BaseException):
            raise answer
        return answer if isinstance(answer, Result) else Result(answer, NOW, 100)

    async def offered(self) -> Sequence[Offered]:
        return ()

    async def aclose(self) -> None:
        return None


RECORD: Final[dict[str, Any]] = {"project_id": PROJECT, "jurisdiction": "SG", "jurisdictions": ["SG"]}
CHECKS: Final[dict[str, Any]] = {"rows": [{"project_id": PROJECT, "domain": "credit", "score": 3}]}
FORM: Final[dict[str, Any]] = {"project_id": PROJECT, "jurisdiction": "SG", "underlying": "USD/SGD spot"}
ANSWERS: Final = {"get_npa_by_id": RECORD, "get_risk_checks": CHECKS, "get_form_data": FORM}


def answering(gateway: Gateway, answers: Mapping[str, Any]) -> tuple[Pipeline, ScriptedToolbox]:
    """The gateway's pipeline with a source that answers so, in the place of its own."""
    bundle = load_bundle(gateway.settings.policies_dir)
    made: list[ScriptedToolbox] = []

    def toolboxes(registry: Registry) -> dict[str, Toolbox]:
        made.append(ScriptedToolbox(registry.sources["sor-records"], {**ANSWERS, **answers}))
        return {"sor-records": made[-1]}

    registries = Registries(lambda _: (), toolboxes)
    registries.hold(bundle)
    return replace(gateway.pipeline, registries=registries), made[0]


def results_of(pack: ContextPack) -> set[str]:
    """The results of tools that are in a pack, by id; signatures of tools that an agent is shown are none."""
    return {item.id for section in pack.sections for item in section.items if item.id.startswith("tool:")}
