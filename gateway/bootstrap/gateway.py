"""The running gateway, from its settings to a clean stop."""

import asyncio
import contextlib

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

import httpx
import structlog

from cachetools import LRUCache

from adapters.packing.rensa import MinHashLikeness
from adapters.packing.tiktoken import TiktokenTokenizer
from adapters.screening.workers import WorkerPool
from adapters.stores.traces import TraceTable
from gateway.audit.acts import record_start, record_stop
from gateway.audit.open_ledger import LedgerWriter
from gateway.audit.recorder import Recorder
from gateway.bootstrap.detectors import detectors_of, guards_of, screening_workers
from gateway.bootstrap.keys import agent_binding, verifiers_of
from gateway.bootstrap.ledger import writing
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
from gateway.bootstrap.sources import sources_of
from gateway.bootstrap.stores import Stores, open_stores, open_traces
from gateway.bootstrap.trial import BundleTrial
from gateway.errors import RecordError
from gateway.model import PolicyVersion, Registry, utc_text
from gateway.model.base import Clock
from gateway.observability.observer import NoSpans, Observer
from gateway.pipeline import Pipeline
from gateway.policy.bundle import Bundle
from gateway.policy.registries import Registries
from gateway.policy.shadow import SwitchingPolicyEngine
from gateway.policy.store import BundleStore
from gateway.policy.supply.freshness import Freshness
from gateway.ports.policy import PolicyEngine
from gateway.ports.screening import ScreeningLimits
from gateway.ports.stores import Reviews
from gateway.ports.tracing import Spans
from gateway.settings import Settings
from gateway.workbench.lifecycle import BundleLifecycle
from gateway.workbench.quarantine import QuarantineReview
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
        shipped = configured_bundle(settings)
        traces = await _traces(settings, stack, clock)
        observer = _observer(settings, stack, traces)
        engine = await policy_engine(settings, shipped, observer.traceparent)
        stack.push_async_callback(engine.close)
        freshness = known_freshness(settings, shipped)
        policy = SwitchingPolicyEngine(
            with_entitlement(settings, engine, shipped), lambda revision: freshness.require(revision, clock())
        )
        ledger = await stack.enter_async_context(writing(settings))
        recorder = ledger.recorder
        stores = open_stores(settings)
        stack.callback(stores.close)
        client = await stack.enter_async_context(
            httpx.AsyncClient(event_hooks={"request": [partial(_traced, observer)]})
        )
        registries = Registries(partial(sources_of, settings, client))
        registries.hold(shipped)
        workers = await screening_workers(settings, stack)
        pipeline = _pipeline(
            settings, registries, policy, recorder, client, observer=observer, stores=stores, workers=workers
        )
        lifecycle = _lifecycle(settings, shipped, policy, ledger, registries, freshness=freshness)
        await lifecycle.started(clock())
        await record_start(clock(), ledger=recorder)
        stack.push_async_callback(_lane_closed, recorder, clock)
        poller = bundle_poller(settings, lifecycle, client, clock)
        if poller is not None:
            stack.callback(asyncio.create_task(poller.run()).cancel)
        yield Gateway(
            settings,
            pipeline,
            ledger,
            recorder,
            policy,
            lifecycle,
            freshness,
            poller,
            stores,
            traces,
            observer,
            clock,
            workers,
        )


async def _traces(settings: Settings, stack: AsyncExitStack, clock: Clock) -> TraceTable:
    traces = open_traces(settings)
    stack.callback(traces.close)
    stack.push_async_callback(traces.settle)
    await traces.forget(utc_text(clock() - timedelta(hours=settings.trace_hours)))
    return traces


def _observer(settings: Settings, stack: AsyncExitStack, traces: TraceTable) -> Observer:
    observer = Observer(_spans(settings, stack), traces)
    stack.callback(observer.rechecks.close)
    stack.callback(asyncio.create_task(observer.lag.run(), name="loop-lag").cancel)
    return observer


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
        recorder = (await stack.enter_async_context(writing(settings))).recorder
        bundle = deciding_bundle(settings)
        version = PolicyVersion(revision=bundle.revision, engine="none", engine_version="0")
        days = int(bundle.data["context"]["injection"]["review"]["days"])
        yield (
            stores.reviews,
            QuarantineReview(stores.reviews, recorder, policy=version, days=days, secret=stores.secret),
        )


def _pipeline(
    settings: Settings,
    registries: Registries,
    policy: PolicyEngine,
    recorder: Recorder,
    client: httpx.AsyncClient,
    *,
    observer: Observer,
    stores: Stores,
    workers: WorkerPool,
) -> Pipeline:
    # Loading these takes seconds, which commands that only read the ledger need not wait for.
    from adapters.screening.presidio import PresidioAnonymizer  # noqa: PLC0415

    return Pipeline(
        registries=registries,
        policy=policy,
        verifiers=verifiers_of(settings),
        detectors=(*detectors_of(settings, workers), *guards_of(settings, client)),
        anonymizer=PresidioAnonymizer(),
        tokenizer=TiktokenTokenizer(),
        ledger=recorder,
        reviews=stores.reviews,
        vault=stores.vault,
        secret=stores.secret,
        max_items=settings.max_items,
        keep_content=settings.keep_content,
        observer=observer,
        sessions=stores.sessions,
        artifacts=stores.artifacts,
        likeness=MinHashLikeness(),
        library_updates=settings.library_updates,
        binding=agent_binding(settings),
        cache=LRUCache(settings.finding_cache_items),
        screening=ScreeningLimits(settings.max_item_screening_seconds, settings.max_request_screening_seconds),
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
    """
    The lifecycle of bundles, with what it activated before deciding again.

    Raises:
        BundleInvalidError: what it activated before may no longer decide; nothing else is taken in its place.
    """
    kept = BundleStore(settings.bundles_dir)
    kept.keep(shipped)
    lifecycle = BundleLifecycle(
        kept,
        state_file(settings),
        policy,
        compile_=partial(compile_bundle, limits=engine_limits(settings)),
        trial=BundleTrial(seconds=settings.policies_trial_seconds, megabytes=settings.policies_trial_megabytes),
        freshness=freshness,
        evidence=ledger.parts.evidence,
        ledger=ledger.recorder,
        registries=registries,
        alone_seconds=settings.rollback_alone_seconds,
        wrap_engine=partial(with_entitlement, settings),
    )
    if lifecycle.state.activated and settings.policy_engine == "embedded":
        policy.switch(lifecycle.deciding(lifecycle.state.active))
    return lifecycle


async def _traced(observer: Observer, request: httpx.Request) -> None:
    """Let whoever is called know which trace the call belongs to."""
    if header := observer.traceparent():
        request.headers["traceparent"] = header


def _spans(settings: Settings, stack: AsyncExitStack) -> Spans:
    if settings.otlp_endpoint is None:
        return NoSpans()
    from adapters.tracing.otel import OtelSpans  # noqa: PLC0415 - only where it is asked for

    spans = OtelSpans(settings.otlp_endpoint)
    stack.callback(spans.close)
    return spans
