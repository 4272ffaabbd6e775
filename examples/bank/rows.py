"""`python -m bank rows`: the bank's tools as rows of the gateway's table, each with the pin of what its server offers."""

import json

from typing import Any, Final

from bank.servers.dce import TOOLS as DCE
from bank.servers.desk import TOOLS as DESK
from bank.servers.npa import TOOLS as NPA
from bank.servers.orm import TOOLS as ORM
from bank.servers.serving import USER_CONTEXT, user_tool
from bank.servers.spec import ToolSpec
from gateway.model.sources.tools import tool_pin

TOOLS: Final = (*NPA, *ORM, *DESK, *DCE)

_CLASSIFIED: Final = {
    "get_signoffs": "RESTRICTED", "get_workflow_state": "INTERNAL", "get_controls": "INTERNAL", "get_rcsa": "INTERNAL",
    "get_kri_data": "INTERNAL",
}  # fmt: skip
"""What is not CONFIDENTIAL."""

_OF_PERSONS: Final = {
    "get_external_parties", "get_incident", "get_docs", "get_client", "get_client_journeys", "get_client_consents",
    "get_service_requests",
}  # fmt: skip
"""Whose answers are about persons, or name some."""

SECONDS: Final = 300
"""How long an answer may be used: a system of record is read live."""


def text() -> str:
    """The rows, as `policies/registry/tools/data.yaml` has them."""
    rows = {tool.name: _row(tool) for tool in TOOLS} | {USER_CONTEXT: _who()}
    return "".join(f"{name}:\n{_lines(row)}" for name, row in rows.items())


def _who() -> dict[str, Any]:
    """The tool that agents may be shown and that the gateway never calls: it knows who asks."""
    offered = user_tool()
    return {
        "source": "sor-npa",
        "operation": USER_CONTEXT,
        "pin": tool_pin(USER_CONTEXT, offered.description or "", offered.input_schema, None),
        "description": "Who asks: user, role, department, jurisdictions and entitlements",
        "parameters": {"type": "object", "properties": {}, "additionalProperties": "false"},
        "domains": ["NPA", "ORM", "DESK", "DCE"],
        "safety": ["reads", "personal_data"],
        "owner": "AI Platform Engineering",
    }


def _row(tool: ToolSpec) -> dict[str, Any]:
    schema = {"type": "object", "properties": {tool.parameter: {"type": tool.type}}, "required": [tool.parameter]}
    owner = f"{tool.domain} Platform"
    return {
        "source": f"sor-{tool.domain.lower()}",
        "operation": tool.name,
        "pin": tool_pin(tool.name, tool.description, tool.input, tool.output),
        "description": tool.description,
        "parameters": schema,
        "arguments": {
            tool.parameter: "entity.number" if tool.type == "integer" else "entity.id",
            # The record says for which jurisdictions a request is that names none; until then the asker's own bound it.
            "jurisdictions": "user.jurisdictions" if tool.section == "entity" else "jurisdictions",
        },
        "result": {
            "source_id": tool.source_id,
            "section": tool.section,
            "entity_member": "project_id" if tool.domain == "NPA" else tool.parameter,
            "jurisdiction_member": "jurisdiction",
            "data_classification": _CLASSIFIED.get(tool.name, "CONFIDENTIAL"),
            "ttl_seconds": SECONDS,
            "owner": owner,
        },
        "domains": [tool.domain],
        "safety": ["reads", "personal_data"] if tool.name in _OF_PERSONS else ["reads"],
        "owner": owner,
    }


def _lines(row: dict[str, Any]) -> str:
    return "".join(f"  {name}: {_flow(value)}\n" for name, value in row.items())


def _flow(value: object) -> str:
    """A value as YAML of one line, with quotes only where YAML needs them."""
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {_flow(one)}' for name, one in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    plain = str(value)
    return json.dumps(plain) if ":" in plain or "," in plain else plain
