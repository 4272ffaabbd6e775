"""Bundles from a bundle server, over a real connection."""

import asyncio
import hashlib

from contextlib import asynccontextmanager

import httpx
import pytest

from cryptography.hazmat.primitives.asymmetric import ec

from gateway.bootstrap.gateway import running
from gateway.bootstrap.policies import build_archive
from gateway.bootstrap.poller import BundlePoller
from gateway.errors import ConfigurationError
from gateway.policy.bundle import bundle_of
from tests.support.bundles import SHIPPED, WEB_FOR_RISK, files, repacked, spoil_rule, write_keys
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
    for _ in range(200):
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
    server.archive = build_archive(SHIPPED, keys[0])
    async with server.running() as url:
        chosen = settings.model_copy(
            update={"policies_url": url, "policies_key": keys[1], "policies_poll_seconds": 0.03}
        )
        async with running(chosen) as gateway:

            def active():
                return gateway.switching.version.revision

            await until(lambda: 304 in server.answers)
            assert active() == SHIPPED.revision
            server.archive = build_archive(OTHER, keys[0])
            await until(lambda: active() == OTHER.revision)
            for bad in (
                build_archive(SHIPPED, None),
                repacked(build_archive(SHIPPED, keys[0]), spoil_rule),
                build_archive(UNSAFE, keys[0]),
            ):
                before = len(records(gateway, kind="bundle.rejected"))
                server.archive = bad
                await until(lambda: len(records(gateway, kind="bundle.rejected")) > before)  # noqa: B023 - awaited here
                await asyncio.sleep(0.1)
                assert len(records(gateway, kind="bundle.rejected")) == before + 1
                assert active() == OTHER.revision
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
        await asyncio.sleep(0.1)
        assert gateway.switching.version.revision == SHIPPED.revision


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
