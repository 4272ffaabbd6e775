"""What watches a gateway: traces, metrics, spans, and the lag of its loop."""

import asyncio

from contextlib import AsyncExitStack
from datetime import timedelta

import httpx

from adapters.stores.traces import TraceTable
from gateway.bootstrap.stores import open_traces
from gateway.model import utc_text
from gateway.model.base import Clock
from gateway.observability.observer import NoSpans, Observer
from gateway.ports.tracing import Spans
from gateway.settings import Settings


async def kept_traces(settings: Settings, stack: AsyncExitStack, clock: Clock) -> TraceTable:
    """
    The traces that are kept, without those that are older than the settings say.

    Raises:
        StoreError: they cannot be opened.
    """
    traces = open_traces(settings)
    stack.callback(traces.close)
    stack.push_async_callback(traces.settle)
    await traces.forget(utc_text(clock() - timedelta(hours=settings.trace_hours)))
    return traces


def observer_of(settings: Settings, stack: AsyncExitStack, traces: TraceTable) -> Observer:
    """What sees every request, and the loop."""
    observer = Observer(_spans(settings, stack), traces)
    stack.callback(observer.rechecks.close)
    stack.callback(asyncio.create_task(observer.lag.run(), name="loop-lag").cancel)
    return observer


async def traced(observer: Observer, request: httpx.Request) -> None:
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
