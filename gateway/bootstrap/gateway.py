"""The running gateway, from its settings to a clean stop."""

import asyncio
import contextlib

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial

import httpx
import structlog

from adapters.packing.bm25 import Bm25Lexicon
from adapters.packing.rensa import MinHashLikeness
from adapters.packing.tiktoken import TiktokenTokenizer
from adapters.screening.workers import WorkerPool
from adapters.shared.tls import authorities
from adapters.stores.traces import TraceTable
from gateway.audit.acts import record_start, record_stop
from gateway.audit.open_ledger import LedgerWriter
from gateway.audit.proving.activations import Activations
from gateway.audit.proving.desk_records import DeskRecords
from gateway.audit.proving.proofs import RecordProofs
from gateway.audit.recorder import Recorder
from gateway.bootstrap.apart.preparing import preparation
from gateway.bootstrap.apart.proofs import proposal_proofs
from gateway.bootstrap.apart.trial import BundleTrial
from gateway.bootstrap.detectors import detectors_of, guards_of, screening_workers
from gateway.bootstrap.erasing import eraser_of
from gateway.bootstrap.key_files import fresh, make_keys
from gateway.bootstrap.keys import agent_binding, verifiers_of
from gateway.bootstrap.knowledge import Knowledge, open_knowledge
from gateway.bootstrap.ledger import writing
from gateway.bootstrap.observing import kept_traces, observer_of, traced
from gateway.bootstrap.policies import (
    bundle_poller,
    compile_bundle,
    configured_bundle,
    deciding_bundle,
    engine_limits,
    known_freshness,
    policy_engine,
    state_file,
    with_entitlement,
)
from gateway.bootstrap.poller import BundlePoller
from gateway.bootstrap.process import system_clock
from gateway.bootstrap.sources import Toolboxes, connections_of, source_client, sources_of
from gateway.bootstrap.stores import Stores, open_stores
from gateway.errors import RecordError
from gateway.model import PolicyVersion, Registry
from gateway.model.base import Clock
from gateway.model.sources.connections import Connections
from gateway.observability.observer import Observer
from gateway.pipeline import Pipeline
from gateway.policy.bundle import Bundle
from gateway.policy.registries import Registries
from gateway.policy.shadow import SwitchingPolicyEngine
from gateway.policy.store import BundleStore
from gateway.policy.supply.freshness import Freshness
from gateway.ports.policy import PolicyEngine
from gateway.ports.screening import ScreeningLimits
from gateway.ports.stores import Reviews
from gateway.privacy.erasure import Eraser
from gateway.privacy.resuming import Resuming
from gateway.settings import Settings
from gateway.workbench.lifecycle import BundleLifecycle
from gateway.workbench.quarantine import QuarantineReview
from ledger.receipt import place_in
from ledger.store import Store

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Gateway:
    """A running gateway."""

    settings: Settings
    pipeline: Pipeline
    ledger: LedgerWriter
    recorder: Recorder
    switching: SwitchingPolicyEngine
    lifecycle: BundleLifecycle
    freshness: Freshness
    poller: BundlePoller | None
    stores: Stores
    traces: TraceTable
    observer: Observer
    clock: Clock
    workers: WorkerPool
    """What the detectors share."""

    eraser: Eraser
    knowledge: Knowledge

    @property
    def registry(self) -> Registry:
        """The registry of the bundle that decides now."""
        return self.pipeline.pinned().registry

    @property
    def store(self) -> Store:
        """The ledger's store."""
        return self.ledger.parts.store

    @property
    def vkey(self) -> str:
        """The key that receipts and checkpoints are signed with now."""
        return str(self.ledger.parts.signer.key)


@asynccontextmanager
async def running(settings: Settings, *, clock: Clock = system_clock) -> AsyncIterator[Gateway]:
    """
    A gateway from start to clean stop.

    Raises:
        GatewayError, LedgerError: it cannot start as it is set, or its ledger is not what it was.
    """
    async with AsyncExitStack() as stack:
        _first_keys(settings)
        shipped = configured_bundle(settings)
        traces = await kept_traces(settings, stack, clock)
        observer = observer_of(settings, stack, traces)
        engine = await policy_engine(settings, shipped, observer.traceparent)
        stack.push_async_callback(engine.close)
        freshness = known_freshness(settings, shipped)
        policy = SwitchingPolicyEngine(
            with_entitlement(settings, engine, shipped), lambda revision: freshness.require(revision, clock())
        )
        ledger = await stack.enter_async_context(writing(settings))
        stores = _stores(settings, stack, traces)
        eraser = _eraser(settings, stack, ledger, stores, clock)
        client = await _client(stack, httpx.AsyncClient(verify=authorities()), observer)
        connections = connections_of(settings)
        fetching = await _client(stack, source_client(connections), observer)
        toolboxes = _toolboxes(settings, stack, connections, clock)
        registries = _registries(settings, fetching, toolboxes, shipped)
        workers, _ = await asyncio.gather(screening_workers(settings, stack), toolboxes.begin())
        knowledge = open_knowledge(settings, stack, TiktokenTokenizer.loaded(), MinHashLikeness())
        pipeline = _pipeline(
            settings,
            registries,
            policy,
            ledger,
            client,
            observer=observer,
            stores=stores,
            workers=workers,
            knowledge=knowledge,
        )
        lifecycle = _lifecycle(settings, shipped, policy, ledger, registries, freshness=freshness)
        await lifecycle.started(clock(), resume=settings.policy_engine == "embedded")
        await record_start(clock(), ledger=ledger.recorder)
        stack.push_async_callback(_lane_closed, ledger.recorder, clock)
        if (poller := bundle_poller(settings, lifecycle, client, clock)) is not None:
            stack.callback(asyncio.create_task(poller.run()).cancel)
        knowledge.work_with(pipeline, clock)
        parts = (settings, pipeline, ledger, ledger.recorder, policy, lifecycle, freshness, poller)
        yield Gateway(*parts, stores, traces, observer, clock, workers, eraser, knowledge)


async def _client(stack: AsyncExitStack, client: httpx.AsyncClient, observer: Observer) -> httpx.AsyncClient:
    """A client whose requests are part of the trace that they are made for."""
    client.event_hooks = {"request": [partial(traced, observer)]}
    return await stack.enter_async_context(client)


def _toolboxes(settings: Settings, stack: AsyncExitStack, connections: Connections | None, clock: Clock) -> Toolboxes:
    toolboxes = Toolboxes(settings, connections, clock)
    stack.push_async_callback(toolboxes.aclose)
    return toolboxes


def _registries(settings: Settings, client: httpx.AsyncClient, toolboxes: Toolboxes, shipped: Bundle) -> Registries:
    fetching = partial(sources_of, settings, client, connections=toolboxes.connections, clock=toolboxes.clock)
    (registries := Registries(fetching, toolboxes.of)).hold(shipped)
    return registries


def _stores(settings: Settings, stack: AsyncExitStack, traces: TraceTable) -> Stores:
    stores = open_stores(settings, traces)
    stack.callback(stores.close)
    return stores


def _eraser(settings: Settings, stack: AsyncExitStack, ledger: LedgerWriter, stores: Stores, clock: Clock) -> Eraser:
    eraser = eraser_of(settings, ledger, stores)
    # In PostgreSQL the gateway's role may not erase: `ctxgate ledger erase --resume` goes on there.
    if settings.ledger_url is None:
        resuming = Resuming(eraser, clock, seconds=settings.erase_retry_seconds)
        stack.callback(asyncio.create_task(resuming.run(), name="erasures").cancel)
    return eraser


def _first_keys(settings: Settings) -> None:
    """The one place where keys are made without being asked for: the first start on development keys."""
    if settings.jwks is None and fresh(settings):
        make_keys(settings)


async def _lane_closed(recorder: Recorder, clock: Clock) -> None:
    """Say that the end of the lane is one on purpose; a lane without this record ended in a crash."""
    with contextlib.suppress(RecordError):
        await record_stop(clock(), ledger=recorder)


@asynccontextmanager
async def reviewing(settings: Settings) -> AsyncIterator[tuple[Reviews, QuarantineReview]]:
    """The review of quarantined content alone, under the bundle that decides, with no engine to wait for."""
    async with AsyncExitStack() as stack:
        stores = open_stores(settings)
        stack.callback(stores.close)
        ledger = await stack.enter_async_context(writing(settings))
        bundle = deciding_bundle(settings)
        version = PolicyVersion(revision=bundle.revision, engine="none", engine_version="0")
        days = int(bundle.data["context"]["injection"]["review"]["days"])
        proofs = RecordProofs(ledger.parts.store, ledger.parts.keys)
        yield (
            stores.reviews,
            QuarantineReview(stores.reviews, ledger.recorder, proofs, policy=version, days=days, secret=stores.secret),
        )


def _pipeline(
    settings: Settings,
    registries: Registries,
    policy: PolicyEngine,
    ledger: LedgerWriter,
    client: httpx.AsyncClient,
    *,
    observer: Observer,
    stores: Stores,
    workers: WorkerPool,
    knowledge: Knowledge,
) -> Pipeline:
    # Loading these takes seconds, which commands that only read the ledger need not wait for.
    from adapters.screening.presidio import PresidioAnonymizer  # noqa: PLC0415

    return Pipeline(
        registries=registries,
        policy=policy,
        verifiers=verifiers_of(settings, place_in(ledger.parts.store)),
        detectors=(*detectors_of(settings, workers), *guards_of(settings, client)),
        anonymizer=PresidioAnonymizer(),
        tokenizer=TiktokenTokenizer.loaded(),
        ledger=ledger.recorder,
        reviews=stores.reviews,
        waivers=stores.waivers,
        proofs=RecordProofs(ledger.parts.store, ledger.parts.keys),
        vault=stores.vault,
        secret=stores.secret,
        max_items=settings.max_items,
        keep_content=settings.keep_content,
        observer=observer,
        sessions=stores.sessions,
        artifacts=stores.artifacts,
        likeness=knowledge.likeness,
        knowledge=knowledge.library(observer),
        lexicon=Bm25Lexicon(),
        library_updates=settings.library_updates,
        binding=agent_binding(settings),
        cache=knowledge.known,
        screening=ScreeningLimits(settings.max_item_screening_seconds, settings.max_request_screening_seconds),
        limits=settings.limits,
    )


def _lifecycle(
    settings: Settings,
    shipped: Bundle,
    policy: SwitchingPolicyEngine,
    ledger: LedgerWriter,
    registries: Registries,
    *,
    freshness: Freshness,
) -> BundleLifecycle:
    """The lifecycle of bundles."""
    kept = BundleStore(settings.bundles_dir)
    cases = {shipped.revision: kept.keep(shipped)}
    return BundleLifecycle(
        kept,
        state_file(settings),
        policy,
        compile_=partial(compile_bundle, limits=engine_limits(settings)),
        trial=BundleTrial(seconds=settings.policies_trial_seconds, megabytes=settings.policies_trial_megabytes),
        freshness=freshness,
        prove=proposal_proofs(seconds=settings.policies_proof_seconds, megabytes=settings.policies_proof_megabytes),
        evidence=ledger.parts.evidence,
        records=DeskRecords(
            RecordProofs(ledger.parts.store, ledger.parts.keys),
            Activations(ledger.parts.store, ledger.replica),
            ledger.recorder,
            lambda: policy.version,
        ),
        registries=registries,
        alone_seconds=settings.rollback_alone_seconds,
        preparation=preparation(settings),
        cases=cases,
    )
