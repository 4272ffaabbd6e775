"""Exceptions on request over HTTP: officers ask, approve, revoke, and see what lapses; those of the bundle are listed beside."""

import asyncio

from datetime import timedelta
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query, Request

from gateway.api.dependencies import (
    Caller,
    RunningGateway,
    actor_of,
    only_described,
    queries_of,
    read_document,
    require,
)
from gateway.api.openapi import body_of
from gateway.bootstrap.gateway import Gateway
from gateway.content.parsing import shaped
from gateway.model import Subject
from gateway.model.base import Model
from gateway.policy.store import BundleStore
from gateway.policy.vetting.words import at
from gateway.ports.waivers import KeptWaiver, Waiver
from gateway.workbench.desk.review import active_bundle
from gateway.workbench.exempting.requests import AskedFor, ExceptionRequests, Words
from gateway.workbench.exempting.standing import SOON, needs_a_look, state_of
from ledger.query import Filter

ASK: Final = "exceptions:ask"
APPROVE: Final = "exceptions:approve"
READ: Final = "ledger:read"

_SHOWN: Final = {"officer", "role", "department", "at", "reason"}
_USABLE: Final = frozenset({"released", "redacted"})

router = APIRouter(prefix="/v1/exceptions", dependencies=[Depends(only_described)])

ExceptionName = Annotated[str, Path(description="Id of an exception on request, as its asking answered it.")]


class ReasonBody(Model):
    """Why an officer takes a step."""

    reason: Words
    """At least 10 characters; kept sealed, and erased with the officer."""


BODIES = (AskedFor, ReasonBody)
_ASKED = {
    "codes": ["JUR-001", "JUR-002"],
    "scope": {"jurisdiction": "AU", "department": "COO", "entity_id": "NPA-2026-00142"},
    "expires": "2026-04-30T00:00:00Z",
    "owner": "COO office",
    "reason": "The Australian leg of the product is reviewed elsewhere.",
}
_WHY = {"reason": "Agreed with Legal over there."}


def _desk(gateway: Gateway) -> ExceptionRequests:
    pipeline = gateway.pipeline
    return ExceptionRequests(
        gateway.stores.waivers, gateway.recorder, pipeline.proofs, lambda: pipeline.pinned().policy
    )


def told(kept: KeptWaiver, gateway: Gateway, within: timedelta = SOON) -> dict[str, Any]:
    """An exception as officers see it: never a proof, which stays with what it proves."""
    waiver = kept.waiver
    acts = {name: getattr(waiver, name) for name in ("asked", "approved", "revoked")}
    return {
        "id": waiver.id,
        "state": state_of(waiver, gateway.clock()),
        "codes": list(waiver.codes),
        "scope": waiver.scope.model_dump(mode="json", exclude_none=True),
        "expires": waiver.expires,
        "trigger": waiver.trigger.model_dump(mode="json", exclude_none=True),
        "owner": waiver.owner,
        "beneficiary": waiver.beneficiary,
        **{name: act.model_dump(mode="json", include=_SHOWN) if act else None for name, act in acts.items()},
        "uses": kept.used,
        "last_used": kept.last_used,
        "needs_a_look": list(needs_a_look(kept, gateway.clock(), within)),
    }


def _granted(gateway: Gateway) -> list[Any]:
    """Those that the tables of the bundle that decides grant."""
    bundle = active_bundle(BundleStore(gateway.settings.bundles_dir), gateway.lifecycle.state)
    table = at(bundle.data, "context/exceptions/granted") if bundle else None
    return list(table) if isinstance(table, list) else []


async def _recorded_uses(waiver: Waiver, subject: Subject, gateway: Gateway) -> int:
    """How many items it let through, as the log has them."""
    wanted = shaped(Filter, {"tenant": subject.tenant, "kind": "exception.used", "code": waiver.id})
    found = await queries_of(gateway).series(wanted, "outcome", None, actor_of(subject), gateway.clock())
    return sum(one.count for one in found if one.value in _USABLE)


@router.post("", openapi_extra=body_of(AskedFor, _ASKED))
async def ask(request: Request, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """Ask for an exception; nothing is waived until another officer approves it."""
    require(subject, ASK)
    body = shaped(AskedFor, await read_document(request, gateway))
    return told(KeptWaiver(await _desk(gateway).ask(body, subject, gateway.clock())), gateway)


@router.post("/{name}/approve", openapi_extra=body_of(ReasonBody, _WHY))
async def approve(name: ExceptionName, request: Request, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """Approve what another officer asked for: in force from the next request on."""
    require(subject, APPROVE)
    body = shaped(ReasonBody, await read_document(request, gateway))
    return told(KeptWaiver(await _desk(gateway).approve(name, body.reason, subject, gateway.clock())), gateway)


@router.post("/{name}/revoke", openapi_extra=body_of(ReasonBody, _WHY))
async def revoke(name: ExceptionName, request: Request, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """End an exception, or what was asked for, from the next request on; one officer is enough."""
    require(subject, APPROVE, ASK)
    body = shaped(ReasonBody, await read_document(request, gateway))
    waiver = await _desk(gateway).revoke(name, body.reason, subject, gateway.clock())
    return told(KeptWaiver(waiver), gateway)


Lapsing = Annotated[
    str | None,
    Query(
        pattern="^[0-9]{1,3}d$",
        description="Only those that lapse within so many days, such as `14d`, were never used, or are used up.",
    ),
]


@router.get("")
async def listed(
    gateway: RunningGateway,
    subject: Caller,
    lapsing: Lapsing = None,
) -> dict[str, Any]:
    """Exceptions of the officer's tenant, newest first, and those that the tables of the bundle grant."""
    require(subject, ASK, APPROVE, READ)
    days = timedelta(days=int(lapsing[:-1])) if lapsing else timedelta(days=14)
    kept = await _desk(gateway).listed(subject.tenant)
    now = gateway.clock()
    shown = [told(one, gateway, days) for one in kept if lapsing is None or needs_a_look(one, now, days)]
    return {"exceptions": shown, "of_the_bundle": await asyncio.to_thread(_granted, gateway)}


@router.get("/{name}")
async def show(name: ExceptionName, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """One exception with the acts of its officers, and how often it stands on record as used."""
    require(subject, ASK, APPROVE, READ)
    kept = await _desk(gateway).one(name, subject.tenant)
    return {**told(kept, gateway), "recorded_uses": await _recorded_uses(kept.waiver, subject, gateway)}
