"""Both clients: what they hand over, what they raise, and when they send again."""

import asyncio
import json

import httpx
import pytest

from ctxgate_client import AsyncClient, Citation, Claim, Client, PackRequest, ProblemError, Retries, UnansweredError

ASKED = PackRequest(agent_id="RISK", purpose="general_research")
RULED = {
    "id": "pack_1",
    "created_at": "2026-03-01T00:00:00Z",
    "request": {"request_id": "r-1"},
    "policy": {"revision": "sha256:1"},
    "rulings": [],
    "withheld": {"count": 0, "codes": {}},
}


def problem(status, code, *, retryable, **headers):
    document = {
        "type": f"urn:ctxgate:error:{code}",
        "title": "t",
        "status": status,
        "code": code,
        "detail": "d",
        "remedy": "r",
        "instance": "/v1/rulings",
        "retryable": retryable,
        "reasons": ["SCP-006"],
        "errors": [{"field": "agent_id", "message": "m"}],
    }
    headers = {"content-type": "application/problem+json", **headers}
    return httpx.Response(status, content=json.dumps(document), headers=headers)


class Server:
    """Answers in the order given; the last one again and again."""

    def __init__(self, *answers):
        self.answers, self.seen = list(answers), []

    def __call__(self, request):
        self.seen.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        # A response is read once, by the client for whose kind it was made.
        return httpx.Response(answer.status_code, headers=answer.headers, content=answer.content)


@pytest.fixture(params=["waits", "is awaited"])
def asking(request):
    """Asks a server for one call, as either client."""

    def ask(server, call="rulings", *arguments, most=2, token=str, **more):
        retries, transport = Retries(most=most, first_pause=0.0), httpx.MockTransport(server)
        if request.param == "waits":
            with Client("http://gateway", token, retries=retries, transport=transport) as client:
                return getattr(client, call)(*arguments, **more)

        async def awaited():
            async with AsyncClient("http://gateway", token, retries=retries, transport=transport) as client:
                return await getattr(client, call)(*arguments, **more)

        return asyncio.run(awaited())

    return ask


def test_a_refusal(asking):
    """
    A problem is raised with its code, its fields, its reasons and its trace, and a call that cannot succeed is sent once.
    """
    server = Server(problem(403, "GW-143", retryable=False))
    with pytest.raises(ProblemError) as raised:
        asking(server, "rulings", ASKED)
    error = raised.value
    assert (error.code, error.status, error.retryable, error.reasons) == ("GW-143", 403, False, ("SCP-006",))
    assert error.errors[0].field == "agent_id"
    assert error.trace_id == server.seen[0].headers["traceparent"].split("-")[1]
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "first", [problem(503, "GW-400", retryable=True), httpx.ConnectError("no"), httpx.ReadTimeout("slow")]
)
def test_what_may_succeed_later_is_sent_again(asking, first):
    """
    A call whose code says so, or that nobody answered, is sent again under the same key and the same trace.
    """
    server = Server(first, httpx.Response(200, json=RULED))
    assert asking(server, "rulings", ASKED).request_id == "r-1"
    keys, traces, bodies = zip(
        *((one.headers["idempotency-key"], one.headers["traceparent"][3:35], one.content) for one in server.seen),
        strict=True,
    )
    assert len(server.seen) == 2
    assert len({*keys}) == len({*traces}) == len({*bodies}) == 1


def test_not_for_ever(asking):
    """
    After as many tries as were asked for, the last refusal is raised.
    """
    server = Server(problem(503, "GW-400", retryable=True))
    with pytest.raises(ProblemError):
        asking(server, "rulings", ASKED, most=3)
    assert len(server.seen) == 4


def test_a_call_without_a_key_is_not_done_twice(asking):
    """
    A check of citations that nobody answered may have been done, so it is not sent again.
    """
    server = Server(httpx.ReadTimeout("slow"))
    pack = {**RULED, "model": "gpt-4o", "sections": [], "warnings": [{"code": "X"}]}
    answer = asking(Server(httpx.Response(200, json=pack)), "pack", ASKED)
    with pytest.raises(UnansweredError):
        asking(server, "verify_citations", answer, [Claim(id="c", text="t", citations=(Citation(item_id="a"),))])
    [sent] = server.seen
    assert json.loads(sent.content)["pack"] == {**pack, "receipt": None, "messages": None}
    assert "idempotency-key" not in sent.headers


@pytest.mark.parametrize(
    ("answer", "tries"),
    [
        (httpx.Response(502, text="<html>"), 3),
        (httpx.Response(404, text="<html>"), 1),
        (httpx.Response(200, text="<html>"), 1),
        (httpx.Response(200, json={}), 1),
        (httpx.Response(503, headers={"content-type": "application/problem+json"}, text="{}"), 3),
    ],
)
def test_what_is_no_gateway(asking, answer, tries):
    """
    What something else answers is never taken for an answer, and only what may pass is asked for again.
    """
    server = Server(answer)
    with pytest.raises(UnansweredError):
        asking(server, "catalog")
    assert len(server.seen) == tries


def test_tokens_are_renewed(asking):
    """
    A token may be what gives one, and is asked for before each try.
    """
    tokens = iter(["first", "second"])
    server = Server(problem(503, "GW-400", retryable=True), httpx.Response(200, json=RULED))
    asking(server, "rulings", ASKED, token=lambda: next(tokens))
    assert [one.headers["authorization"] for one in server.seen] == ["Bearer first", "Bearer second"]


def test_patience():
    """
    A pause is never shorter than the gateway asks for, never longer than half a minute, and grows.
    """
    retries, later = Retries(first_pause=1.0), httpx.Response(503, headers={"retry-after": "7"})
    assert retries.pause(1, later) >= 7
    assert retries.pause(1, httpx.Response(503, headers={"retry-after": "9" * 400})) == 30
    assert retries.pause(20, None) == 30
    assert 0.5 <= retries.pause(1, httpx.Response(503, headers={"retry-after": "Mon, 1 Jan"})) < 1
    assert 1 <= retries.pause(2, None) < 2
