"""The lifecycle of bundles over HTTP: officers propose, simulate, activate and roll back."""

import asyncio

from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from gateway.api.dependencies import (
    Caller,
    RunningGateway,
    document_in,
    queries_of,
    read_body,
    require,
    require_governor,
)
from gateway.api.openapi import body_of
from gateway.bootstrap.gateway import Gateway
from gateway.content.parsing import shaped
from gateway.errors import FieldInvalidError
from gateway.model.base import Instant, Model, Name
from gateway.policy.store import BREAK_GLASS
from ledger.query import Filter

Revision = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]

router = APIRouter(prefix="/v1/policy")


class ProposeBody(Model):
    """A candidate bundle: its files by path, cases included."""

    files: Annotated[dict[Name, str], Field(min_length=1, max_length=500)]
    """Text of each file by its path in the bundle."""


class RevisionBody(Model):
    """A bundle by its revision."""

    revision: Revision
    """SHA-256 of the bundle."""


class SimulateBody(RevisionBody):
    """Which past decisions to decide again."""

    since: Instant | None = None
    """Only decisions made at or after this time."""

    limit: Annotated[int, Field(strict=True, ge=1, le=100_000)] = 10_000
    """How many of them at most."""


class ShadowBody(Model):
    """The bundle that watches; null for none."""

    revision: Revision | None
    """SHA-256 of the bundle; null to stop watching."""


class ActivateBody(RevisionBody):
    """The bundle that is to decide, and the cases that go with the one that decides now."""

    acknowledged: Revision | None = None
    """Digest that the review gives as `acknowledge`, where cases are removed, ask for less or are missing."""


BODIES = (ActivateBody, ProposeBody, RevisionBody, SimulateBody, ShadowBody)
_NAMED = {"revision": "sha256:" + "0" * 64}
_FILES = {"files": {"context/jurisdiction/data.yaml": "group_wide: GLOBAL"}}


BodyT = TypeVar("BodyT", bound=Model)


async def _asked(model: type[BodyT], request: Request, gateway: Gateway) -> BodyT:
    """
    The body, as the model has it.

    Raises:
        FieldInvalidError: there is none; it says what to send.
    """
    body = await read_body(request)
    if not body.strip():
        needed = [
            (name, f"is required: {one.description}") for name, one in model.model_fields.items() if one.is_required()
        ]
        raise FieldInvalidError(
            f"the body is empty; send a JSON object with {', '.join(name for name, _ in needed)}", fields=needed
        )
    return shaped(model, await document_in(body, request, gateway))


@router.get("")
async def current(gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """What decides, what watches and where it disagreed since when, and what has decided before."""
    require(subject, "policy:propose", "policy:activate", "ledger:read")
    policy = gateway.switching
    return {
        "active": policy.version.model_dump(),
        "shadow": policy.shadow.model_dump() if policy.shadow else None,
        "disagreements": dict(policy.counts),
        "watching": policy.watching.told() if policy.shadow else None,
        "activated": list(gateway.lifecycle.state.activated),
    }


@router.post("/propose", openapi_extra=body_of(ProposeBody, _FILES))
async def propose(request: Request, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """Check a candidate and keep it; 422 with the report if it may not decide."""
    require_governor(subject, gateway, "policy:propose")
    body = await _asked(ProposeBody, request, gateway)
    proposal = await gateway.lifecycle.propose(body.files, subject, gateway.clock())
    return proposal.model_dump(mode="json")


@router.post("/simulate", openapi_extra=body_of(SimulateBody, {**_NAMED, "since": "2026-03-01T00:00:00Z"}))
async def simulate(request: Request, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """Past decisions of the officer's tenant under a kept bundle."""
    require(subject, "policy:propose", "policy:activate")
    body = await _asked(SimulateBody, request, gateway)
    wanted = shaped(Filter, {"tenant": subject.tenant, **({"since": body.since} if body.since else {})})
    await queries_of(gateway).up_to_date()
    # The candidate is compiled, asked and dropped on one thread, and the event loop goes on.
    result = await asyncio.to_thread(gateway.lifecycle.simulate, body.revision, wanted, body.limit)
    return {
        "decisions": result.decisions,
        "unchanged": result.unchanged,
        "erased": result.erased,
        "flips": dict(result.flips),
        "by_role": _nested(result.by_role),
        "by_jurisdiction": _nested(result.by_jurisdiction),
        "by_source": _nested(result.by_source),
        "by_code": _nested(result.by_code),
        "examples": [asdict(flip) for flip in result.examples],
        "registry": list(result.registry),
    }


def _nested(counts: dict[tuple[str, str], int]) -> dict[str, dict[str, int]]:
    nested: dict[str, dict[str, int]] = {}
    for (kind, name), count in sorted(counts.items()):
        nested.setdefault(kind, {})[name] = count
    return nested


ProposalName = Annotated[str, Path(description="Revision of a candidate, as `/v1/policy/proposals` lists it.")]


@router.get("/proposals")
async def proposals(gateway: RunningGateway, subject: Caller) -> dict[str, list[str]]:
    """Revisions that wait for a second officer: candidates, and ways back."""
    require_governor(subject, gateway, "policy:propose", "policy:activate")
    state = gateway.lifecycle.state
    return {"candidates": sorted(state.proposed), "rollbacks": sorted(state.rollbacks)}


@router.get("/proposals/{revision}")
async def review(revision: ProposalName, gateway: RunningGateway, subject: Caller) -> dict[str, Any]:
    """What was found of a candidate, who proposed it and when, and which cases go with the bundle that decides now."""
    require_governor(subject, gateway, "policy:propose", "policy:activate")
    return (await gateway.lifecycle.review(revision)).model_dump(mode="json")


@router.post("/activate", openapi_extra=body_of(ActivateBody, _NAMED))
async def activate(request: Request, gateway: RunningGateway, subject: Caller) -> dict[str, str]:
    """Let a proposed bundle decide; by another officer than its proposer, who acknowledges the cases that go with it."""
    require_governor(subject, gateway, "policy:activate")
    body = await _asked(ActivateBody, request, gateway)
    await gateway.lifecycle.activate(body.revision, subject, gateway.clock(), acknowledged=body.acknowledged)
    return {"active": body.revision}


@router.post(
    "/rollback",
    openapi_extra=body_of(RevisionBody, _NAMED),
    responses={
        202: {"description": "Proposed: it decides once another officer asks for it too", "model": dict[str, str]}
    },
)
async def rollback(request: Request, response: Response, gateway: RunningGateway, subject: Caller) -> dict[str, str]:
    """
    Let a bundle decide again that decided before: by two officers, or by one within a time, to the bundle just before the
    active one, which is flagged on record.
    """
    require_governor(subject, gateway, "policy:activate")
    body = await _asked(RevisionBody, request, gateway)
    codes = await gateway.lifecycle.rollback(body.revision, subject, gateway.clock())
    if codes:
        return {"active": body.revision, **({"flag": BREAK_GLASS} if BREAK_GLASS in codes else {})}
    response.status_code = 202
    return {"active": gateway.switching.version.revision, "proposed": body.revision}


@router.post("/shadow", openapi_extra=body_of(ShadowBody, _NAMED))
async def shadow(request: Request, gateway: RunningGateway, subject: Caller) -> dict[str, str | None]:
    """Let a kept bundle decide beside the active one, without counting; on record before it begins, and when it ends."""
    require_governor(subject, gateway, "policy:propose")
    body = await _asked(ShadowBody, request, gateway)
    await gateway.lifecycle.watch(body.revision, subject, gateway.clock())
    return {"shadow": body.revision}
