"""The policies put together: which bundle decides, on which engine, and what must not."""

import httpx
import pytest

from adapters.policy.cedar import CedarPolicyEngine
from gateway.bootstrap.policies import (
    bundle_poller,
    compile_bundle,
    configured_bundle,
    policy_engine,
    with_entitlement,
)
from gateway.errors import BundleInvalidError, ConfigurationError
from tests.support.bundles import BASE, SHIPPED, TRUST, with_module


async def test_the_embedded_engine_decides_with_the_bundle(settings):
    """
    The engine of the settings answers for the revision that was configured.
    """
    bundle = configured_bundle(settings)
    engine = await policy_engine(settings, bundle)
    assert engine.version.revision == bundle.revision == SHIPPED.revision
    [answer] = await engine.evaluate("context/admit", [BASE])
    assert answer["allow"] is True
    await engine.close()


async def test_a_bundle_that_may_not_decide(settings):
    """
    A bundle that fails a check is refused with the report, whatever engine it is for.
    """
    broken = with_module(TRUST, lambda rego: rego + "\nbad if count(deny) == 0\n")
    for name in ("embedded", "opa"):
        with pytest.raises(BundleInvalidError, match="counting refusals"):
            await policy_engine(settings.model_copy(update={"policy_engine": name}), broken)


async def test_cedar_alone_needs_the_embedded_engine(settings):
    """
    A combination that cannot be served is refused at the start.
    """
    chosen = settings.model_copy(update={"policy_engine": "opa", "entitlement_engine": "cedar"})
    with pytest.raises(ConfigurationError, match="Cedar"):
        await policy_engine(chosen, SHIPPED)


def test_cedar_only_where_it_is_asked_for(settings, engine):
    """
    By default the engine is what it was; with Cedar it is dressed in it.
    """
    assert with_entitlement(settings, engine, SHIPPED) is engine
    for name in ("cedar", "both"):
        chosen = settings.model_copy(update={"entitlement_engine": name})
        assert isinstance(with_entitlement(chosen, engine, SHIPPED), CedarPolicyEngine)


def test_rego_that_does_not_compile():
    """
    Rego that the engine does not take is refused as a bundle, not as a crash.
    """
    with pytest.raises(BundleInvalidError):
        compile_bundle(with_module(TRUST, lambda _: "package context.trust\npermit if {{\n"))


@pytest.mark.parametrize("change", [{}, {"policy_engine": "opa"}])
async def test_nobody_fetches_bundles_without_a_key(settings, tmp_path, change):
    """
    A bundle server needs a key to trust and an engine that can be switched; without a server nothing is fetched.
    """
    async with httpx.AsyncClient() as client:
        assert bundle_poller(settings, None, client, None) is None
        key = {"policies_key": tmp_path / "key.pub"} if change else {}
        chosen = settings.model_copy(update={"policies_url": "http://b.test/b", **change, **key})
        with pytest.raises(ConfigurationError, match="key to trust"):
            bundle_poller(chosen, None, client, None)
