"""The HTTP API from outside: what an answer must be, and how tests look behind it."""

from tests.support.oracle import records


def gateway_of(client):
    """The running gateway behind the client of `tests/conftest.py`."""
    return client.app.state.gateway


def is_problem(response, status, code):
    """The problem document (RFC 9457) of an answer, once its status and code are the expected ones."""
    assert response.headers["content-type"] == "application/problem+json"
    document = response.json()
    assert (status, code) == (response.status_code, document["code"])
    assert {"type", "title", "status", "code", "detail", "instance", "trace_id"} <= set(document)
    return document


AUDITOR = "ledger:read"
"""The scope of whoever reads the ledger of a tenant."""

TRACE = "0af7651916cd43dd8448eb211c80319c"

PARENT = f"00-{TRACE}-b7ad6b7169203331-01"
"""A W3C traceparent header, of the trace `TRACE`."""


def refusals(client):
    """Codes and outcome of every request that is on record as refused or taken up."""
    return [(one.codes, one.outcome) for one in records(gateway_of(client), kind="request.opened")]


def server_of(client):
    """What serves calls: its queue and its rates may be replaced."""
    return client.app.state.server


async def web_outcome(post, story):
    """What becomes of the article from the web, which the shipped policies deny for this purpose."""
    answer = await post("/v1/packs", story("npa-risk", "request"), scope="packs:write ledger:read")
    assert answer.status_code == 200, answer.text
    [ruling] = [r for r in answer.json()["rulings"] if r["item_id"] == "web-article"]
    return ruling["outcome"]
