"""Putting the gateway together: the one module that knows the adapters."""

import asyncio

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx
import structlog

from cachetools import LRUCache

from adapters.bundle_keys import BundleKey
from adapters.cedar import CedarEntitlement, CedarPolicyEngine, without_rego_entitlement
from adapters.development_tokens import UnsafeDevelopmentIssuer
from adapters.ed25519 import Ed25519Signer, Ed25519Verifier, read_or_make_secret
from adapters.jose import JwtVerifier, load_keys
from adapters.opa import OpaPolicyEngine
from adapters.regorus import RegorusPolicyEngine
from adapters.retrievers.directory import DirectorySource
from adapters.retrievers.http import HttpSource
from adapters.tiktoken import TiktokenTokenizer
from adapters.workers import WorkerPool
from gateway.bundle import ENTRYPOINTS, Bundle, load_bundle
from gateway.errors import BundleInvalidError, ConfigurationError
from gateway.model import Registry
from gateway.pipeline import Pipeline
from gateway.polling import BundlePoller
from gateway.ports import PolicyEngine, Source
from gateway.recorder import Recorder
from gateway.registry import load_registry
from gateway.replica import Clock, at_most_every, replica_of, system_clock
from gateway.settings import Settings
from gateway.switching import SwitchingPolicyEngine
from gateway.workbench import archive
from gateway.workbench.checks import check
from gateway.workbench.desk import PolicyDesk
from ledger.lane import LaneWriter
from ledger.pin import HeadPin
from ledger.sqlite import SqliteStore
from ledger.store import Store
from ledger.writer import GroupCommitWriter

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Gateway:
    """A running gateway."""

    settings: Settings
    pipeline: Pipeline
    store: SqliteStore
    recorder: Recorder
    switching: SwitchingPolicyEngine
    desk: PolicyDesk
    vkey: str
    clock: Clock


@asynccontextmanager
async def running(settings: Settings, *, clock: Clock = system_clock) -> AsyncIterator[Gateway]:
    """
    A gateway from start to clean stop.

    Raises:
        GatewayError, LedgerError: it cannot start as it is set, or its ledger is not what it was.
    """
    async with AsyncExitStack() as stack:
        shipped = configured_bundle(settings)
        engine = await _policy_engine(settings, shipped)
        stack.push_async_callback(engine.close)
        policy = SwitchingPolicyEngine(_with_entitlement(settings, engine, shipped))
        store, pin = open_ledger(settings)
        stack.callback(store.close)
        stack.callback(pin.write, store)
        signer = Ed25519Signer.from_file(settings.origin, settings.state_dir / "keys" / "ledger.seed")
        writer = GroupCommitWriter(
            LaneWriter(store, settings.origin, replica_of(settings.state_dir)),
            queue_length=settings.ledger_queue,
            after_commit=at_most_every(settings.pin_every_seconds, lambda: pin.write(store)),
        )
        stack.push_async_callback(writer.close)
        recorder = Recorder(writer, store, signer)
        client = await stack.enter_async_context(httpx.AsyncClient())
        pipeline = await _pipeline(settings, policy, recorder, client, stack)
        desk = _desk(settings, shipped, policy, store, recorder)
        if polling := _polling(settings, desk, client, clock):
            stack.callback(polling.cancel)
        yield Gateway(settings, pipeline, store, recorder, policy, desk, signer.vkey, clock)


async def _pipeline(
    settings: Settings,
    policy: PolicyEngine,
    recorder: Recorder,
    client: httpx.AsyncClient,
    stack: AsyncExitStack,
) -> Pipeline:
    # Loading these takes seconds, which commands that only read the ledger need not wait for.
    from adapters.presidio import PresidioAnonymizer, PresidioDetector, warm_up  # noqa: PLC0415
    from adapters.promptbadger import PromptbadgerDetector  # noqa: PLC0415

    registry = load_registry(settings.registry_dir)
    pool = WorkerPool(
        workers=settings.detector_workers,
        timeout_seconds=settings.detector_timeout_seconds,
        warm=warm_up,
        args=(settings.spacy_model,),
    )
    stack.callback(pool.close)
    await pool.ready()
    return Pipeline(
        registry=registry,
        policy=policy,
        detectors=(PresidioDetector(pool, model=settings.spacy_model), PromptbadgerDetector(pool)),
        anonymizer=PresidioAnonymizer(),
        tokenizer=TiktokenTokenizer(),
        ledger=recorder,
        sources=_sources(registry, settings, client),
        secret=read_or_make_secret(settings.state_dir / "keys" / "ids.secret"),
        max_items=settings.max_items,
        cache=LRUCache(settings.finding_cache_items),
    )


def _desk(
    settings: Settings, shipped: Bundle, policy: SwitchingPolicyEngine, store: Store, recorder: Recorder
) -> PolicyDesk:
    """The policy desk, with what it activated before deciding again."""
    desk = PolicyDesk(
        settings.state_dir / "bundles",
        policy,
        compile_=compile_bundle,
        store=store,
        ledger=recorder,
        dress=partial(_with_entitlement, settings),
    )
    desk.keep(shipped)
    if desk.state.activated and settings.policy_engine == "embedded":
        policy.switch(desk.compiled(desk.state.active))
    return desk


async def _policy_engine(settings: Settings, bundle: Bundle) -> RegorusPolicyEngine | OpaPolicyEngine:
    if problems := check(bundle):
        report = "\n".join(map(str, problems))
        raise BundleInvalidError(f"the bundle may not decide:\n{report}")
    if settings.policy_engine == "embedded":
        return RegorusPolicyEngine(bundle)
    if settings.entitlement_engine == "cedar":
        raise ConfigurationError("Cedar decides alone only with the embedded engine; set both")
    certificate, key = settings.opa_client_certificate, settings.opa_client_key
    engine = OpaPolicyEngine(
        settings.opa_url,
        revision=bundle.revision,
        timeout_seconds=settings.opa_timeout_seconds,
        token=settings.opa_token.get_secret_value() if settings.opa_token else None,
        certificate=(str(certificate), str(key)) if certificate and key else None,
    )
    await engine.start()
    return engine


def _with_entitlement(settings: Settings, engine: PolicyEngine, bundle: Bundle) -> PolicyEngine:
    if settings.entitlement_engine == "rego":
        return engine
    if settings.entitlement_engine == "cedar":
        engine = compile_bundle(without_rego_entitlement(bundle))
    return CedarPolicyEngine(engine, CedarEntitlement(bundle), settings.entitlement_engine)


def _polling(
    settings: Settings, desk: PolicyDesk, client: httpx.AsyncClient, clock: Clock
) -> asyncio.Task[None] | None:
    if settings.policies_url is None:
        return None
    if settings.policies_key is None or settings.policy_engine != "embedded":
        raise ConfigurationError("fetched bundles need a key to trust, and the embedded engine")
    key = BundleKey(settings.policies_key)
    poller = BundlePoller(
        settings.policies_url,
        client,
        read=lambda body: archive.read(body, key),
        adopt=lambda bundle: desk.adopt(bundle, clock()),
        refuse=lambda _: desk.refuse(clock()),
        seconds=settings.policies_poll_seconds,
    )
    return asyncio.get_running_loop().create_task(poller.run())


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


def build_archive(bundle: Bundle, key: Path | None) -> bytes:
    """The bundle as an archive, signed where there is a key."""
    return archive.build(bundle, BundleKey(key) if key else None)


def compile_bundle(bundle: Bundle, rules: Sequence[str] = ENTRYPOINTS) -> RegorusPolicyEngine:
    """
    A bundle, compiled for the rules that will be asked for.

    Raises:
        BundleInvalidError: it does not compile.
    """
    return RegorusPolicyEngine(bundle, rules)


@asynccontextmanager
async def other_engine(settings: Settings, bundle: Bundle, url: str | None) -> AsyncIterator[OpaPolicyEngine]:
    """The OPA server, to compare with."""
    engine = OpaPolicyEngine(
        url or settings.opa_url, revision=bundle.revision, timeout_seconds=settings.opa_timeout_seconds
    )
    await engine.start()
    try:
        yield engine
    finally:
        await engine.close()


def open_ledger(settings: Settings) -> tuple[SqliteStore, HeadPin]:
    """
    The store and its pin, checked against each other.

    Raises:
        LedgerError: the store cannot be opened, is unsafe, or is behind its pin.
    """
    store, pin = SqliteStore(settings.ledger_file), HeadPin(settings.pin)
    try:
        pin.check(store)
    except BaseException:
        store.close()
        raise
    return store, pin


def receipt_key(vkey: str) -> Ed25519Verifier:
    """The public key for receipts."""
    return Ed25519Verifier(vkey)


def own_vkey(settings: Settings) -> str:
    """This gateway's verifier key."""
    return Ed25519Signer.from_file(settings.origin, settings.state_dir / "keys" / "ledger.seed").vkey


def development_issuer(settings: Settings) -> UnsafeDevelopmentIssuer:
    """The stand-in for the trust layer."""
    return UnsafeDevelopmentIssuer(settings.state_dir / "keys" / "development.jwk")


def token_verifier(settings: Settings) -> JwtVerifier:
    """
    What establishes who is asking, with the configured keys or, with a warning, the development key.

    Raises:
        ConfigurationError: there are no keys where the setting says.
    """
    if settings.jwks is None:
        log.warning("unsafe_development_tokens", advice="set CTXGATE_JWKS to the trust layer's keys")
        keys = development_issuer(settings).jwks()
    else:
        keys = load_keys(settings.jwks)
    return JwtVerifier(
        keys,
        issuer=settings.jwt_issuer,
        audience=settings.jwt_audience,
        algorithms=settings.jwt_algorithms,
        skew_seconds=settings.jwt_skew_seconds,
    )


def _sources(registry: Registry, settings: Settings, client: httpx.AsyncClient) -> tuple[Source, ...]:
    if settings.sources_dir is None:
        return ()
    return tuple(
        DirectorySource(entry, settings.sources_dir) if entry.kind == "directory" else HttpSource(entry, client)
        for entry in registry.sources
    )
