"""Whoever is pinned to a bundle gets that bundle's registry."""

import pytest

from gateway.bootstrap.policies import compile_bundle
from gateway.errors import BundleInvalidError, PolicyUnavailableError
from gateway.policy.bundle import bundle_of
from gateway.policy.registries import Registries
from gateway.policy.shadow import SwitchingPolicyEngine
from tests.support.bundles import SHIPPED, files

OTHER = bundle_of(
    {
        name: text.encode()
        for name, text in files(
            [("registry/budgets/data.yaml", "headroom_percent: 12", "headroom_percent: 20")]
        ).items()
    }
)


def test_each_bundle_has_its_own():
    """
    After a switch the next one who is pinned gets the other registry, and who was pinned before keeps theirs.
    """
    registries = Registries()
    for bundle in (SHIPPED, OTHER):
        registries.hold(bundle)
    engine = SwitchingPolicyEngine(compile_bundle(SHIPPED))
    before = registries.pinned(engine)
    engine.switch(compile_bundle(OTHER))
    after = registries.pinned(engine)
    assert (before.policy.version.revision, before.registry.budgets.headroom_percent) == (SHIPPED.revision, 12)
    assert (after.policy.version.revision, after.registry.budgets.headroom_percent) == (OTHER.revision, 20)


def test_sources_are_made_once_for_each_bundle():
    """
    What fetches from the sources of a registry is made when the bundle is held first, and goes with its registry.
    """
    made = []
    registries = Registries(lambda registry: made.append(registry) or ("a source",))
    registries.hold(SHIPPED)
    registries.hold(SHIPPED)
    assert registries.pinned(compile_bundle(SHIPPED)).sources == ("a source",)
    assert made == [registries.pinned(compile_bundle(SHIPPED)).registry]


def test_without_a_registry_nothing_is_decided():
    """
    Of a bundle whose registry is not held nobody is served, and a registry that is not whole is not held.
    """
    registries = Registries()
    with pytest.raises(PolicyUnavailableError, match="not held"):
        registries.pinned(compile_bundle(SHIPPED))
    broken = bundle_of({"a.rego": b"package a\n", ".manifest": b"{}"})
    with pytest.raises(BundleInvalidError, match="no registry"):
        registries.hold(broken)
