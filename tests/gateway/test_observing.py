"""What is seen from outside: metrics, traces, spans; and that none of it holds content or fails a request."""

import gzip
import json
import logging
import re
import threading

from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer

import httpx
import pytest
import yaml

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from adapters.policy.opa import OpaPolicyEngine
from adapters.sources.http import HttpSource
from gateway.api.app import create_app
from gateway.bootstrap.gateway import running
from gateway.errors import AsideError
from gateway.model import PackRequest, SourceEntry, Subject
from gateway.observability.observer import caller
from gateway.pipeline import Asked
from gateway.settings import HOME
from tests.conftest import NOW

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"


def gateway_of(client):
    return client.app.state.gateway


@pytest.fixture
async def pack(client, token, small):
    headers = {"authorization": f"Bearer {token()}", "traceparent": PARENT}
    answer = await client.post("/v1/packs", content=json.dumps(small), headers=headers)
    assert answer.status_code == 200
    return answer.json()


class TestMetrics:
    async def test_the_rows_of_the_blueprint(self, client, pack):
        """
        After a pack the metrics of the pipeline are there, by call, stage, outcome and code, and by nothing of a tenant.
        """
        text = (await client.get("/metrics")).text
        for line in (
            'context_assembly_latency_seconds_count{call="packs",outcome="sealed"} 1.0',
            'context_stage_latency_seconds_count{stage="screen"} 1.0',
            'context_items_total{outcome="released"}',
            "context_budget_utilization_ratio_count 1.0",
            "ctxgate_ledger_entries",
            "ctxgate_working 0.0",
            "ctxgate_shed_total 0.0",
        ):
            assert line in text, line
        assert "gfm" not in text
        assert "sarah" not in text

    async def test_refusals_are_counted(self, client, post, small):
        """
        A request that is refused counts by its code.
        """
        await post("/v1/packs", {**small, "agent_id": "nobody"})
        text = (await client.get("/metrics")).text
        assert re.search(r'context_assembly_latency_seconds_count\{call="packs",outcome="GW-1\d\d"\} 1.0', text)

    async def test_alerts_ask_for_metrics_that_exist(self, client, pack):
        """
        Every metric that an alert, a recording rule or a panel names is one that the gateway gives, or a rule makes.
        """
        given = set(re.findall(r"^# TYPE (\w+)", (await client.get("/metrics")).text, re.MULTILINE))
        rules = [
            rule for group in yaml.safe_load((HOME / "ops/alerts.yml").read_text())["groups"] for rule in group["rules"]
        ]
        made = {rule["record"] for rule in rules if "record" in rule}
        panels = json.loads((HOME / "ops/grafana.json").read_text())["panels"]
        asked = [rule["expr"] for rule in rules] + [target["expr"] for one in panels for target in one["targets"]]
        words = {
            "sum",
            "by",
            "le",
            "rate",
            "increase",
            "histogram_quantile",
            "topk",
            "call",
            "outcome",
            "code",
            "stage",
        }
        for expression in asked:
            names = (
                set(re.findall(r"[a-z][a-z0-9_]{5,}", re.sub(r"\{.*?\}|\(le.*?\)|by \(.*?\)", "", expression))) - words
            )
            for name in names:
                plain = re.sub(r"_(bucket|count|sum|total)$", "", name)
                assert {name, plain, f"{plain}_total"} & (given | made) or plain.startswith("rag_retrieval"), (
                    name,
                    expression,
                )

    def test_alerts_have_thresholds(self):
        """
        Each alert says how grave it is and what it means; those of the blueprint name their target.
        """
        for group in yaml.safe_load((HOME / "ops/alerts.yml").read_text())["groups"]:
            for rule in group["rules"]:
                if "alert" in rule:
                    assert rule["labels"]["severity"] in {"warning", "critical"}
                    assert rule["annotations"]["summary"]
                    assert group["name"] != "context_pipeline" or rule["annotations"]["target"]


class TestTraces:
    async def test_the_blueprints_document(self, client, token, pack):
        """
        The trace of a request tells its stages and sources, to whoever may read the ledger of its tenant, and no content.
        """
        read = {"authorization": f"Bearer {token(scope='ledger:read')}"}
        [trace] = (await client.get(f"/v1/traces/{TRACE}", headers=read)).json()["traces"]
        assert (trace["trace_id"], trace["agent_id"], trace["pack_id"]) == (TRACE, "RISK", pack["id"])
        stages = {"classify", "scope", "gather", "admit", "screen", "recall", "release", "redact", "hold", "record"}
        assert stages | {"rank", "budget", "assemble", "seal"} <= set(trace["pipeline_stages"])
        assert all(one["duration_ms"] >= 0 for one in trace["pipeline_stages"].values())
        tokens = sum(one["tokens"] for one in trace["sources_used"])
        assert trace["context_package_size_tokens"] == tokens + trace["framing_tokens"]
        assert trace["user_id"] != "sarah.lim"
        for section in pack["sections"]:
            for item in section["items"]:
                assert str(item["content"])[:60] not in json.dumps(trace)
        other = {"authorization": f"Bearer {token(scope='ledger:read', tenant='other')}"}
        assert (await client.get(f"/v1/traces/{TRACE}", headers=other)).status_code == 404
        nobody = {"authorization": f"Bearer {token()}"}
        assert (await client.get(f"/v1/traces/{TRACE}", headers=nobody)).status_code == 403

    async def test_a_table_that_fails_fails_no_request(self, client, post, small, monkeypatch):
        """
        Traces that cannot be kept are counted as lost, and the pack is handed over.
        """

        def fail(statement, rows):
            raise AsideError("gone")

        monkeypatch.setattr(gateway_of(client).traces._rows, "write", fail)
        assert (await post("/v1/packs", small)).status_code == 200
        await gateway_of(client).traces.settle()
        assert "ctxgate_traces_lost_total 1.0" in (await client.get("/metrics")).text


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
                body = b'{"result": []}'
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

    from gateway.bootstrap.gateway import _traced

    return {"request": [partial(_traced, gateway.pipeline.observer)]}


SECRETS = ("S1234567D", "4111111111111111", "correct horse battery", "ignore all previous instructions")


async def test_no_output_holds_a_planted_secret(settings, token, small, capfd, caplog):
    """
    Logs, metrics, traces, problems and the state folder hold no planted value, whatever happens to the items that hold it.
    """
    from gateway.observability.logs import set_up_logs

    set_up_logs(__import__("sys").stderr)
    caplog.set_level(logging.DEBUG)
    app = create_app(settings, clock=lambda: NOW)
    for item, secret in zip(small["items"], SECRETS, strict=True):
        item["content"] = f"Note: {secret}."
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://ctxgate") as http:
            bearer = {"authorization": f"Bearer {token()}", "traceparent": PARENT}
            seen = []
            for body in (
                small,
                {**small, "items": [{**small["items"][0], "section": SECRETS[2]}]},
                {**small, "model": SECRETS[0]},
            ):
                answer = await http.post("/v1/packs", content=json.dumps(body), headers=bearer)
                seen.append(answer.text if answer.status_code != 200 else "")
            seen.append((await http.get("/metrics")).text)
            read = {"authorization": f"Bearer {token(scope='ledger:read')}"}
            seen += [
                (await http.get(path, headers=read)).text for path in (f"/v1/traces/{TRACE}", "/v1/ledger/records")
            ]
    captured = capfd.readouterr()
    seen += [captured.out, captured.err, caplog.text]
    stored = b"".join(path.read_bytes() for path in settings.state_dir.rglob("*") if path.is_file())
    for secret in SECRETS:
        assert secret not in "\n".join(seen)
        assert secret.encode() not in stored
    assert '"path": "/v1/packs"' in captured.err
