"""No output holds content."""

import io
import json
import logging
import sys

import httpx
import structlog

from gateway.api.app import create_app
from gateway.observability.logs import set_up_logs
from tests.support.clock import NOW
from tests.support.web import PARENT, TRACE

SECRETS = ("S1234567D", "4111111111111111", "correct horse battery", "ignore all previous instructions")


async def test_no_output_holds_a_planted_secret(settings, token, small, capfd, caplog):
    """
    Logs, metrics, traces, problems and the state folder hold no planted value, whatever happens to the items that hold it.
    """
    set_up_logs(sys.stderr)
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


def test_a_line_is_an_object():
    """
    Each event is one JSON object on a line of its own, with level and time in UTC, whatever stands in its values.
    """
    out = io.StringIO()
    set_up_logs(out)
    structlog.get_logger().warning("refused", code="GW-101", detail="two\nlines")
    [line] = out.getvalue().splitlines()
    event = json.loads(line)
    assert (event["event"], event["level"], event["code"], event["detail"]) == (
        "refused",
        "warning",
        "GW-101",
        "two\nlines",
    )
    assert event["timestamp"].endswith("Z")
