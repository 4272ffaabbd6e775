"""Heavy artifacts over HTTP: each fetch is decided on anew, screened, and on record before anything is handed over."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import JsonValue

from gateway.api.calls import Server
from gateway.api.dependencies import Caller, RunningGateway, called
from gateway.errors import RequestRefusedError
from gateway.model.base import Model
from gateway.pipeline import Asked
from gateway.prompt.fence import fenced

router = APIRouter(prefix="/v1/artifacts")


class Artifact(Model):
    """What was kept outside a pack."""

    item_id: str
    """The candidate's id."""

    content: JsonValue
    """The whole content, after its obligations."""

    decision_id: str
    """Of the ruling of this fetch, in the ledger."""


@router.get("/{handle}")
async def artifact(
    request: Request,
    gateway: RunningGateway,
    subject: Caller,
    handle: Annotated[
        str, Path(description="As it stands in the pack; for the person it was made for, while it is valid.")
    ],
) -> Artifact:
    """The whole of an item that a pack holds an extract of, if policy still allows it now."""
    call = called(request, gateway, subject, "packs:write")
    server: Server = request.app.state.server
    async with server.admitted(call):
        kept = await gateway.stores.artifacts.open(handle, subject, call.now)
        ruling = await gateway.pipeline.fetch(Asked(kept, subject, call.now, call.trace_id))
    if not ruling.usable:
        raise RequestRefusedError("policy does not allow this artifact now", reasons=ruling.codes)
    return Artifact(
        item_id=ruling.item.id, content=fenced(ruling.content, ruling.fence), decision_id=ruling.decision_id
    )
