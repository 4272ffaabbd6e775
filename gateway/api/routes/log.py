"""
The static side of the log over HTTP, for any verifier: checkpoints and tiles (C2SP tlog-tiles).

Rules held here: checkpoints and hashes tell how much all tenants did, and nothing of what: they are for whoever reads the
ledger, or for all where a setting says so; bundles of entries hold every tenant's records, so they take a scope of their own,
and each reading is recorded.
"""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Response
from fastapi.responses import PlainTextResponse

from gateway.api.dependencies import Caller, RunningGateway, actor_of, from_ledger, opened, require
from gateway.audit.acts import record_reading
from gateway.bootstrap.gateway import Gateway
from gateway.errors import NotFoundError
from ledger.log import LogReader
from ledger.tlog.tiles import parse_path

router = APIRouter()

_BYTES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"description": "The bytes", "content": {"application/octet-stream": {}}}
}
_IMMUTABLE: Final = "max-age=31536000, immutable"
_READERS: Final = Depends(opened("checkpoint", "ledger:read", "ledger:export"))

TilePath = Annotated[str, Path(description="Level and number, as C2SP tlog-tiles writes them.")]


@router.get("/checkpoint", response_class=PlainTextResponse, dependencies=[_READERS])
async def checkpoint(gateway: RunningGateway) -> PlainTextResponse:
    """The newest signed checkpoint, of those that enough witnesses saw where there are any (C2SP tlog-checkpoint)."""
    published = gateway.ledger.keeper.published or await from_ledger(gateway.store.published)
    if published is None:
        raise NotFoundError("the log is empty")
    return PlainTextResponse(published.note, headers={"cache-control": "no-cache"})


@router.get("/tile/entries/{rest:path}", responses=_BYTES)
async def entries(rest: TilePath, gateway: RunningGateway, subject: Caller) -> Response:
    """A bundle of entries, of every tenant (C2SP tlog-tiles)."""
    require(subject, "ledger:export")
    asked = {"export": f"tile/entries/{rest}"}
    await record_reading(asked, actor_of(subject), gateway.clock(), ledger=gateway.recorder)
    return await _tile(f"tile/entries/{rest}", gateway, "private, no-store")


@router.get("/tile/{rest:path}", responses=_BYTES, dependencies=[_READERS])
async def tile(rest: TilePath, gateway: RunningGateway) -> Response:
    """A tile of hashes (C2SP tlog-tiles)."""
    # What took a token must not come out of a cache that others ask.
    whose = "public" if "checkpoint" in gateway.settings.open_to_all else "private"
    return await _tile(f"tile/{rest}", gateway, f"{whose}, {_IMMUTABLE}")


async def _tile(path: str, gateway: Gateway, caching: str) -> Response:
    name = parse_path(path)
    body = await from_ledger(lambda: LogReader(gateway.store).tile(name)) if name else None
    if body is None:
        raise NotFoundError("there is no such tile")
    return Response(body, media_type="application/octet-stream", headers={"cache-control": caching})
