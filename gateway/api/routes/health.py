"""Whether the gateway is alive and ready, and its metrics."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST

from gateway.api.dependencies import RunningGateway
from gateway.api.metrics import exposition
from gateway.errors import RecordError

router = APIRouter()


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "alive"}


@router.get("/readyz")
async def readyz(gateway: RunningGateway) -> dict[str, str]:
    """Policy, detectors and ledger are usable; the server starts only when they are."""
    if gateway.ledger.keeper.late:
        raise RecordError("no checkpoint has been signed for too long")
    answer = {"status": "ready", "policy": gateway.pipeline.policy.version.revision}
    # Whoever reads this machine's keys can be anybody and vouch for anything: nobody should have to read a log to see it.
    return answer if gateway.settings.jwks else {**answer, "unsafe": "development keys"}


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request, gateway: RunningGateway) -> Response:
    """Counts in the Prometheus text format; of the process, never of a tenant."""
    state = request.app.state
    text = exposition(gateway, state.server.queue, state.verifier.failures)
    return Response(text, media_type=CONTENT_TYPE_LATEST)
