"""What the desk of bundles remembers in its file is held against the log, whoever wrote to that file."""

import json

import pytest

from gateway.bootstrap.gateway import running
from gateway.bootstrap.policies import state_file
from gateway.errors import SecondOfficerError, UnprovedError
from gateway.model import Subject
from tests.support.bundles import OFFICER, SHIPPED, WEB_FOR_RISK, files
from tests.support.clock import NOW


@pytest.fixture
def officer(subject):
    return lambda name: Subject.model_validate({**subject, "sub": name, "scope": OFFICER})


@pytest.fixture
async def proposed(settings, officer):
    """The revision of a bundle that one officer proposed, at a gateway that was stopped since."""
    async with running(settings, clock=lambda: NOW) as gateway:
        return (await gateway.lifecycle.propose(files(WEB_FOR_RISK), officer("ann"), NOW)).revision


@pytest.fixture
def remember(settings):
    """Write to the desk's file what it never wrote."""

    def change(**members):
        file = state_file(settings)
        file.write_text(json.dumps({**json.loads(file.read_text()), **members}))

    return change


async def _acknowledge(gateway, revision):
    """What the second officer acknowledges of a proposal."""
    return (await gateway.lifecycle.review(revision)).acknowledge


async def test_a_bundle_that_nobody_activated(settings, proposed, remember):
    """
    A file that says another bundle is active lets nothing start: the log does not say so.
    """
    remember(active=proposed, activated=[SHIPPED.revision, proposed])
    with pytest.raises(UnprovedError) as told:
        async with running(settings, clock=lambda: NOW):
            pass
    assert (told.value.code, "state.json" in told.value.detail) == ("GW-440", True)


async def test_a_proposal_that_nobody_made(settings, proposed, remember, officer):
    """
    A proposal that only the file knows, or that the file says another person made, is activated by nobody.
    """
    remember(proposed={proposed: "somebody else", SHIPPED.revision: "somebody else"})
    async with running(settings, clock=lambda: NOW) as gateway:
        for revision in (proposed, SHIPPED.revision):
            with pytest.raises(UnprovedError):
                await gateway.lifecycle.activate(revision, officer("ann"), NOW)
        assert gateway.lifecycle.state.active == SHIPPED.revision


async def test_the_record_of_ones_own_proposal(settings, proposed, officer):
    """
    Whoever made the record of the proposal does not confirm it, also where the file is made to fit; another officer does, and
    the next start goes on from there.
    """
    async with running(settings, clock=lambda: NOW) as gateway:
        with pytest.raises(SecondOfficerError):
            await gateway.lifecycle.activate(proposed, officer("ann"), NOW)
        await gateway.lifecycle.activate(
            proposed, officer("ben"), NOW, acknowledged=await _acknowledge(gateway, proposed)
        )
    async with running(settings, clock=lambda: NOW) as gateway:
        assert gateway.switching.version.revision == proposed


async def test_a_way_back_that_was_made_up(settings, proposed, remember, officer):
    """
    One officer alone goes back to what the log says was just before, within the time since the log says so, and to nothing else.
    """
    async with running(settings, clock=lambda: NOW) as gateway:
        earlier, known = NOW.replace(hour=NOW.hour - 5), await _acknowledge(gateway, proposed)
        await gateway.lifecycle.activate(proposed, officer("ben"), earlier, acknowledged=known)
        with pytest.raises(UnprovedError):
            gateway.lifecycle._remember(activated=("sha256:never", proposed))
            await gateway.lifecycle.rollback("sha256:never", officer("ann"), NOW)
    remember(since=NOW.strftime("%Y-%m-%dT%H:%M:%S.%fZ"), activated=[SHIPPED.revision, proposed])
    async with running(settings, clock=lambda: NOW) as gateway:
        with pytest.raises(UnprovedError):
            await gateway.lifecycle.rollback(SHIPPED.revision, officer("ann"), NOW)
