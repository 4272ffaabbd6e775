"""Spans over OTLP, by the OpenTelemetry SDK."""

from contextlib import AbstractContextManager

from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator


class OtelSpans:
    """A `gateway.observability.observer.Spans`."""

    def __init__(self, endpoint: str) -> None:
        """
        Args:
            endpoint: where spans are sent, such as http://collector:4318/v1/traces.
        """
        self._provider = TracerProvider(resource=Resource.create({"service.name": "ctxgate"}))
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=endpoint, timeout=5)))
        self._tracer = self._provider.get_tracer("ctxgate")

    def request(self, name: str, traceparent: str | None) -> AbstractContextManager[object]:
        context = TraceContextTextMapPropagator().extract({"traceparent": traceparent} if traceparent else {})
        return self._tracer.start_as_current_span(name, context=context, record_exception=False)

    def stage(self, name: str) -> AbstractContextManager[object]:
        return self._tracer.start_as_current_span(name, record_exception=False)

    def traceparent(self) -> str | None:
        carrier: dict[str, str] = {}
        TraceContextTextMapPropagator().inject(carrier)
        return carrier.get("traceparent")

    def close(self) -> None:
        """Send what waits."""
        self._provider.shutdown()
