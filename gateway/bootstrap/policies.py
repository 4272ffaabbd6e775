"""Putting the policies together: the bundle, the engine that decides with it, and who may replace it."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from adapters.policy.bundle_keys import BundleKey
from adapters.policy.cedar import CedarEntitlement, CedarPolicyEngine, without_rego_entitlement
from adapters.policy.proving import ProofEngines
from adapters.policy.regorus import EngineLimits, RegorusPolicyEngine, each_failing_test
from gateway.bootstrap.poller import BundlePoller
from gateway.errors import BundleInvalidError, ConfigurationError
from gateway.model.base import Clock
from gateway.policy import archive
from gateway.policy.bundle import Bundle, load_bundle
from gateway.policy.entrypoints import NAMES
from gateway.policy.store import BundleStore, remembered
from gateway.policy.supply.freshness import Freshness
from gateway.policy.supply.numbering import Numbering
from gateway.ports.policy import PolicyEngine
from gateway.settings import Settings
from gateway.workbench.case_tests import with_base_input
from gateway.workbench.checks import check
from gateway.workbench.lifecycle import BundleLifecycle

if TYPE_CHECKING:
    from adapters.policy.opa import OpaPolicyEngine


async def policy_engine(
    settings: Settings, bundle: Bundle, traceparent: Callable[[], str | None] = lambda: None
) -> "RegorusPolicyEngine | OpaPolicyEngine":
    """
    The engine that the settings name, holding the bundle; *traceparent* is the header of the request at hand.

    Raises:
        BundleInvalidError, PolicyError, ConfigurationError: it cannot decide with it.
    """
    if problems := check(bundle):
        report = "\n".join(map(str, problems))
        raise BundleInvalidError(f"the bundle may not decide:\n{report}")
    if settings.policy_engine == "embedded":
        return compile_bundle(bundle, limits=engine_limits(settings))
    if settings.entitlement_engine == "cedar":
        raise ConfigurationError("Cedar decides alone only with the embedded engine; set both")
    from adapters.policy.opa import OpaPolicyEngine  # noqa: PLC0415 - only where it is asked for

    certificate, key = settings.opa_client_certificate, settings.opa_client_key
    engine = OpaPolicyEngine(
        settings.opa_url,
        revision=bundle.revision,
        timeout_seconds=settings.opa_timeout_seconds,
        items=settings.policy_items,
        token=settings.opa_token.get_secret_value() if settings.opa_token else None,
        certificate=(str(certificate), str(key)) if certificate and key else None,
        traceparent=traceparent,
    )
    await engine.start()
    return engine


def with_entitlement(settings: Settings, engine: PolicyEngine, bundle: Bundle) -> PolicyEngine:
    """The engine with Cedar around it, where the settings ask for that."""
    if settings.entitlement_engine == "cedar":
        engine = compile_bundle(without_rego_entitlement(bundle), limits=engine_limits(settings))
    return around(settings, engine, bundle)


def around(settings: Settings, engine: PolicyEngine, bundle: Bundle) -> PolicyEngine:
    """Cedar around an engine that is compiled without what Cedar decides alone, where the settings ask for it."""
    if settings.entitlement_engine == "rego":
        return engine
    return CedarPolicyEngine(engine, CedarEntitlement(bundle), settings.entitlement_engine)


def bundle_poller(
    settings: Settings, lifecycle: BundleLifecycle, client: httpx.AsyncClient, clock: Clock
) -> BundlePoller | None:
    """
    What fetches newer bundles; None where no bundle server is set.

    Raises:
        ConfigurationError: there is no key to trust, or another engine decides.
    """
    if settings.policies_url is None:
        return None
    if settings.policies_key is None or settings.policy_engine != "embedded":
        raise ConfigurationError("fetched bundles need a key to trust, and the embedded engine")
    key = BundleKey(settings.policies_key)
    return BundlePoller(
        settings.policies_url,
        client,
        read=lambda body: archive.read(body, key),
        adopt=lambda bundle: lifecycle.adopt(bundle, clock()),
        refuse=lambda error: lifecycle.refuse(error, clock()),
        seconds=settings.policies_poll_seconds,
    )


def known_freshness(settings: Settings, configured: Bundle) -> Freshness:
    """
    How new bundles must be, from what was adopted before and what this gateway is configured with.

    Raises:
        ConfigurationError: what was remembered is damaged.
    """
    file = settings.bundles_dir / "newest.json"
    grace = timedelta(hours=settings.policies_grace_hours)
    try:
        freshness = Freshness(file, grace=grace, unnumbered=settings.policies_unnumbered)
    except ValueError as error:
        raise ConfigurationError(f"{file} is damaged; restore it, since it says which bundles are too old") from error
    freshness.configured(configured.revision, configured.numbering)
    return freshness


def configured_bundle(settings: Settings) -> Bundle:
    """
    The bundle that the settings name: a folder, or an archive with its signature.

    Raises:
        BundleInvalidError, ConfigurationError: it cannot be read, or not trusted.
    """
    if settings.policies_archive is None:
        return load_bundle(settings.policies_dir)
    verifier = BundleKey(settings.policies_key) if settings.policies_key else None
    try:
        return archive.read(settings.policies_archive.read_bytes(), verifier)
    except OSError as error:
        raise ConfigurationError(f"no archive at {settings.policies_archive}") from error


def state_file(settings: Settings) -> Path:
    """Where the lifecycle of bundles keeps what it must remember between starts."""
    return settings.bundles_dir / "state.json"


def deciding_bundle(settings: Settings) -> Bundle:
    """
    The bundle that decides in a gateway of these settings: the one activated last, or the configured one.

    Raises:
        BundleInvalidError, ConfigurationError, NotFoundError: it cannot be read, is not trusted, or is not kept.
    """
    state = remembered(state_file(settings))
    if state is None or not state.activated or settings.policy_engine != "embedded":
        return configured_bundle(settings)
    return BundleStore(settings.bundles_dir).stored(state.active)


def build_archive(bundle: Bundle, key: Path | None, numbering: Numbering | None = None) -> bytes:
    """The bundle as an archive, signed where there is a key, with a serial and an expiry where they are given."""
    return archive.build(bundle, BundleKey(key) if key else None, numbering)


def engine_limits(settings: Settings) -> EngineLimits:
    """How much the embedded engine does at once, and for how long."""
    return EngineLimits(seconds=settings.policy_seconds)


def compile_bundle(
    bundle: Bundle, rules: Sequence[str] = NAMES, limits: EngineLimits | None = None
) -> RegorusPolicyEngine:
    """
    A bundle, compiled for the rules that will be asked for.

    Raises:
        BundleInvalidError: it does not compile.
    """
    return RegorusPolicyEngine(bundle, rules, limits)


def failing_rego_tests(bundle: Bundle) -> Iterator[str]:
    """The bundle's own Rego tests that do not hold, one after the other, at the desk as at the gateway that would take it in."""
    return each_failing_test(with_base_input(bundle))


def proof_engines(*, with_opa: bool) -> ProofEngines:
    """The engines that a proof is tried on; OPA as well where it is wanted and on the PATH."""
    return ProofEngines(with_opa=with_opa)


@asynccontextmanager
async def other_engine(settings: Settings, bundle: Bundle, url: str | None) -> "AsyncIterator[OpaPolicyEngine]":
    """The OPA server, to compare with."""
    from adapters.policy.opa import OpaPolicyEngine  # noqa: PLC0415 - only where it is asked for

    engine = OpaPolicyEngine(
        url or settings.opa_url, revision=bundle.revision, timeout_seconds=settings.opa_timeout_seconds
    )
    await engine.start()
    try:
        yield engine
    finally:
        await engine.close()
