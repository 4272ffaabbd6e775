"""Whether the gateway is alive and ready, and its metrics."""

from typing import Final, Literal

from fastapi import APIRouter, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST

from gateway.api.dependencies import RunningGateway
from gateway.api.metrics import exposition
from gateway.errors import RecordError
from gateway.model.base import Model
from gateway.policy.agent import AGENT_DECLARED

router = APIRouter()

DEVELOPMENT_KEYS: Final = "DEVELOPMENT-KEYS"
"""Tokens and labels signed by a key of this machine are believed, since `CTXGATE_JWKS` is not set."""


class Readiness(Model):
    """What is ready, and what is not as it should stay."""

    status: Literal["ready"] = "ready"
    """Anything else is a problem document."""

    policy: str
    """Revision of the bundle that decides."""

    warnings: tuple[str, ...] = ()
    """Codes of settings that are not safe; `docs/operations.md` says what each means."""


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "alive"}


@router.get("/readyz")
async def readyz(gateway: RunningGateway) -> Readiness:
    """Policy, detectors and ledger are usable; the server starts only when they are.  What is set unsafely is listed."""
    if gateway.ledger.keeper.late:
        raise RecordError("no checkpoint has been signed for too long")
    unsafe = {
        AGENT_DECLARED: gateway.settings.agent_binding == "declared",
        # Whoever reads this machine's keys can be anybody and vouch for anything: nobody should have to read a log to see it.
        DEVELOPMENT_KEYS: gateway.settings.jwks is None,
    }
    warnings = tuple(code for code, applies in unsafe.items() if applies)
    return Readiness(policy=gateway.pipeline.policy.version.revision, warnings=warnings)


@router.get("/metrics", response_class=PlainTextResponse)
async def metrics(request: Request, gateway: RunningGateway) -> Response:
    """Counts in the Prometheus text format; of the process, never of a tenant."""
    state = request.app.state
    text = exposition(gateway, state.server, state.doors, state.verifier.failures)
    return Response(text, media_type=CONTENT_TYPE_LATEST)
