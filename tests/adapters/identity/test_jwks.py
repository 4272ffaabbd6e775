"""The trust layer's keys: cached, rotated, believed for a while when they cannot be had."""

import asyncio
import json

import httpx
import pytest

from adapters.identity.jwks import FetchedKeys, FixedKeys, file_keys, key_set
from gateway.errors import (
    ConfigurationError,
    KeysUnavailableError,
    TokenInvalidError,
)
from tests.support.clock import NOW
from tests.support.tokens import new_key, published, signed, verifier


class Server:
    """A JWK set that rotates, goes away and comes back."""

    def __init__(self, *keys):
        self.keys, self.up, self.asked, self.now = list(keys), True, 0, 0.0

    def answer(self, request):
        self.asked += 1
        return httpx.Response(200, json=published(*self.keys)) if self.up else httpx.Response(500)

    def fetched(self):
        client = httpx.AsyncClient(transport=httpx.MockTransport(self.answer))
        limits = {"refresh_seconds": 300, "stale_seconds": 3600, "unknown_seconds": 10}
        return FetchedKeys("http://trust/jwks", client, clock=lambda: self.now, **limits)


class TestFetchedKeys:
    async def test_keys_are_cached(self):
        """
        Many tokens cost one fetch; keys that are old are fetched anew, and nobody waits for that.
        """
        key = new_key("a")
        server = Server(key)
        tokens = verifier(server.fetched())
        for _ in range(20):
            await tokens.verify(signed(key), NOW)
        assert server.asked == 1
        server.now = 301
        await tokens.verify(signed(key), NOW)
        await asyncio.sleep(0)
        await tokens.verify(signed(key), NOW)
        assert server.asked == 2

    @pytest.mark.parametrize(
        "answer",
        [
            {"stream": httpx.ByteStream(b" " * 600_000)},
            {"content": b"[" * 100_000},
            {"status_code": 302, "headers": {"location": "http://evil.test/"}},
            {"content": b"[]"},
        ],
    )
    async def test_what_is_no_answer(self, answer):
        """
        A body that is too long or too deep, a redirection, and what is no key set are failures, after which the keys that were
        known go on serving.
        """
        key = new_key("a")
        server = Server(key)
        keys = server.fetched()
        assert await keys.keys("a")
        server.answer, server.now = lambda _: httpx.Response(**{"status_code": 200, **answer}), 20
        keys._client = httpx.AsyncClient(transport=httpx.MockTransport(server.answer))
        assert await keys.keys("unknown")
        assert keys.failures == 1

    async def test_rotation(self):
        """
        A key that is not known is looked for at once; the one that was withdrawn is believed no more.
        """
        old, new = new_key("a"), new_key("b")
        server = Server(old)
        tokens = verifier(server.fetched())
        await tokens.verify(signed(old), NOW)
        server.keys, server.now = [new], 20
        await tokens.verify(signed(new), NOW)
        with pytest.raises(TokenInvalidError):
            await tokens.verify(signed(old), NOW)

    async def test_unknown_keys_do_not_make_a_flood(self):
        """
        However many tokens name keys that nobody has, the keys are asked for no oftener than the limit.
        """
        key = new_key("a")
        server = Server(key)
        tokens = verifier(server.fetched())
        for second in range(60):
            server.now = float(second)
            for _ in range(5):
                with pytest.raises(TokenInvalidError):
                    await tokens.verify(signed(new_key(f"x{second}")), NOW)
        assert server.asked <= 7

    async def test_an_outage(self):
        """
        While the URL does not answer the known keys are believed for as long as the setting says, then nobody is.
        """
        key = new_key("a")
        server = Server(key)
        tokens = verifier(server.fetched())
        await tokens.verify(signed(key), NOW)
        server.up, server.now = False, 3599
        await tokens.verify(signed(key), NOW)
        server.now = 3700
        with pytest.raises(KeysUnavailableError):
            await tokens.verify(signed(key), NOW)
        server.up = True
        await tokens.verify(signed(key), NOW)

    async def test_without_keys(self):
        """
        What is not a JWK set is no keys.
        """
        server = Server()
        server.answer = lambda request: httpx.Response(200, json=[1])
        keys = server.fetched()
        with pytest.raises(KeysUnavailableError):
            await keys.keys(None)
        assert keys.failures == 1

    def test_keys_from_a_file(self, tmp_path):
        """
        Keys may come from a file; without them the gateway does not start.
        """
        (tmp_path / "jwks.json").write_text(json.dumps(published(new_key("a"))))
        file_keys(tmp_path / "jwks.json")
        (tmp_path / "bad.json").write_text('{"keys": [{"kty": "?"}]}')
        for name in ("none.json", "bad.json"):
            with pytest.raises(ConfigurationError):
                file_keys(tmp_path / name)


@pytest.mark.parametrize("document", [None, [], {}, {"keys": 7}, {"keys": [{}]}, {"keys": [{"kty": "EC"}]}, "x"])
def test_what_is_no_key_set(document):
    """
    A document that is not a JWK set is refused, whatever it is.
    """
    with pytest.raises(ConfigurationError, match="JWK set"):
        key_set(document)


async def test_many_who_wait_share_one_fetch():
    """
    Tokens that come at once, before the first keys are there, cost one fetch.
    """
    key = new_key("a")
    server = Server(key)
    keys = server.fetched()
    found = await asyncio.gather(*(keys.keys("a") for _ in range(20)))
    assert server.asked == 1
    assert {one.keys[0].kid for one in found} == {"a"}


async def test_fixed_keys_are_what_they_are():
    """
    Keys from a file are answered whichever is asked for.
    """
    keys = FixedKeys(key_set(published(new_key("a"), new_key("b"))))
    assert [key.kid for key in (await keys.keys("unknown")).keys] == ["a", "b"]
