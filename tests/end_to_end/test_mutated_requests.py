"""Thousands of requests that are nearly right, over HTTP: each gets an answer with a code, each refusal is on record."""

import json
import os
import re
import signal
import socket
import sys
import time

import pytest

from bench.common import request, signed
from bench.load import Server
from gateway.bootstrap.key_files import log_keys
from gateway.bootstrap.keys import development_issuer
from gateway.settings import HOME, Settings
from ledger.pin import HeadPin
from ledger.query import Filter
from ledger.sqlite.store import SqliteStore
from ledger.verify import verify
from tests.support.mutated_requests import Call, Mutations
from tools.loopback import free_port

SCOPES = (
    "packs:write rulings:write ledger:read ledger:export ledger:evidence policy:propose policy:activate erasure:write"
    " pii:detokenize citations:verify quarantine:review"
)
SHED = {"GW-157", "GW-600", "GW-602"}
"""What is refused for load is counted, not recorded."""

UNKNOWN = {"GW-101", "GW-102", "GW-103", "GW-104", "GW-105", "GW-106", "GW-109"}
"""Nobody is known whose refusal could be recorded."""

NO_CALL = re.compile("no route has|not HTTP/1.1|request line and the headers")
"""What is no call: no token was looked at."""


def calls(settings):
    """One call of every kind that is right, but for names of what does not exist."""
    body = signed(request(3, 200, 1), settings)
    revision = {"revision": "sha256:" + "0" * 64}
    question = {
        "subject": {"type": "user", "id": "bench"},
        "action": {"name": "risk_assessment"},
        "resource": {"type": "item", "id": "x", "properties": {"section": "knowledge", "source_type": "bank_sop"}},
        "context": {"agent_id": "RISK", "jurisdictions": ["SG"]},
    }
    claim = {"id": "c1", "text": "It is so.", "type": "fact", "citations": [{"doc_id": "source-1-1", "version": "1"}]}
    return [
        *(Call("POST", path, body) for path in ("/v1/packs",) * 7 + ("/v1/rulings",)),
        Call("POST", "/v1/policy/propose", {"files": {"context/jurisdiction/data.yaml": "group_wide: GLOBAL"}}),
        Call("POST", "/v1/citations/verify", {"pack": {"id": "pack_0"}, "claims": [claim]}),
        Call("POST", "/access/v1/evaluation", question),
        Call("POST", "/access/v1/evaluations", {**question, "evaluations": [{"action": {"name": "routing"}}]}),
        Call("POST", "/v1/detokenize", {"tokens": ["<PERSON:0123456789abcdef>"], "purpose": "counterparty_review"}),
        Call("POST", "/v1/ledger/erasures", {"subject": "nobody", "basis": "asked"}),
        *(Call("POST", f"/v1/ledger/erasures/ERQ-0123456789abcdef/{step}", {}) for step in ("approve", "withdraw")),
        *(Call("POST", f"/v1/policy/{act}", revision) for act in ("simulate", "activate", "rollback", "shadow")),
        *(
            Call("GET", f"/v1/{path}")
            for path in (
                "packs/pack_0",
                "artifacts/x",
                "evidence/x",
                "ledger/records?limit=3&kind=item.ruled",
                "ledger/records/x",
                "ledger/records/x/proof",
                "ledger/stats?by=outcome",
                "traces/0af7651916cd43dd8448eb211c80319c",
                "citations/scores?agent=RISK",
                "policy",
            )
        ),
        *(
            Call("GET", path)
            for path in ("/healthz", "/readyz", "/metrics", "/checkpoint", "/tile/0/000.p/1", "/docs", "/openapi.json")
        ),
    ]


def asked(port, sent):
    """
    The answer to some bytes: status and document.

    Whoever sends half of something ends it, as a client that is gone does, and still reads.
    """
    with socket.create_connection(("127.0.0.1", port), timeout=90) as client:
        try:
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
        except (ConnectionError, OSError):
            # Answered before all was sent.
            pass
        said = b""
        try:
            while piece := client.recv(65536):
                said += piece
        except ConnectionResetError:
            pass
    assert said, "the connection ended without an answer"
    while said.startswith(b"HTTP/1.1 100 "):
        said = said.partition(b"\r\n\r\n")[2]
    head, _, body = said.partition(b"\r\n\r\n")
    status = int(head.split()[1])
    kind = b"application/problem+json" in head.lower()
    assert status < 400 or kind or sent.startswith(b"HEAD"), head
    return status, json.JSONDecoder().raw_decode(body.decode())[0] if kind and body else {}


@pytest.mark.parametrize("count", [600, pytest.param(20_000, marks=pytest.mark.soak)])
def test_whatever_comes_is_answered(tmp_path, count):
    """
    No request ends without an answer or with another failure than a deadline of its own; every refusal of a known caller
    is on record, nothing crashed, and the ledger verifies.
    """
    port, state = free_port(), tmp_path / "state"
    chosen = Settings(state_dir=state)
    claims = json.loads((HOME / "examples/npa-risk/subject.json").read_text()) | {"agents": ["RISK"], "scope": SCOPES}
    given = {"iss": chosen.jwt_issuer, "aud": chosen.jwt_audience, "exp": int(time.time()) + 7200}
    token = development_issuer(chosen).token({**claims, **given})
    command = [sys.executable, "-c", "from gateway.cli import main; main()", "serve", "--port", str(port)]
    environment = {"PYTHONPATH": str(HOME), "CTXGATE_STATE_DIR": str(state), "CTXGATE_DETECTOR_WORKERS": "0"}
    server = Server(command, tmp_path, port, "/readyz", **environment)
    drawn, failures, refused = Mutations(calls(chosen), token, 11), [], 0
    try:
        for number in range(count):
            sent = drawn.draw()
            try:
                status, document = asked(port, sent)
            except AssertionError as error:
                failures.append((number, str(error), sent[:300]))
                continue
            code = document.get("code")
            if status >= 500 and code != "GW-601":
                failures.append((number, status, document, sent[:300]))
            known = code and code not in SHED | UNKNOWN and not NO_CALL.search(document["detail"])
            refused += sent.count(b" HTTP/1.1\r\n") == 1 and bool(known)
    finally:
        os.kill(server.process.pid, signal.SIGTERM)
        server.process.wait(60)
        server.stop()
    assert not failures, f"{len(failures)}: {failures[:5]}"
    assert '"crashed"' not in (tmp_path / f"{port}.log").read_text()
    store = SqliteStore(state / "ledger.sqlite")
    verify(store, origin=chosen.origin, pin=HeadPin(chosen.pin).read(), keys=log_keys(chosen))
    on_record, after = 0, 0
    while after is not None:
        page = store.query(Filter(kind="request.opened", outcome="denied", after=after, limit=1000))
        on_record, after = on_record + len(page.records), page.next
    store.close()
    assert on_record >= refused > count / 10
