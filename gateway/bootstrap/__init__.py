"""Putting the gateway together: the one package that knows the adapters."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

import httpx
import structlog

from cachetools import LRUCache

from adapters.ed25519 import Ed25519Signer, read_or_make_secret
from adapters.injection.guard import GuardDetector
from adapters.regorus import failing_tests
from adapters.retrievers.directory import DirectorySource
from adapters.retrievers.http import HttpSource
from adapters.sealed_store import SealedStore
from adapters.tiktoken import TiktokenTokenizer
from adapters.workers import WorkerPool
from gateway.bootstrap.policies import compile_bundle, configured_bundle, policy_engine, polling_task, with_entitlement
from gateway.bundle import Bundle
from gateway.model import Registry
from gateway.pipeline import Pipeline
from gateway.ports import Detector, PolicyEngine, Reviews, Source
from gateway.quarantine import ReviewDesk
from gateway.recorder import Recorder
from gateway.registry import load_registry
from gateway.replica import Clock, at_most_every, replica_of, system_clock
from gateway.settings import Settings
from gateway.switching import SwitchingPolicyEngine
from gateway.workbench.desk import PolicyDesk
from ledger.lane import LaneWriter
from ledger.pin import HeadPin
from ledger.record import PolicyPart
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
        engine = await policy_engine(settings, shipped)
        stack.push_async_callback(engine.close)
        policy = SwitchingPolicyEngine(with_entitlement(settings, engine, shipped))
        store, recorder, vkey = _ledger(settings, stack)
        client = await stack.enter_async_context(httpx.AsyncClient())
        pipeline = await _pipeline(settings, policy, recorder, client, stack)
        desk = _desk(settings, shipped, policy, store, recorder)
        await desk.started(clock())
        if polling := polling_task(settings, desk, client, clock):
            stack.callback(polling.cancel)
        yield Gateway(settings, pipeline, store, recorder, policy, desk, vkey, clock)


def _ledger(settings: Settings, stack: AsyncExitStack) -> tuple[SqliteStore, Recorder, str]:
    """The ledger, opened to write, and the key that its receipts are verified with."""
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
    return store, Recorder(writer, store, signer), signer.vkey


@asynccontextmanager
async def reviewing(settings: Settings) -> AsyncIterator[tuple[Reviews, ReviewDesk]]:
    """The review desk alone, without policies or detectors to wait for."""
    async with AsyncExitStack() as stack:
        aside = open_aside(settings)
        stack.callback(aside.close)
        _, recorder, _ = _ledger(settings, stack)
        bundle = configured_bundle(settings)
        part = PolicyPart(revision=bundle.revision, engine="none", engine_version="0", entrypoint="context/release")
        days = int(bundle.data["context"]["injection"]["review"]["days"])
        yield aside, ReviewDesk(aside, recorder, policy=part, days=days)


async def _pipeline(
    settings: Settings,
    policy: PolicyEngine,
    recorder: Recorder,
    client: httpx.AsyncClient,
    stack: AsyncExitStack,
) -> Pipeline:
    # Loading these takes seconds, which commands that only read the ledger need not wait for.
    from adapters.presidio import PresidioAnonymizer  # noqa: PLC0415

    registry = load_registry(settings.registry_dir)
    pool = await _workers(settings, stack)
    aside = open_aside(settings)
    stack.callback(aside.close)
    return Pipeline(
        registry=registry,
        policy=policy,
        detectors=(*_detectors(settings, pool), *_guards(settings, client)),
        anonymizer=PresidioAnonymizer(),
        tokenizer=TiktokenTokenizer(),
        ledger=recorder,
        sources=_sources(registry, settings, client),
        reviews=aside,
        vault=aside,
        secret=read_or_make_secret(settings.state_dir / "keys" / "ids.secret"),
        max_items=settings.max_items,
        cache=LRUCache(settings.finding_cache_items),
    )


def _detectors(settings: Settings, pool: WorkerPool) -> tuple[Detector, ...]:
    from adapters.injection.detector import InjectionDetector  # noqa: PLC0415 - takes seconds
    from adapters.presidio import PresidioDetector  # noqa: PLC0415 - takes seconds

    return (
        PresidioDetector(pool, model=settings.spacy_model),
        InjectionDetector(pool, encoder=settings.injection_encoder),
    )


def _guards(settings: Settings, client: httpx.AsyncClient) -> tuple[Detector, ...]:
    if settings.injection_guard_url is None:
        return ()
    token = settings.injection_guard_token
    return (
        GuardDetector(
            client,
            settings.injection_guard_url,
            token=token.get_secret_value() if token else None,
            timeout_seconds=settings.detector_timeout_seconds,
        ),
    )


async def _workers(settings: Settings, stack: AsyncExitStack) -> WorkerPool:
    from adapters.screening.warm import warm_up  # noqa: PLC0415 - takes seconds

    pool = WorkerPool(
        workers=settings.detector_workers,
        timeout_seconds=settings.detector_timeout_seconds,
        warm=warm_up,
        args=(settings.spacy_model, settings.injection_encoder),
    )
    stack.callback(pool.close)
    await pool.ready()
    return pool


@asynccontextmanager
async def screening(settings: Settings) -> AsyncIterator[tuple[Detector, ...]]:
    """The detectors alone, for texts that no request brings."""
    async with AsyncExitStack() as stack:
        yield _detectors(settings, await _workers(settings, stack))


def _desk(
    settings: Settings, shipped: Bundle, policy: SwitchingPolicyEngine, store: Store, recorder: Recorder
) -> PolicyDesk:
    """The policy desk, with what it activated before deciding again."""
    desk = PolicyDesk(
        settings.state_dir / "bundles",
        policy,
        compile_=compile_bundle,
        failing_tests=failing_tests,
        store=store,
        ledger=recorder,
        dress=partial(with_entitlement, settings),
    )
    desk.keep(shipped)
    if desk.state.activated and settings.policy_engine == "embedded":
        policy.switch(desk.compiled(desk.state.active))
    return desk


def open_aside(settings: Settings) -> SealedStore:
    """
    What is kept aside: for review, and behind tokens.

    Raises:
        AsideError, ConfigurationError: it cannot be opened, or its key is not one.
    """
    return SealedStore(
        settings.state_dir / "aside.sqlite", read_or_make_secret(settings.state_dir / "keys" / "aside.key")
    )


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


def _sources(registry: Registry, settings: Settings, client: httpx.AsyncClient) -> tuple[Source, ...]:
    if settings.sources_dir is None:
        return ()
    return tuple(
        DirectorySource(entry, settings.sources_dir) if entry.kind == "directory" else HttpSource(entry, client)
        for entry in registry.sources
    )
