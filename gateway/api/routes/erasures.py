"""Forgetting a person, over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import Field

from gateway.api.dependencies import Caller, RunningGateway, queries_of, read_document, require
from gateway.api.openapi import body_of
from gateway.content.parsing import shaped
from gateway.errors import ConfigurationError
from gateway.model.base import Model, Name
from gateway.privacy.erasure import erase
from ledger.store import Erasure

router = APIRouter()


class EraseBody(Model):
    """Who is to be forgotten, and why."""

    subject: Name
    """The person's `sub`."""

    basis: Annotated[str, Field(min_length=1, max_length=2000)]
    """Why, in words; sealed under the key of the officer."""


BODIES = (EraseBody,)
_FORGET = {"subject": "sarah.lim", "basis": "Request of the data subject, 2026-03-01"}


@router.post("/v1/ledger/erasures", openapi_extra=body_of(EraseBody, _FORGET))
async def erasures(request: Request, gateway: RunningGateway, subject: Caller) -> JSONResponse:
    """Forget a person of the caller's tenant: keys, salts, inputs, contents and name go; records and proofs stay."""
    require(subject, "erasure:write")
    body = shaped(EraseBody, await read_document(request, gateway))
    if gateway.settings.ledger_url is not None:
        raise ConfigurationError("the gateway's database role may not erase: use `ctxgate ledger erase`")
    done = await erase(
        Erasure(subject.tenant, body.subject),
        body.basis,
        subject,
        gateway.clock(),
        store=gateway.store,
        recorder=gateway.recorder,
        stores=gateway.stores.personal,
        catch_up=queries_of(gateway).up_to_date,
    )
    return JSONResponse(
        {
            "token": done.token,
            "records": done.records,
            "held": done.held,
            "answers": done.answers,
            "turns": done.turns,
            "artifacts": done.artifacts,
        }
    )
