"""What is seen of the work: spans and traces, that go on to whoever is called."""

import gzip
import threading

from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer

import httpx

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from adapters.policy.opa import OpaPolicyEngine
from adapters.sources.http import HttpSource
from gateway.bootstrap.gateway import running
from gateway.model import PackRequest, SourceEntry, Subject
from gateway.observability.observer import caller
from gateway.pipeline import Asked
from tests.support.clock import NOW
from tests.support.web import PARENT, TRACE


class Collector:
    """Takes spans over OTLP, as a collector would."""

    def __enter__(self):
        self.spans = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                message = ExportTraceServiceRequest.FromString(body)
                for resource in message.resource_spans:
                    for scope in resource.scope_spans:
                        collector.spans += scope.spans
                self.send_response(200)
                self.end_headers()

            def log_message(self, *args):
                """Say nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1/traces"
        return self

    def __exit__(self, *error):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


class TestSpans:
    async def test_a_span_for_each_stage(self, settings, small, subject):
        """
        Spans of all stages arrive at the collector below the caller's span, without any attribute of content.
        """
        with Collector() as collector:
            async with running(
                settings.model_copy(update={"otlp_endpoint": collector.url}), clock=lambda: NOW
            ) as gateway:
                token = caller.set(PARENT)
                await gateway.pipeline.assemble(
                    Asked(PackRequest.model_validate(small), Subject.model_validate(subject), NOW, TRACE)
                )
                caller.reset(token)
        names = {span.name for span in collector.spans}
        assert {"packs", "classify", "screen", "record", "seal"} <= names
        assert {TRACE} == {span.trace_id.hex() for span in collector.spans}
        [request] = [span for span in collector.spans if span.name == "packs"]
        assert request.parent_span_id.hex() == "b7ad6b7169203331"
        assert not any(span.attributes or span.events for span in collector.spans)

    async def test_the_trace_goes_on_to_sources(self, settings, small, subject):
        """
        Calls to sources carry the caller's traceparent on.
        """
        async with running(settings, clock=lambda: NOW) as gateway:
            seen = []
            client = httpx.AsyncClient(
                transport=httpx.MockTransport(
                    lambda request: seen.append(request.headers) or httpx.Response(200, json=[])
                ),
                event_hooks=gateway_client_hooks(gateway),
            )
            entry = SourceEntry(
                id="s",
                kind="http",
                location="http://source/",
                domains=("NPA",),
                sections=("entity",),
                critical=False,
                timeout_seconds=1,
            )
            token = caller.set(PARENT)
            await HttpSource(entry, client).fetch({}, None)
            caller.reset(token)
            assert seen[0]["traceparent"] == PARENT

    async def test_the_trace_goes_on_to_opa(self, settings, small, subject):
        """
        Questions to OPA carry the caller's traceparent on.
        """
        seen = []

        class Listening(BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["content-length"]))
                seen.append(self.headers["traceparent"])
                body = b'{"result": [{}]}'
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Listening)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        async with running(settings, clock=lambda: NOW) as gateway:
            engine = OpaPolicyEngine(
                f"http://127.0.0.1:{server.server_port}",
                revision="sha256:0",
                timeout_seconds=5,
                traceparent=gateway.pipeline.observer.traceparent,
            )
            await engine.start()
            token = caller.set(PARENT)
            await engine.evaluate("context/admit", [{}])
            caller.reset(token)
            await engine.close()
        server.shutdown()
        server.server_close()
        assert seen == [None, PARENT]


def gateway_client_hooks(gateway):
    from functools import partial

    from gateway.bootstrap.observing import traced

    return {"request": [partial(traced, gateway.pipeline.observer)]}
