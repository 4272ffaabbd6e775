"""Spans over OTLP: of the trace that the caller began, without what an error says."""

from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from adapters.tracing.otel import OtelSpans

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def collector():
    """A collector on loopback; its URL, and the spans that it was sent, by name."""
    spans = {}

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
                spans.update({span.name: span for scope in resource.scope_spans for span in scope.spans})
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1/traces", spans
    server.shutdown()
    server.server_close()


def test_stages_belong_to_their_request_and_that_to_its_caller(collector):
    """
    The request's span continues the caller's trace, and the stages stand within the request.
    """
    url, spans = collector
    otel = OtelSpans(url)
    assert otel.traceparent() is None
    with otel.request("assemble", PARENT), otel.stage("admit"):
        inner = otel.traceparent()
    otel.close()
    request, stage = spans["assemble"], spans["admit"]
    assert request.trace_id == stage.trace_id == bytes.fromhex(PARENT.split("-")[1])
    assert request.parent_span_id == bytes.fromhex(PARENT.split("-")[2])
    assert stage.parent_span_id == request.span_id
    assert inner == f"00-{stage.trace_id.hex()}-{stage.span_id.hex()}-01"


@pytest.mark.parametrize("header", [None, "", "nonsense", "00-" + "0" * 32 + "-b7ad6b7169203331-01"])
def test_a_header_that_is_none_begins_a_trace(collector, header):
    """
    Without a caller's trace, or with a header that is not one, a new trace begins.
    """
    url, spans = collector
    otel = OtelSpans(url)
    with otel.request("assemble", header):
        assert otel.traceparent()
    otel.close()
    assert spans["assemble"].parent_span_id == b""
    assert spans["assemble"].trace_id != bytes(16)


def test_an_error_leaves_no_text_behind(collector):
    """
    A request that failed is told as failed without the exception's event; nothing of a value is sent by it.
    """
    url, spans = collector
    otel = OtelSpans(url)
    with pytest.raises(KeyError), otel.request("assemble", None):
        raise KeyError("S8421753F")
    otel.close()
    assert len(spans["assemble"].events) == 0
