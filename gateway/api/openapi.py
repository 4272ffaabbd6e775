"""What the OpenAPI document says of bodies that the gateway reads itself, within its own limits."""

import json

from collections.abc import Sequence
from typing import Any, Final

from fastapi import FastAPI
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from gateway.settings import HOME

_STORY: Final[dict[str, Any]] = json.loads((HOME / "examples/npa-risk/request.json").read_text())

ASKED: Final = {**_STORY, "items": [item for item in _STORY["items"] if item["id"] == "npa-record"]}
"""A request as `examples/npa-risk` makes it, with one candidate."""

_REF: Final = "#/components/schemas/{model}"


def body_of(model: type[BaseModel], example: dict[str, Any]) -> dict[str, Any]:
    """The `openapi_extra` of an operation whose body is such a model; needs `complete`."""
    content = {"schema": {"$ref": _REF.format(model=model.__name__)}, "example": example}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}


def complete(app: FastAPI, models: Sequence[type[BaseModel]]) -> None:
    """Let the document of an application define the bodies that it names."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        document = made()
        _, schemas = models_json_schema([(model, "validation") for model in models], ref_template=_REF)
        document["components"]["schemas"] |= schemas.get("$defs", {})
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI's manual says
