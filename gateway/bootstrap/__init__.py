"""Putting the gateway together: the one package that knows the adapters."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

import httpx
import structlog

from cachetools import LRUCache

from adapters.ed25519 import Ed25519Signer, read_or_make_secret
from adapters.regorus import failing_tests
from adapters.retrievers.directory import DirectorySource
from adapters.retrievers.http import HttpSource
from adapters.tiktoken import TiktokenTokenizer
from adapters.workers import WorkerPool
from gateway.bootstrap.policies import compile_bundle, configured_bundle, policy_engine, polling_task, with_entitlement
from gateway.bundle import Bundle
from gateway.model import Registry
from gateway.pipeline import Pipeline
from gateway.ports import PolicyEngine, Source
from gateway.recorder import Recorder
from gateway.registry import load_registry
from gateway.replica import Clock, at_most_every, replica_of, system_clock
from gateway.settings import Settings
from gateway.switching import SwitchingPolicyEngine
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
        engine = await policy_engine(settings, shipped)
        stack.push_async_callback(engine.close)
        policy = SwitchingPolicyEngine(with_entitlement(settings, engine, shipped))
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
        await desk.started(clock())
        if polling := polling_task(settings, desk, client, clock):
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
        failing_tests=failing_tests,
        store=store,
        ledger=recorder,
        dress=partial(with_entitlement, settings),
    )
    desk.keep(shipped)
    if desk.state.activated and settings.policy_engine == "embedded":
        policy.switch(desk.compiled(desk.state.active))
    return desk


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
