"""What the OpenAPI document says of bodies that the gateway reads itself, within its own limits."""

from typing import Any, Final

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

ASKED: Final[dict[str, Any]] = {
    "agent_id": "RISK",
    "purpose": "risk_assessment",
    "query": "Run a risk assessment for NPA-2026-00142",
    "entity": {"type": "project", "id": "NPA-2026-00142"},
    "jurisdictions": ["SG"],
    "model": "gpt-4o",
    "token_budget": 128000,
    "session_id": "s-81f",
    "items": [
        {
            "id": "npa-record",
            "section": "entity",
            "content": {"project": "NPA-2026-00142", "status": "RISK_REVIEW"},
            "media_type": "application/json",
            "provenance": {
                "source_id": "SoR:npa_projects",
                "source_type": "system_of_record",
                "version": "live",
                "owner": "GFM COO",
                "fetched_at": "2026-03-01T09:15:00Z",
                "ttl_seconds": 300,
                "data_classification": "CONFIDENTIAL",
                "jurisdiction": "SG",
                "domain": "NPA",
                "entity_id": "NPA-2026-00142",
            },
        }
    ],
}
"""A request as `examples/npa-risk` makes it, with one candidate."""

_REF: Final = "#/components/schemas/{model}"


def body_of(model: type[BaseModel], example: dict[str, Any]) -> dict[str, Any]:
    """The `openapi_extra` of an operation whose body is such a model; needs `complete`."""
    content = {"schema": {"$ref": _REF.format(model=model.__name__)}, "example": example}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}


def complete(app: FastAPI, models: tuple[type[BaseModel], ...]) -> None:
    """Let the document of an application define the bodies that it names."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        document = made()
        _, schemas = models_json_schema([(model, "validation") for model in models], ref_template=_REF)
        document["components"]["schemas"] |= schemas.get("$defs", {})
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI's manual says
