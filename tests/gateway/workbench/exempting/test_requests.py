"""Exceptions on request: what officers may do with them, in which order, and how many there may be."""

import pytest

from gateway.bootstrap.gateway import running
from gateway.content.parsing import shaped
from gateway.errors import ExceptionStateError, FieldInvalidError, NotFoundError, TooManyExceptionsError, UnprovedError
from gateway.model import Subject
from gateway.workbench.exempting import requests
from gateway.workbench.exempting.requests import AskedFor, ExceptionRequests
from tests.support.clock import NOW
from tests.support.oracle import records

WHY = "It is needed for the review."
SCOPE = {"jurisdiction": "HK", "department": "COO", "entity_id": "NPA-2026-00142"}


@pytest.fixture
async def gateway(settings):
    async with running(settings, clock=lambda: NOW) as started:
        yield started


@pytest.fixture
def desk(gateway):
    pipeline = gateway.pipeline
    return ExceptionRequests(
        gateway.stores.waivers, gateway.recorder, pipeline.proofs, lambda: pipeline.pinned().policy
    )


@pytest.fixture
def officer(subject):
    return lambda name, role="approver", department="LEGAL", **more: Subject.model_validate(
        {**subject, "sub": name, "role": role, "department": department, **more}
    )


def wanted(**changes):
    given = {"codes": ["JUR-002"], "scope": SCOPE, "expires": "2026-03-20T00:00:00Z", "owner": "COO", "reason": WHY}
    return shaped(AskedFor, {**given, **changes})


async def test_it_is_asked_for_and_approved_once(desk, officer, gateway):
    """
    Approved twice, or once its time is over, it is not; nothing of another tenant is found.
    """
    asked = await desk.ask(wanted(), officer("ann"), NOW)
    with pytest.raises(NotFoundError):
        await desk.approve(asked.id, WHY, officer("ben", tenant="asia"), NOW)
    with pytest.raises(ExceptionStateError):
        await desk.approve(asked.id, WHY, officer("ben"), NOW.replace(month=4))
    assert (await desk.approve(asked.id, WHY, officer("ben"), NOW)).state == "approved"
    with pytest.raises(ExceptionStateError):
        await desk.approve(asked.id, WHY, officer("cyn"), NOW)
    assert [one.codes for one in records(gateway, kind="exception.reviewed")] == [("ASKED",), ("APPROVED",)]


async def test_what_was_asked_for_is_what_is_approved(desk, officer, gateway):
    """
    A row that says more than was asked for, or that another officer asked, is approved by nobody.
    """
    asked = await desk.ask(wanted(), officer("ann"), NOW)
    other = asked.asked.model_copy(update={"officer": "zoe", "person": "zoe"})
    wider = asked.scope.model_copy(update={"entity_id": "NPA-2026-00999"})
    for changed, who, kind in (
        (asked.model_copy(update={"scope": wider}), "ben", UnprovedError),
        (asked.model_copy(update={"asked": other}), "ann", requests.SecondOfficerError),
    ):
        assert await gateway.stores.waivers.change(changed, "asked")
        with pytest.raises(kind):
            await desk.approve(asked.id, WHY, officer(who), NOW)
    assert (await desk.one(asked.id, "gfm")).waiver.state == "asked"


async def test_what_was_withdrawn_is_not_approved(desk, officer):
    """
    An officer who asked ends it before anybody approves it, and may end it again where that was not put on record.
    """
    asked = await desk.ask(wanted(), officer("ann"), NOW)
    await desk.revoke(asked.id, WHY, officer("ann"), NOW)
    with pytest.raises(ExceptionStateError):
        await desk.approve(asked.id, WHY, officer("ben"), NOW)
    assert (await desk.revoke(asked.id, WHY, officer("ann"), NOW)).state == "revoked"


async def test_a_tenant_has_so_many_and_no_more(desk, officer, monkeypatch):
    """
    Policy is told of them with every item, so that there is a limit; those that are over or ended make room.
    """
    monkeypatch.setattr(requests, "MOST", 1)
    first = await desk.ask(wanted(), officer("ann"), NOW)
    with pytest.raises(TooManyExceptionsError):
        await desk.ask(wanted(), officer("ann"), NOW)
    await desk.approve(first.id, WHY, officer("ben"), NOW)
    second = await desk.ask(wanted(), officer("ann"), NOW)
    with pytest.raises(TooManyExceptionsError):
        await desk.approve(second.id, WHY, officer("ben"), NOW)
    await desk.revoke(first.id, WHY, officer("ben"), NOW)
    assert (await desk.approve(second.id, WHY, officer("ben"), NOW)).state == "approved"


async def test_it_is_bound_to_the_bundle_that_decides(desk, officer, gateway):
    """
    A bundle that does not decide binds nothing; a reason of blanks is none.
    """
    with pytest.raises(FieldInvalidError):
        await desk.ask(wanted(trigger={"while_bundle": "sha256:" + "0" * 64}), officer("ann"), NOW)
    with pytest.raises(FieldInvalidError):
        await desk.ask(wanted(reason=" " * 20), officer("ann"), NOW)
    bound = wanted(trigger={"while_bundle": gateway.switching.version.revision, "until": "2026-03-05T08:00:00+08:00"})
    asked = await desk.ask(bound, officer("ann"), NOW)
    assert asked.trigger.until == "2026-03-05T00:00:00.000000Z"
    assert asked.facts(NOW, "sha256:other", used=0)["while_bundle_decides"] is False
    assert asked.facts(NOW, gateway.switching.version.revision, used=0)["while_bundle_decides"] is True
