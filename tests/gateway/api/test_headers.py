"""Headers that every answer carries."""

import pytest

from gateway.api.headers import SecurityHeaders


async def answered(path="/x", kind="http", headers=()):
    """The headers of an answer that the application gives with some of its own."""
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": list(headers)})
        await send({"type": "http.response.body", "body": b"x"})

    async def send(message):
        sent.append(message)

    await SecurityHeaders(app)({"type": kind, "path": path}, None, send)
    return dict(sent[0]["headers"])


async def test_nothing_for_a_browser_to_guess_frame_or_keep():
    """
    Every answer forbids guessing its type, framing it, running anything in it and keeping it.
    """
    headers = await answered()
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"x-frame-options"] == b"DENY"
    assert headers[b"content-security-policy"].startswith(b"default-src 'none'")
    assert headers[b"cache-control"] == b"no-store"


@pytest.mark.parametrize("name", [b"cache-control", b"Cache-Control"])
async def test_an_answer_that_may_be_kept_says_so(name):
    """
    What a route says of caching holds, however it is spelled: tiles are immutable.
    """
    headers = await answered(headers=[(name, b"public, immutable")])
    assert [value for key, value in headers.items() if key.lower() == b"cache-control"] == [b"public, immutable"]


async def test_a_page_may_say_what_it_loads():
    """
    A policy of a route's own holds in place of the one that forbids everything, and no path is without one.
    """
    said = (b"content-security-policy", b"default-src 'self'")
    assert (await answered(headers=[said]))[said[0]] == said[1]
    for path in ("/docs", "/redoc", "/openapi.json"):
        assert b"x-frame-options" in await answered(path)
        assert said[0] in await answered(path)


async def test_what_is_not_http_passes():
    """
    A lifespan event goes through as it is.
    """
    assert await answered(kind="lifespan") == {}
