"""A system of record over HTTP, with an OpenAPI document, that behaves in one of many ways."""

import asyncio
import json

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from aiohttp import web

from tests.support.toolboxes import SECRET

ROWS: Final = {"NPA-1": {"project_id": "NPA-1", "score": 7}, "NPA/2 ?": {"project_id": "NPA/2 ?", "score": 3}}

DOCUMENT: Final[dict[str, Any]] = {
    "openapi": "3.1.0",
    "info": {"title": "Projects", "version": "1"},
    "paths": {
        "/projects/{project}": {
            "parameters": [{"name": "project", "in": "path", "required": True, "schema": {"type": "string"}}],
            "get": {
                "operationId": "getProject",
                "summary": "One project",
                "parameters": [{"name": "jurisdiction", "in": "query", "schema": {"type": "array"}}],
                "responses": {
                    "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Project"}}}}
                },
            },
            "delete": {"operationId": "deleteProject", "responses": {}},
        }
    },
    "components": {
        "schemas": {
            "Project": {
                "type": "object",
                "properties": {"project_id": {"type": "string"}, "score": {"$ref": "#/components/schemas/Score"}},
                "required": ["project_id", "score"],
                "additionalProperties": False,
            },
            "Score": {"type": "integer", "maximum": 10},
        }
    },
}

ANSWERS: Final[dict[str, Any]] = {
    "another schema": lambda: web.json_response({"project_id": "NPA-1", "score": SECRET}),
    "no JSON": lambda: web.Response(text=SECRET),
    "no object": lambda: web.json_response([SECRET]),
    "an error": lambda: web.json_response({"error": SECRET}, status=500),
    "not allowed": lambda: web.json_response({"error": SECRET}, status=403),
    "a redirection": lambda: web.Response(status=302, headers={"location": "http://169.254.169.254/latest"}),
    "too large": lambda: web.Response(body=b"[" + b"1," * 4_000_000, content_type="application/json"),
    "a cookie": lambda: web.Response(status=404, headers={"set-cookie": "who=NPA-1; Path=/"}),
    "not there": lambda: web.json_response({"error": SECRET}, status=404),
}


def document(path: Path, **changes: Any) -> Path:
    """The document as a file."""
    path.write_text(json.dumps({**DOCUMENT, **changes}))
    return path


@asynccontextmanager
async def service(
    way: str, asked: list[str] | None = None, *, told: list[str | None] | None = None
) -> AsyncIterator[int]:
    """The port of one that behaves so, on loopback; what it is asked goes into one list, the cookies that it is told into the other."""

    async def answer(request: web.Request) -> web.StreamResponse:
        if asked is not None:
            asked.append(request.raw_path)
        if told is not None:
            told.append(request.headers.get("cookie"))
        if way == "hung":
            await asyncio.sleep(60)
        if way in ANSWERS:
            made: web.StreamResponse = ANSWERS[way]()
            return made
        row = ROWS.get(request.match_info["project"])
        return web.json_response(row) if row else web.Response(status=404)

    app = web.Application()
    app.router.add_get("/v1/projects/{project}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()
