"""Bundles made ready to decide while the event loop goes on."""

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.bootstrap.apart.preparing import BundlePreparation
from gateway.bootstrap.gateway import running
from gateway.errors import BundleInvalidError, BundleTooCostlyError
from gateway.model import Subject
from gateway.policy.entrypoints import NAMES
from tests.support.bundles import BASE, SHIPPED, TRUST, files, with_module
from tests.support.clock import NOW
from tests.support.held import holding

MORE = '  CASE-2026-002: {purpose: risk_assessment, jurisdictions: [SG], domains: [NPA], until: "2026-06-30"}\n'
TABLE = "context/detokenization/data.yaml"


@pytest.fixture
def preparation(settings):
    return BundlePreparation(settings)


async def test_it_decides_as_one_that_was_compiled_here(preparation):
    """
    The engine that was compiled elsewhere gives the very answers, and names the same bundle and engine.
    """
    here, elsewhere = RegorusPolicyEngine(SHIPPED), await preparation.engine(SHIPPED)
    assert elsewhere.version == here.version
    nobody = [BASE, {**BASE, "subject": {}}, {**BASE, "agent": {"id": "nobody"}}, {}]
    for entrypoint in NAMES:
        assert await elsewhere.evaluate(entrypoint, nobody) == await here.evaluate(entrypoint, nobody), entrypoint


async def test_what_is_wrong_is_told(preparation):
    """
    Rego that does not compile, and a bundle that may not decide, are errors in the words of the compiler and of the check.
    """
    broken = with_module(TRUST, lambda _: "package context.trust\npermit if {{\n")
    with pytest.raises(BundleInvalidError, match="does not compile"):
        await preparation.engine(broken)
    assert await preparation.problem(SHIPPED) is None
    assert await preparation.problem(broken)


async def test_what_costs_too_much(settings):
    """
    A bundle that takes longer than it may is refused, and the gateway goes on.
    """
    quick = BundlePreparation(settings.model_copy(update={"policies_trial_seconds": 0.01}))
    with pytest.raises(BundleTooCostlyError):
        await quick.problem(SHIPPED)


async def test_nobody_waits_while_a_bundle_comes_to_decide(settings, subject):
    """
    An officer activates a bundle, and one goes back: the event loop is not held for longer than any small thing takes.
    """
    ann, ben = (Subject.model_validate({**subject, "sub": name}) for name in ("ann", "ben"))
    changed = {**files(), TABLE: files()[TABLE].replace("cases:\n", "cases:\n" + MORE)}
    async with running(settings, clock=lambda: NOW) as gateway, holding() as held:
        proposal = await gateway.lifecycle.propose(changed, ann, NOW)
        await held.watch(gateway.lifecycle.activate(proposal.revision, ben, NOW))
        assert gateway.pipeline.pinned().policy.version.revision == proposal.revision
        await held.watch(gateway.lifecycle.rollback(SHIPPED.revision, ben, NOW))
        assert gateway.pipeline.pinned().policy.version.revision == SHIPPED.revision
