"""Evidence over HTTP: what was released, as it was, for whoever may see contents and not only records."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import JSONResponse, Response

from gateway.api.dependencies import Caller, RunningGateway, actor_of, only_described, queries_of, require
from gateway.audit.evidence_room import EvidenceRoom, PackEvidence
from gateway.errors import FieldInvalidError

router = APIRouter(dependencies=[Depends(only_described)])

_SHOWN: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "What was released, or the pack as a file", "content": {"application/json": {}}}
}


@router.get("/v1/evidence/{decision_id}", responses=_SHOWN)
async def evidence(
    decision_id: Annotated[str, Path(description="Of an item's ruling or a pack's record; a pack or request id too.")],
    gateway: RunningGateway,
    subject: Caller,
    format_: Annotated[
        str, Query(alias="format", pattern="^(json|file)$", description="`file`: a pack as it was handed over.")
    ] = "json",
) -> Response:
    """What a decision of the caller's tenant released, or a whole pack with its prompt.  Each look is itself recorded."""
    require(subject, "ledger:evidence")
    parts = gateway.ledger.parts
    room = EvidenceRoom(queries_of(gateway), parts.evidence, parts.signer)
    shown = await room.show(decision_id, actor_of(subject), gateway.clock())
    if format_ == "json":
        return JSONResponse(shown.as_document())
    if not isinstance(shown, PackEvidence):
        raise FieldInvalidError("only a pack can be had as a file", fields=[("format", "must be json for an item")])
    name = f'attachment; filename="{shown.record["pack"]["id"]}.json"'
    return Response(shown.file, media_type="application/json", headers={"content-disposition": name})
