"""Whether the gateway is alive and ready, and its metrics."""

from collections.abc import Mapping
from typing import Final, Literal

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST

from gateway.api.dependencies import MONITOR, RunningGateway, opened
from gateway.api.metrics import exposition
from gateway.bootstrap.gateway import Gateway
from gateway.bootstrap.poller import NOT_FETCHED
from gateway.errors import DetectorUnavailableError, RecordError, StoreError
from gateway.model.base import Model, utc_text
from gateway.policy.agent import AGENT_DECLARED
from gateway.policy.supply.freshness import EXPIRED
from gateway.workbench.exempting.standing import SOON

router = APIRouter()

_details: Final = opened("readiness", MONITOR)

DEVELOPMENT_KEYS: Final = "DEVELOPMENT-KEYS"
"""Tokens and labels signed by a key of this machine are believed, since `CTXGATE_JWKS` is not set."""


class Readiness(Model):
    """What is ready, and what is not as it should stay."""

    status: Literal["ready"] = "ready"
    """Anything else is a problem document."""

    policy: str | None = None
    """Revision of the bundle that decides; told to monitors."""

    warnings: tuple[str, ...] | None = None
    """Codes of settings and states that are not safe; `docs/operations.md` says what each means; told to monitors."""


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "alive"}


@router.get("/readyz", response_model_exclude_none=True)
async def readyz(request: Request, gateway: RunningGateway) -> Readiness:
    """
    Policy, detectors and ledger are usable; the server starts only when they are.

    Monitors also hear which bundle decides and what is set unsafely; everybody else hears one word.
    """
    if gateway.ledger.keeper.late:
        raise RecordError("no checkpoint has been signed for too long")
    if not gateway.workers.usable:
        raise DetectorUnavailableError("no screening worker is warm")
    if "authorization" not in request.headers and "readiness" not in gateway.settings.open_to_all:
        return Readiness()
    await _details(request, gateway, None)
    unsafe = {
        AGENT_DECLARED: gateway.settings.agent_binding == "declared",
        # Whoever reads this machine's keys can be anybody and vouch for anything: nobody should have to read a log to see it.
        DEVELOPMENT_KEYS: gateway.settings.jwks is None,
        NOT_FETCHED: gateway.poller is not None and gateway.poller.late,
        EXPIRED: gateway.freshness.expired(gateway.pipeline.policy.version.revision, gateway.clock()),
    }
    warnings = tuple(code for code, applies in unsafe.items() if applies)
    return Readiness(policy=gateway.pipeline.policy.version.revision, warnings=warnings)


@router.get("/metrics", response_class=PlainTextResponse, dependencies=[Depends(opened("metrics", MONITOR))])
async def metrics(request: Request, gateway: RunningGateway) -> Response:
    """Counts in the Prometheus text format; of the process, never of a tenant."""
    state = request.app.state
    waivers = await _waivers(gateway)
    text = exposition(gateway, state.server, state.doors, state.verifier.failures, waivers)
    return Response(text, media_type=CONTENT_TYPE_LATEST)


async def _waivers(gateway: Gateway) -> Mapping[str, int]:
    """Exceptions on request by how they stand; nothing while the store does not tell, so that all else is still measured."""
    now = gateway.clock()
    try:
        return await gateway.stores.waivers.counts(utc_text(now), utc_text(now + SOON))
    except StoreError:
        return {}
