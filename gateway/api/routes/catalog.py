"""The words of the bundle that decides, over HTTP."""

from fastapi import APIRouter, Request

from gateway.api.calls import Server
from gateway.api.catalog import Catalog, catalog_of
from gateway.api.dependencies import Caller, RunningGateway, call_of
from gateway.concurrency.apart import apart

router = APIRouter(prefix="/v1")


@router.get("/catalog")
async def catalog(request: Request, gateway: RunningGateway, subject: Caller) -> Catalog:
    """What requests may name, for whoever has a token."""
    server: Server = request.app.state.server
    async with server.admitted(call_of(request, gateway, subject)):
        pinned = gateway.pipeline.pinned()
        return await apart(lambda: catalog_of(pinned.registry, pinned.policy.version.revision, subject))
