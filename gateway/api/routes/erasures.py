"""Forgetting a person, over HTTP: one officer asks, another approves."""

import dataclasses

from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from gateway.api.dependencies import Caller, RunningGateway, read_document, require
from gateway.api.openapi import body_of
from gateway.bootstrap.erasing import erasure_desk
from gateway.bootstrap.gateway import Gateway
from gateway.content.parsing import shaped
from gateway.errors import ConfigurationError
from gateway.model.base import Model, Name
from gateway.ports.erasure import ErasureRequest
from gateway.privacy.asking import ErasureDesk

router = APIRouter(prefix="/v1/ledger/erasures")

WRITE: Final = "erasure:write"

RequestName = Annotated[str, Path(description="Id of an erasure that waits, as its asking answered it.")]


class EraseBody(Model):
    """Who is to be forgotten, and why."""

    subject: Name
    """The person's `sub`."""

    basis: Annotated[str, Field(min_length=1, max_length=2000)]
    """Why, in words; sealed under the keys of the officers."""


BODIES = (EraseBody,)
_FORGET = {"subject": "sarah.lim", "basis": "Request of the data subject, 2026-03-01"}


def _desk(gateway: Gateway) -> ErasureDesk:
    return erasure_desk(gateway.ledger, gateway.stores)


def _told(request: ErasureRequest) -> dict[str, Any]:
    asked = request.asked
    return {
        "id": request.id,
        "subject": request.subject,
        "basis": asked.reason,
        "asked_by": asked.officer,
        "asked_at": asked.at,
        "expires": request.expires,
    }


@router.post("", status_code=202, openapi_extra=body_of(EraseBody, _FORGET))
async def ask(request: Request, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """Ask that a person of the caller's tenant is forgotten; nothing goes until another officer approves it."""
    require(subject, WRITE)
    body = shaped(EraseBody, await read_document(request, gateway))
    return _told(await _desk(gateway).ask(body.subject, body.basis, subject, gateway.clock()))


@router.get("")
async def waiting(gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """Erasures of the caller's tenant that wait for a second officer, oldest first."""
    require(subject, WRITE)
    return {"erasures": list(map(_told, await _desk(gateway).waiting(subject.tenant, gateway.clock())))}


@router.post("/{name}/approve")
async def approve(name: RequestName, gateway: RunningGateway, subject: Caller) -> JSONResponse:
    """Carry out what another officer asked for: keys, salts, inputs, contents and name go; records and proofs stay, and a certificate."""
    require(subject, WRITE)
    if gateway.settings.ledger_url is not None:
        raise ConfigurationError("the gateway's database role may not erase: use `ctxgate ledger erase --approve`")
    now = gateway.clock()
    agreed = await _desk(gateway).approve(name, subject, now)
    return JSONResponse(dataclasses.asdict(await gateway.eraser.erase(agreed, subject, now)))


@router.post("/{name}/withdraw")
async def withdraw(name: RequestName, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """Take back what was asked for; one officer is enough."""
    require(subject, WRITE)
    return _told(await _desk(gateway).withdraw(name, subject, gateway.clock()))
