"""Items from a service over HTTP."""

import asyncio
import json

import httpx
import pytest

from adapters.sources.http import HttpSource
from gateway.errors import (
    SourceMalformedError,
    SourceUnavailableError,
)
from gateway.model import SourceEntry

ITEM = {"id": "a", "section": "entity", "content": {"x": 1}}


def entry(kind, location, **changes):
    fields = {"domains": ["NPA"], "sections": ["entity"], "critical": True, "timeout_seconds": 1.0}
    return SourceEntry.model_validate({"id": "s", "kind": kind, "location": location, **fields, **changes})


class Endless(httpx.AsyncByteStream):
    """A body without an end."""

    async def __aiter__(self):
        while True:
            yield bytes(4_000)


class Stalled(httpx.AsyncByteStream):
    """A body that begins and does not go on."""

    async def __aiter__(self):
        yield b"["
        await asyncio.sleep(60)


class TestHttpSource:
    @staticmethod
    def source(answer):
        client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
        return HttpSource(entry("http", "http://source.test/items", timeout_seconds=0.5), client, most_bytes=10_000)

    async def test_filters_go_out_and_items_come_in(self):
        """
        The service is told policy's filters and the query, and answers with items.
        """

        def answer(request):
            assert json.loads(request.content) == {"filters": {"domain": "NPA"}, "query": "why"}
            return httpx.Response(200, json=[ITEM])

        assert [item.id for item in await self.source(answer).fetch({"domain": "NPA"}, "why")] == ["a"]

    @pytest.mark.parametrize(
        ("answer", "error"),
        [
            (lambda _: httpx.Response(500), SourceUnavailableError),
            (lambda _: httpx.Response(200, text="<html>"), SourceMalformedError),
            (lambda _: httpx.Response(200, json=[{"id": "a"}]), SourceMalformedError),
            (lambda _: httpx.Response(302, headers={"location": "http://evil.test/"}), SourceUnavailableError),
            (lambda _: httpx.Response(200, stream=Endless()), SourceMalformedError),
            (lambda _: httpx.Response(200, stream=Stalled()), SourceUnavailableError),
        ],
    )
    async def test_failures(self, answer, error):
        """
        An error status, a redirection and an answer that does not come in time are told apart from one that is not items, or too many.
        """
        with pytest.raises(error):
            await self.source(answer).fetch({}, None)
