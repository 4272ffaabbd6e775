"""Traces of requests over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Path
from fastapi.responses import JSONResponse

from gateway.api.dependencies import Caller, RunningGateway, require
from gateway.errors import NotFoundError

router = APIRouter()


@router.get("/v1/traces/{trace_id}")
async def traces(
    trace_id: Annotated[str, Path(description="Of the W3C traceparent header, or the one in the answer.")],
    gateway: RunningGateway,
    subject: Caller,
) -> JSONResponse:
    """How the requests of a trace went, stage by stage; of the caller's tenant alone, and without any content."""
    require(subject, "ledger:read")
    found = await gateway.traces.get(subject.tenant, trace_id)
    if not found:
        raise NotFoundError("there is no trace of that id")
    return JSONResponse({"traces": found})
