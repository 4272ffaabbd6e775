"""Whatever happens in the application, there is an answer, and the refusal of a known caller is on record."""

import asyncio

from tests.support.oracle import check_ledger
from tests.support.web import gateway_of, is_problem, refusals, server_of


class Panic(BaseException):
    """What a compiled library raises where it gives up."""


async def cancelled():
    """A future of somebody else's work that is cancelled with it."""
    future = asyncio.get_running_loop().create_future()
    future.cancel()
    await future


def raising(error):
    async def act():
        raise error

    return act


ENDS = {
    "another's work is cancelled": cancelled,
    "a library panics": raising(Panic("S8421753F")),
    "several things fail": raising(BaseExceptionGroup("S8421753F", [Panic(), ValueError()])),
    "somebody leaves the process": raising(SystemExit("S8421753F")),
    "an interrupt": raising(KeyboardInterrupt("S8421753F")),
    "a plain mistake": raising(ZeroDivisionError("S8421753F")),
}


async def test_every_end_is_a_problem_on_record(client, post, small, monkeypatch):
    """
    A request that ends in whatever way is answered with a code and its headers, put on record once, and leaves nothing counted.
    """

    server = server_of(client)
    for count, (name, end) in enumerate(ENDS.items(), 1):
        monkeypatch.setattr(type(gateway_of(client).pipeline), "assemble", lambda *_, end=end: end())
        answer = await post("/v1/packs", small)
        is_problem(answer, 500, "GW-000")
        assert answer.headers["x-content-type-options"] == "nosniff", name
        assert "S8421753F" not in answer.text, name
        assert refusals(client) == [(("GW-000",), "denied")] * count, name
        assert (server.queue.working, server.open.count, server.open.held_bytes) == (0, 0, 0), name
    check_ledger(gateway_of(client))


async def test_the_end_of_the_drain_is_said(client, post, small, monkeypatch):
    """
    A request that is ended because the gateway stops hears that its time is over, which is on record.
    """

    async def ends(*_):
        asyncio.current_task().cancel()
        await asyncio.sleep(60)

    monkeypatch.setattr(type(gateway_of(client).pipeline), "assemble", ends)
    is_problem(await asyncio.create_task(post("/v1/packs", small)), 504, "GW-601")
    assert refusals(client) == [(("GW-601",), "denied")]


async def test_a_refusal_that_cannot_be_recorded_is_said(client, post, small, monkeypatch):
    """
    Where a failure cannot be put on record the caller hears of that, in the same form.
    """

    async def ends(*_):
        raise Panic

    monkeypatch.setattr(type(gateway_of(client).pipeline), "assemble", ends)
    monkeypatch.setattr(type(gateway_of(client).recorder), "append", ends)
    monkeypatch.setattr(type(gateway_of(client).recorder), "subject_token", lambda *_: 1 / 0)
    is_problem(await post("/v1/packs", small), 503, "GW-400")


async def test_no_host_of_the_caller_comes_back(client):
    """
    A path with a slash too many is no path: nobody is sent to the host that a request named; another method is a problem too.
    """
    for path in ("/healthz/", "/v1/packs/", "/v1/policy//", "/docs/"):
        answer = await client.get(path, headers={"host": "evil.example"})
        assert answer.status_code in {404, 405}, path
        assert "location" not in answer.headers
        assert "evil" not in answer.text
    for method in ("HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE"):
        answer = await client.request(method, "/v1/packs")
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        assert method == "HEAD" or answer.json()["code"] == "GW-170"
