"""Connections of the server, byte by byte: whoever sends half of something gets an answer or is cut, and nobody else waits for it."""

import asyncio
import contextlib
import json
import socket

from functools import partial

import pytest
import uvicorn

from gateway.api.connection import GuardedConnection
from gateway.api.doors import Doors
from gateway.setting_groups import DoorSettings

HEADERS = [(b"content-type", b"application/json")]


async def app(scope, receive, send):
    """Answers 200 once the body is here; on `/early` before, on `/slow` when told, on `/much` with more than anybody reads."""
    if scope["path"] == "/slow":
        await scope["state"]["go"].wait()
    body = b""
    while scope["path"] != "/early":
        message = await receive()
        if message["type"] == "http.disconnect":
            scope["state"]["gone"].append(scope["path"])
            return
        body += message["body"]
        if not message["more_body"]:
            break
    answer = b"x" * 30_000_000 if scope["path"] == "/much" else scope["path"].encode() + b" %d" % len(body)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(answer))]})
    await send({"type": "http.response.body", "body": answer})


@contextlib.asynccontextmanager
async def serving(**limits):
    """A server with limits of its own: its port, its doors, and what the application was told."""
    given = {"head_seconds": 0.3, "idle_seconds": 0.3, "send_seconds": 0.3, "max_head_bytes": 4096, **limits}
    doors = Doors(DoorSettings(**given))
    config = uvicorn.Config(
        app,
        port=0,
        http=partial(GuardedConnection, doors),
        ws="none",
        lifespan="off",
        log_level="critical",
        timeout_keep_alive=1,
    )
    server = uvicorn.Server(config)
    server.capture_signals = contextlib.nullcontext
    state = {"go": asyncio.Event(), "gone": []}
    config.load()
    plain = config.loaded_app

    async def stated(scope, receive, send):
        await plain({**scope, "state": state}, receive, send)

    config.loaded_app = stated
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1], doors, state
    finally:
        state["go"].set()
        server.should_exit = server.force_exit = True
        await running


async def opened(port, address="127.0.0.1"):
    """A connection from an address of this machine."""
    client = socket.socket()
    client.setblocking(False)
    client.bind((address, 0))
    await asyncio.get_running_loop().sock_connect(client, ("127.0.0.1", port))
    return client


async def heard(port, *pieces, shut=False, address="127.0.0.1"):
    """All that a server says to some bytes until it closes; what it says is not lost, however it closes."""
    loop, said = asyncio.get_running_loop(), b""
    with contextlib.closing(await opened(port, address)) as client:
        for piece in pieces:
            with contextlib.suppress(ConnectionError):
                await loop.sock_sendall(client, piece)
            await asyncio.sleep(0.05 if len(pieces) > 1 else 0)
        if shut:
            client.shutdown(socket.SHUT_WR)
        while piece := await asyncio.wait_for(_received(loop, client), 10):
            said += piece
    return said


async def _received(loop, client):
    try:
        return await loop.sock_recv(client, 65536)
    except ConnectionResetError:
        return b""


def problem_in(heard):
    """Status and code of the one problem document in an answer."""
    head, _, body = heard.partition(b"\r\n\r\n")
    assert b"application/problem+json" in head, heard
    assert b"x-content-type-options: nosniff" in head
    document = json.loads(body)
    assert int(head.split()[1]) == document["status"]
    return document["status"], document["code"]


GET = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
POST = b"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n"
CHUNKED = b"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
NO_REQUEST = {
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01",
    "a method that is none": b"FROB / HTTP/1.1\r\n\r\n",
    "a tunnel": b"CONNECT a:443 HTTP/1.1\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "two lengths": b"POST /a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "a length and chunks": CHUNKED.replace(b"Host: x", b"Content-Length: 3") + b"0\r\n\r\n",
    "a chunk that is none": CHUNKED + b"zz\r\n",
    "a path beyond ASCII": "GET /é HTTP/1.1\r\n\r\n".encode(),
}
TOO_LARGE = {
    "a path": b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n",
    "a header": b"GET / HTTP/1.1\r\nX: " + b"a" * 9000 + b"\r\n\r\n",
    "headers": b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 2000 + b"\r\n",
}


@pytest.fixture
async def server():
    async with serving() as started:
        yield started


class TestWhatIsNoRequest:
    async def test_is_told_so(self, server):
        """
        Bytes that are no request get a problem document, and the connection ends.
        """
        for name, sent in NO_REQUEST.items():
            assert problem_in(await heard(server[0], sent)) == (400, "GW-110"), name

    async def test_too_large(self, server):
        """
        A request line and headers have a size, whole or not.
        """
        for name, sent in TOO_LARGE.items():
            assert problem_in(await heard(server[0], sent)) == (431, "GW-130"), name
            assert problem_in(await heard(server[0], sent[:3000], b"a" * 9000)) == (431, "GW-130"), name

    async def test_trailers_count(self, server):
        """
        What comes after the last chunk has the same size, and is no header of the request.
        """
        assert problem_in(await heard(server[0], CHUNKED + b"0\r\nA: b", b"a" * 5000, b"a")) == (431, "GW-130")
        assert b"/a 0" in await heard(server[0], CHUNKED + b"0\r\nA: b\r\n\r\n")

    async def test_half_of_one(self, server):
        """
        Who ends in the middle is told so, and the application hears that there is no more; who asked and listens gets the answer.
        """
        port, _, state = server
        assert problem_in(await heard(port, b"GET /a HT", shut=True)) == (400, "GW-110")
        assert problem_in(await heard(port, POST + b"abc", shut=True)) == (400, "GW-110")
        assert state["gone"] == ["/a"]
        assert b"/a 0" in await heard(port, GET, shut=True)

    async def test_after_a_whole_one(self, server):
        """
        Requests that are whole are answered, in order, before the bytes after them end the connection.
        """
        port, _, state = server
        slow = b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"
        asking = asyncio.create_task(heard(port, slow + GET + b"\x00\x01"))
        await asyncio.sleep(0.1)
        state["go"].set()
        said = await asking
        assert said.index(b"/slow 0") < said.index(b"/a 0")
        assert b"400" not in said

    async def test_another_protocol_is_asked_for(self, server):
        """
        A request that would be another protocol is answered once, and what follows its headers is not read.
        """
        upgrade = b"Connection: upgrade\r\nUpgrade: websocket\r\n"
        assert b"/a 0" in await heard(server[0], GET.replace(b"Host: x\r\n", upgrade) + b"\x81\x05hello")
        said = await heard(server[0], POST.replace(b"Host: x\r\n", upgrade) + GET)
        assert said.count(b"HTTP/1.1") == said.count(b"/a 0") == 1


class TestWhoIsSlow:
    async def test_with_the_headers(self, server):
        """
        Headers that do not become whole in time are answered 408, also when a byte comes now and then.
        """
        port, doors, _ = server
        assert problem_in(await heard(port, b"G", b"ET", b" /a")) == (408, "GW-156")
        drip = asyncio.gather(*(heard(port, b"GET /a HTTP/1.1\r\nX: ", *(b"a" for _ in range(12))) for _ in range(3)))
        assert {problem_in(said) for said in await drip} == {(408, "GW-156")}
        assert doors.counts["slow"] == 4
        assert doors.connections == 0

    async def test_with_nothing(self, server):
        """
        A connection on which nothing is asked is closed without a word, also when it sends empty lines, and after a request.
        """
        assert await heard(server[0]) == b""
        assert await heard(server[0], *(b"\r\n" for _ in range(9))) == b""
        assert (await heard(server[0], GET)).endswith(b"/a 0")

    async def test_after_an_early_answer(self, server):
        """
        Who was answered before the body was read may send the rest, for a while, and reads the answer whenever that is done.
        """
        port, doors, _ = server
        early = POST.replace(b"/a", b"/early").replace(b": 10", b": 3000000")
        assert (await heard(port, early + b"a" * 3_000_000)).endswith(b"/early 0")
        closing = early.replace(b"Host: x", b"Connection: close")
        assert (await heard(port, closing, b"a" * 2_999_999)).endswith(b"/early 0")
        assert (await heard(port, early, *(b"a" for _ in range(16)))).endswith(b"/early 0")
        assert doors.connections == 0

    async def test_with_the_answer(self, server):
        """
        Who takes nothing of its answer is cut, and the answer is not kept for it.
        """
        port, doors, _ = server
        client = await opened(port)
        client.send(b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n")
        for _ in range(100):
            await asyncio.sleep(0.05)
            if not doors.connections + doors.ending:
                break
        assert doors.connections + doors.ending == 0
        client.close()


class TestTooMany:
    async def test_those_that_wait_give_way(self):
        """
        However many idle or half connections others hold, of few addresses, one more address is served at once.
        """
        async with serving(
            max_connections=30, max_connections_per_address=25, head_seconds=60, idle_seconds=60
        ) as server:
            port, doors, _ = server
            held = []
            for number in range(120):
                held.append(await opened(port, f"127.0.0.{2 + number % 3}"))
                held[-1].send(b"GET /a HT" if number % 2 else b"")
            assert b"/a 0" in await heard(port, GET.replace(b"Host: x", b"Connection: close"), address="127.0.0.9")
            assert doors.connections <= 31
            assert doors.counts["gave_way"] >= 30
            assert doors.counts["refused"] == 0
            for client in held:
                client.close()

    async def test_an_address_waits_behind_itself(self):
        """
        Beyond its number a connection of an address is not read until one of them ends; then it is served like any other.
        """
        async with serving(max_connections_per_address=3, head_seconds=60) as (port, _, _):
            held = [await opened(port, "127.0.0.2") for _ in range(3)]
            late = asyncio.create_task(heard(port, GET.replace(b"Host: x", b"Connection: close"), address="127.0.0.2"))
            await asyncio.sleep(0.1)
            assert not late.done()
            assert b"/a 0" in await heard(port, GET.replace(b"Host: x", b"Connection: close"))
            held[0].close()
            assert b"/a 0" in await late
            for client in held[1:]:
                client.close()

    async def test_those_that_work_do_not(self):
        """
        Where all connections have a request under way, one more hears that: 429 for an address, 503 for all.
        """
        async with serving(max_connections=8, max_connections_per_address=5) as (port, doors, state):
            slow = b"GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            working = [asyncio.create_task(heard(port, slow)) for _ in range(5)]
            await asyncio.sleep(0.2)
            assert problem_in(await heard(port, GET)) == (429, "GW-157")
            working += [asyncio.create_task(heard(port, slow, address="127.0.0.2")) for _ in range(3)]
            await asyncio.sleep(0.2)
            assert problem_in(await heard(port, GET, address="127.0.0.3")) == (503, "GW-600")
            state["go"].set()
            assert all(b"/slow 0" in said for said in await asyncio.gather(*working))
            assert doors.counts["refused"] == 2
