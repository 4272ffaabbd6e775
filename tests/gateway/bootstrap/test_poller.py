"""Bundles from a bundle server, over a real connection."""

import asyncio
import hashlib
import io
import tarfile

from contextlib import asynccontextmanager

import httpx
import pytest

from cryptography.hazmat.primitives.asymmetric import ec

from gateway.bootstrap.gateway import running
from gateway.bootstrap.policies import build_archive
from gateway.bootstrap.poller import BundlePoller
from gateway.errors import ConfigurationError, RecordError
from gateway.model import Subject
from gateway.policy.bundle import bundle_of
from tests.support.bundles import SHIPPED, WEB_FOR_RISK, files, numbered, repacked, spoil_rule, write_keys
from tests.support.oracle import check_ledger, records

OTHER = bundle_of({name: text.encode() for name, text in files(WEB_FOR_RISK).items()})


UNSAFE = bundle_of(
    {
        name: text.encode()
        + (b"\nby_kind[kind] contains 1 if some kind in input.kinds\n" if name.endswith("trust.rego") else b"")
        for name, text in files().items()
    }
)


@pytest.fixture
def keys(tmp_path):
    return write_keys(tmp_path, ec.generate_private_key(ec.SECP256R1()), "bundle")


def linked():
    """An unsigned archive with a symbolic link in it."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        link = tarfile.TarInfo("a.rego")
        link.type, link.linkname = tarfile.SYMTYPE, "b.rego"
        archive.addfile(link)
    return packed.getvalue()


class Server:
    """Serves one archive, with its ETag."""

    def __init__(self):
        self.archive = b""
        self.answers = []

    async def serve(self, reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                etag = f'"{hashlib.sha256(self.archive).hexdigest()}"'
                known = etag.encode() in head
                self.answers.append(304 if known else 200)
                status, body = ("304 Not Modified", b"") if known else ("200 OK", self.archive)
                head = f"HTTP/1.1 {status}\r\netag: {etag}\r\ncontent-length: {len(body)}\r\n\r\n"
                writer.write(head.encode() + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    @asynccontextmanager
    async def running(self):
        listening = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        try:
            yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/bundle.tar.gz"
        finally:
            listening.close()


async def until(condition):
    for _ in range(1500):
        if condition():
            return
        await asyncio.sleep(0.02)
    pytest.fail("it did not happen")


async def test_a_newer_bundle_is_adopted_and_a_bad_one_refused(settings, keys):
    """
    A signed bundle decides from the next request on; unsigned, changed and unsafe ones are refused on record, once
    each, and the last good one stays; an unchanged one is not sent again.
    """
    server = Server()
    server.archive = build_archive(SHIPPED, keys[0], numbered(10))
    async with server.running() as url:
        chosen = settings.model_copy(
            update={"policies_url": url, "policies_key": keys[1], "policies_poll_seconds": 0.03}
        )
        async with running(chosen) as gateway:

            def active():
                return gateway.switching.version.revision

            await until(lambda: 304 in server.answers)
            assert active() == SHIPPED.revision
            server.archive = build_archive(OTHER, keys[0], numbered(11))
            await until(lambda: active() == OTHER.revision)
            for bad, code in (
                (build_archive(SHIPPED, None, numbered(12)), "GW-203"),
                (repacked(build_archive(SHIPPED, keys[0], numbered(12)), spoil_rule), "GW-203"),
                (build_archive(UNSAFE, keys[0], numbered(12)), "GW-203"),
                (build_archive(SHIPPED, keys[0], numbered(10)), "GW-205"),
                (build_archive(SHIPPED, keys[0], numbered(11)), "GW-205"),
                (build_archive(SHIPPED, keys[0]), "GW-205"),
                (build_archive(SHIPPED, keys[0], numbered(12, "2020-01-01T00:00:00Z")), "GW-206"),
                (linked(), "GW-203"),
            ):
                before = len(records(gateway, kind="bundle.rejected"))
                server.archive = bad
                await until(lambda: len(records(gateway, kind="bundle.rejected")) > before)  # noqa: B023 - awaited here
                await asyncio.sleep(0.1)
                assert len(records(gateway, kind="bundle.rejected")) == before + 1
                assert active() == OTHER.revision
                assert records(gateway, kind="bundle.rejected")[-1].codes == (code,)
            [started, adopted] = records(gateway, kind="bundle.activated")
            assert (adopted.policy.revision, adopted.codes, adopted.tenant) == (OTHER.revision, ("FETCHED",), "-")
            assert (started.policy.revision, started.codes) == (SHIPPED.revision, ("STARTED",))
            check_ledger(gateway)


async def test_a_server_that_is_down_changes_nothing(settings, keys):
    """
    Without an answer the active bundle stays, and the next turn tries again.
    """
    chosen = settings.model_copy(
        update={"policies_url": "http://127.0.0.1:9/b", "policies_key": keys[1], "policies_poll_seconds": 0.02}
    )
    async with running(chosen) as gateway:
        await until(lambda: gateway.poller.late)
        assert gateway.switching.version.revision == SHIPPED.revision
        assert gateway.poller.failures >= 3


async def test_only_trusted_bundles_are_fetched(settings):
    """
    Without a key to trust, the gateway does not start to fetch.
    """
    with pytest.raises(ConfigurationError):
        async with running(settings.model_copy(update={"policies_url": "http://127.0.0.1:9/b"})):
            pass


async def test_a_status_that_is_an_error():
    """
    An error of the server is an error of the fetch.
    """

    async def nothing(_):
        pytest.fail("nothing was fetched")

    transport = httpx.MockTransport(lambda _: httpx.Response(500))
    async with httpx.AsyncClient(transport=transport) as client:
        poller = BundlePoller("http://b.test/b", client, read=bytes, adopt=nothing, refuse=nothing, seconds=1)
        with pytest.raises(httpx.HTTPStatusError):
            await poller.fetch()


async def test_officers_take_a_fetched_bundle_back_for_good(settings, keys, subject):
    """
    A fetched bundle that an officer rolled back stays so after a restart, and when it is only signed anew; a changed one decides.
    """
    server, officer = Server(), Subject.model_validate({**subject, "sub": "ben"})
    server.archive = build_archive(SHIPPED, keys[0], numbered(10))
    newer = build_archive(OTHER, keys[0], numbered(11))
    async with server.running() as url:
        chosen = settings.model_copy(
            update={"policies_url": url, "policies_key": keys[1], "policies_poll_seconds": 0.03}
        )
        async with running(chosen) as gateway:
            await until(lambda: gateway.freshness.again(SHIPPED.revision))
            server.archive = newer
            await until(lambda: gateway.switching.version.revision == OTHER.revision)
            await gateway.lifecycle.rollback(SHIPPED.revision, officer, gateway.clock())
        async with running(chosen) as gateway:
            for archive in (newer, build_archive(OTHER, keys[0], numbered(12, "2099-02-01T00:00:00Z"))):
                server.archive, server.answers[:] = archive, []
                await until(lambda: {200, 304} <= {*server.answers})
                assert gateway.switching.version.revision == SHIPPED.revision
            assert gateway.freshness.newest.numbering == numbered(12, "2099-02-01T00:00:00Z")
            assert not records(gateway, kind="bundle.rejected")


async def refused(error):
    """Where refusals go that no test looks at."""


def poller(answer, adopt, refuse=refused, read=bytes):
    client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    return BundlePoller("http://b.test/b", client, read=read, adopt=adopt, refuse=refuse, seconds=1)


async def test_whatever_happens_the_next_turn_comes():
    """
    No error of the server, of what it sends, of the checks or of the ledger ends the task; each is counted, and the turn after it
    asks again for what was not taken in.
    """
    asked, problems = [], [KeyError("x"), RecursionError(), MemoryError(), RecordError("full"), OSError()]

    def answer(request):
        asked.append(request.headers.get("if-none-match"))
        return httpx.Response(200, headers={"etag": '"1"'}, content=b"x")

    async def adopt(_):
        if problems:
            raise problems.pop(0)

    polled = poller(answer, adopt)
    for turn in range(1, 6):
        await polled.turn()
        assert (polled.failures, polled.late) == (turn, turn >= 3)
    await polled.turn()
    assert (polled.failures, polled.late) == (5, False)
    await polled.turn()
    assert asked == [None] * 6 + ['"1"']


async def test_what_cannot_be_read_is_refused_once():
    """
    An archive on which reading it breaks is a refusal like any other: on record, once, and not asked for again.
    """
    told = []

    async def refuse(error):
        told.append(error.code)

    def read(_):
        raise RecursionError

    async def nothing(_):
        pytest.fail("nothing was read")

    polled = poller(lambda _: httpx.Response(200, content=b"x"), nothing, refuse, read)
    await polled.turn()
    assert (told, polled.failures) == (["GW-203"], 0)


async def test_a_body_without_an_end_is_left():
    """
    A server that sends more than an archive may have changes nothing, and is a failure like another.
    """

    async def nothing(_):
        pytest.fail("nothing was fetched")

    class Endless(httpx.AsyncByteStream):
        async def __aiter__(self):
            while True:
                yield bytes(1_000_000)

    polled = poller(lambda _: httpx.Response(200, stream=Endless()), nothing)
    await polled.turn()
    assert polled.failures == 1
