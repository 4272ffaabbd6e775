"""
A ledger that was written before the registry was part of the bundle: it verifies, replays, and goes on.

`tests/policies/kept/ledger_without_registry.tar.gz` is the state folder of a gateway of then, which decided the story
`npa-risk` with keys that it made for that.
"""

import shutil
import tarfile

import pytest

from gateway.bootstrap.gateway import running
from gateway.bootstrap.ledger import open_ledger
from gateway.bootstrap.replay import replaying
from gateway.errors import BundleInvalidError
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.replay.run import replay
from gateway.replay.verdicts import MATCH
from gateway.settings import HOME
from ledger.query import Filter
from tests.support.bundles import SHIPPED
from tests.support.clock import NOW
from tests.support.oracle import check_ledger, records
from tests.support.services import OPA, need

ARCHIVE = HOME / "tests/policies/kept/ledger_without_registry.tar.gz"
RULED = 46
REVISION = "sha256:969478e3941c4b46c378be39a93463d8c64aca15712b627d0b94c1ef34d2a154"


@pytest.fixture
def before(settings):
    """Settings whose state folder is the one of then."""
    shutil.rmtree(settings.state_dir)
    settings.state_dir.mkdir()
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(settings.state_dir, filter="data")
    return settings


@pytest.mark.parametrize("engine", ["embedded", "opa"])
def test_what_was_decided_then_is_decided_the_same(before, engine, monkeypatch):
    """
    Every ruling of then matches under the bundle of then, which holds no registry.
    """
    if engine == "opa":
        need(OPA is not None, "opa")
        monkeypatch.setenv("PATH", str(OPA).rpartition("/")[0], prepend=":")
    with open_ledger(before) as ledger, replaying(before, engine) as ask:
        result = replay(ledger.evidence, ask, Filter())
    assert (result.mismatches, result.counts) == ([], {MATCH: RULED})


async def test_the_ledger_goes_on(before, small, subject):
    """
    A gateway of today goes on with the ledger of then under its own bundle, and the whole of it verifies.
    """
    asked = Asked(PackRequest.model_validate(small), Subject.model_validate(subject), NOW)
    async with running(before, clock=lambda: NOW) as gateway:
        pack = await gateway.pipeline.assemble(asked)
        revisions = [record.policy.revision for record in records(gateway, kind="item.ruled")]
        check_ledger(gateway)
    assert pack.policy["revision"] == SHIPPED.revision
    assert revisions.count(REVISION) == RULED
    assert set(revisions) == {REVISION, SHIPPED.revision}


async def test_the_bundle_of_then_decides_nothing_new(before, subject):
    """
    It is neither rolled back to nor let watch: it says nobody's archetype and no budget.
    """
    async with running(before, clock=lambda: NOW) as gateway:
        gateway.lifecycle._remember(activated=(REVISION,))
        with pytest.raises(BundleInvalidError, match=r"may not decide|holds no registry"):
            await gateway.lifecycle.rollback(REVISION, Subject.model_validate(subject), NOW)
        with pytest.raises(BundleInvalidError, match=r"may not decide|holds no registry"):
            await gateway.lifecycle.watch(REVISION, Subject.model_validate(subject), NOW)


async def test_the_past_is_tried_under_a_bundle_of_today(before, subject):
    """
    Decisions of then can be simulated under a bundle that has a registry, and what its registry says is listed.
    """
    async with running(before, clock=lambda: NOW) as gateway:
        result = gateway.lifecycle.simulate(SHIPPED.revision, Filter(tenant=subject["tenant"]), None)
    assert (result.decisions, result.erased, result.registry) == (RULED, 0, ())
