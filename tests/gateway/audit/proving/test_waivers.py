"""Exceptions on request count for a request only as their records say."""

import pytest

from gateway.audit.proving.waivers import facts_of, proved_waivers
from gateway.bootstrap.gateway import running
from gateway.content.parsing import shaped
from gateway.errors import UnprovedError
from gateway.model import Subject
from gateway.workbench.exempting.requests import AskedFor, ExceptionRequests
from tests.support.clock import NOW

WHY = "It is needed for the review."
WANTED = {
    "codes": ["FRS-004"],
    "scope": {"agent": "RISK", "purpose": "risk_assessment", "source_id": "SOP"},
    "expires": "2026-03-20T00:00:00Z",
    "owner": "Product Control",
    "reason": WHY,
    "beneficiary": "carl",
}


@pytest.fixture
async def gateway(settings):
    async with running(settings, clock=lambda: NOW) as started:
        yield started


@pytest.fixture
def officer(subject):
    return lambda name: Subject.model_validate({**subject, "sub": name, "role": "approver", "department": "RMG"})


@pytest.fixture
async def approved(gateway, officer):
    pipeline = gateway.pipeline
    desk = ExceptionRequests(
        gateway.stores.waivers, gateway.recorder, pipeline.proofs, lambda: pipeline.pinned().policy
    )
    asked = await desk.ask(shaped(AskedFor, WANTED), officer("ann"), NOW)
    return await desk.approve(asked.id, WHY, officer("ben"), NOW)


async def told(gateway, person, agent="RISK", purpose="risk_assessment"):
    return await proved_waivers(
        agent, purpose, person, NOW, waivers=gateway.stores.waivers, proofs=gateway.pipeline.proofs
    )


async def test_policy_is_told_of_what_is_on_record(gateway, approved, officer):
    """
    Of one for this agent and purpose policy is told with facts alone: no name, no reason, and whether the requester is the person.
    """
    [one] = await told(gateway, officer("Carl"))
    [facts] = facts_of([one], officer("Carl"), NOW, "sha256:any")
    assert (facts["id"], facts["names_requester"], facts["used_up"]) == (approved.id, True, False)
    assert facts_of([one], officer("dave"), NOW, "sha256:any")[0]["names_requester"] is False
    assert not {"carl", "ann", "ben", WHY} & set(str(facts).replace("'", " ").split())
    assert await told(gateway, officer("carl"), agent="GOVERNANCE") == ()
    assert await told(gateway, officer("carl"), purpose="classification") == ()


async def test_what_was_ended_on_record_is_believed_no_more(gateway, approved, officer):
    """
    A row that somebody set back to approved, after its end came to record, stops the request.
    """
    waivers, pipeline = gateway.stores.waivers, gateway.pipeline
    desk = ExceptionRequests(waivers, gateway.recorder, pipeline.proofs, lambda: pipeline.pinned().policy)
    await desk.revoke(approved.id, WHY, officer("ann"), NOW)
    assert await told(gateway, officer("carl")) == ()
    assert await waivers.change(approved, "revoked")
    with pytest.raises(UnprovedError):
        await told(gateway, officer("carl"))
