"""
What an auditor who reads the database with a role of their own needs of the gateway: that each reading is on record, and the
bundles that decided.
"""

import asyncio

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Field

from gateway.api.dependencies import Caller, RunningGateway, actor_of, queries_of, read_document, require
from gateway.api.openapi import body_of
from gateway.audit.acts import record_reading
from gateway.content.parsing import shaped
from gateway.model.base import Model
from gateway.policy.store import BundleStore

router = APIRouter()

_Told = Annotated[str, Field(max_length=2000)]
_BYTES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "The bytes", "content": {"application/octet-stream": {}}}
}


class ReadingBody(Model):
    """What an auditor is about to read."""

    asked: Annotated[dict[Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")], _Told], Field(max_length=32)]
    """What for, by name; on record by its names, and in full only sealed."""

    codes: Annotated[tuple[Annotated[str, Field(pattern=r"^FILTER-[A-Z_-]{1,60}$")], ...], Field(max_length=32)]
    """What the names say on record."""


BODIES = (ReadingBody,)
_ASKED = {"asked": {"pack_id": "pack_…"}, "codes": ["FILTER-PACK_ID"]}


@router.post("/v1/ledger/readings", openapi_extra=body_of(ReadingBody, _ASKED))
async def readings(request: Request, gateway: RunningGateway, subject: Caller) -> JSONResponse:
    """Record that an auditor is about to read the ledger's database, and bring the log up to that."""
    require(subject, "ledger:read")
    body = shaped(ReadingBody, await read_document(request, gateway))
    code = body.codes[0] if len(body.codes) == 1 else None
    await record_reading(body.asked, actor_of(subject), gateway.clock(), ledger=gateway.recorder, code=code)
    await queries_of(gateway).up_to_date()
    return JSONResponse({"recorded": True})


@router.get("/v1/ledger/bundles/{revision}", responses=_BYTES)
async def bundle(
    revision: Annotated[str, Path(description="Revision, as records name it.", pattern=r"^sha256:[0-9a-f]{64}$")],
    gateway: RunningGateway,
    subject: Caller,
) -> Response:
    """The bytes of a bundle that was ever shown to this gateway, whose SHA-256 is its revision."""
    require(subject, "ledger:export", "ledger:read")
    await record_reading({"bundle": revision}, actor_of(subject), gateway.clock(), ledger=gateway.recorder)
    stored = await asyncio.to_thread(BundleStore(gateway.settings.bundles_dir).stored, revision)
    content = stored.content
    return Response(content, media_type="application/octet-stream")
