"""
Bundles that were kept before the list of areas was asked for: the past is decided again, and nothing new.

`tests/policies/kept/without_areas.tar.gz` holds the deciding files of the policies as they once shipped.
"""

import pytest

from gateway.bootstrap.gateway import running
from gateway.bootstrap.replay import replaying
from gateway.errors import BundleInvalidError
from gateway.model import PackRequest, ScopeAnswer, Subject
from gateway.model.policy_answer import PackAnswer
from gateway.pipeline import Asked
from gateway.policy.archive import read
from gateway.policy.registry import registry_of
from gateway.replay.run import replay
from gateway.replay.verdicts import MATCH
from gateway.settings import HOME
from gateway.workbench.checks import check
from ledger.query import Filter
from tests.support.bundles import BASE, SHIPPED
from tests.support.clock import NOW
from tests.support.oracle import records
from tests.support.services import OPA, need

ARCHIVE = HOME / "tests/policies/kept/without_areas.tar.gz"
KEPT = read(ARCHIVE.read_bytes(), None)


@pytest.fixture
async def decided(settings, story, monkeypatch):
    """Settings of a gateway that decided a story under the kept bundle, before anybody asked for a list of areas."""
    chosen = settings.model_copy(update={"policies_archive": ARCHIVE})
    request, person = story("npa-risk", "request"), story("npa-risk", "subject")
    with monkeypatch.context() as before:
        # The registry lay beside the policies then.
        before.setattr("gateway.policy.registries.registry_of", lambda _: registry_of(SHIPPED))
        before.setattr("gateway.bootstrap.policies.check", lambda _: [])
        async with running(chosen, clock=lambda: NOW) as gateway:
            await gateway.pipeline.rule(Asked(PackRequest.model_validate(request), Subject.model_validate(person), NOW))
    return chosen


@pytest.mark.parametrize("engine", ["embedded", "opa"])
async def test_past_rulings_are_decided_again_as_they_were(decided, settings, engine, monkeypatch):
    """
    A later gateway, with policies of its own, replays every ruling of the kept bundle and finds the same.
    """
    if engine == "opa":
        need(OPA is not None, "opa")
        monkeypatch.setenv("PATH", str(OPA).rpartition("/")[0], prepend=":")
    async with running(settings.model_copy(update={"state_dir": decided.state_dir}), clock=lambda: NOW) as gateway:
        ruled = records(gateway, kind="item.ruled")
        assert {record.policy.revision for record in ruled} == {KEPT.revision}
        with replaying(gateway.settings, engine) as ask:
            result = replay(gateway.ledger.parts.evidence, ask, Filter())
    assert (result.mismatches, result.counts) == ([], {MATCH: len(ruled)})
    assert len(ruled) > 5


async def test_it_decides_nothing_new(settings):
    """
    A gateway does not start with it, and says why.
    """
    assert [(one.file, one.message.split("; ")[0].split(": ")[0]) for one in check(KEPT)] == [
        ("context/areas/data.yaml", "the bundle has no list of its areas"),
        # Pairs of items are told no more; that rules wait for them in vain must be seen.
        ("context/contract/contract.rego", "the rule reads `input.rivals`, which no question tells."),
        ("context/contract/contract.rego", "the rule reads `input.contradictions`, which no question tells."),
        ("registry/agents/data.yaml", "the bundle holds no registry"),
    ]
    with pytest.raises(BundleInvalidError, match="no list of its areas"):
        async with running(settings.model_copy(update={"policies_archive": ARCHIVE})):
            pass


async def test_nobody_goes_back_to_it(decided, settings, subject):
    """
    It was active once, and is not activated again: neither by a rollback nor by a start.
    """
    officer = Subject.model_validate(subject)
    later = settings.model_copy(update={"state_dir": decided.state_dir})
    async with running(later, clock=lambda: NOW) as gateway:
        gateway.lifecycle._remember(activated=(KEPT.revision,))
        with pytest.raises(BundleInvalidError, match="may not decide"):
            await gateway.lifecycle.rollback(KEPT.revision, officer, NOW)
        assert gateway.pipeline.policy.version.revision != KEPT.revision
        gateway.lifecycle._remember(active=KEPT.revision)
    with pytest.raises(BundleInvalidError, match="may not decide"):
        async with running(later, clock=lambda: NOW):
            pass


def test_its_answers_have_a_shape_that_is_still_read(kept_engine):
    """
    What it answers beyond what is asked for today, and what it does not answer, hinders nobody.
    """
    scoped = kept_engine.query("context/scope", BASE)
    assert "screening" in scoped
    assert ScopeAnswer.model_validate(scoped).allow
    packed = PackAnswer.model_validate(kept_engine.query("context/pack", BASE))
    assert (packed.tell_the_model, packed.gateway_warnings, packed.may_stay_outside) == ((), (), ())


@pytest.fixture
def kept_engine():
    from adapters.policy.regorus import RegorusPolicyEngine

    return RegorusPolicyEngine(KEPT)
