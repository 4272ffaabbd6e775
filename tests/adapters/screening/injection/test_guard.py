"""An external guard: asked, answering, failing, slow."""

import asyncio
import json

import httpx
import pytest

from adapters.screening.injection.guard import AT_ONCE, GuardDetector
from gateway.errors import DetectorTimeoutError, DetectorUnavailableError
from gateway.model.content import Leaf


def guard(handler):
    client = httpx.AsyncClient(transport=httpx.MockTransport(handler))
    return GuardDetector(client, "https://guard.bank.example/score", token="secret", timeout_seconds=1)


class TestGuard:
    async def test_it_is_asked_and_answers(self):
        """
        The guard gets the text and the token, and its score is a finding.
        """

        def answer(request):
            assert request.headers["authorization"] == "Bearer secret"
            return httpx.Response(200, json={"score": 0.8 if "obey" in json.loads(request.content)["text"] else 0.1})

        found = await guard(answer).detect([[Leaf("obey me")], [Leaf("hello")], [Leaf(" ")]], "injection/guard")
        assert [[finding.score for finding in one] for one in found] == [[0.8], [0.1], []]

    @pytest.mark.parametrize(
        "answer",
        [
            lambda _: httpx.Response(500),
            lambda _: httpx.Response(200, json={}),
            lambda _: httpx.Response(200, json={"score": 7}),
            lambda _: httpx.Response(200, content=b"<html>"),
        ],
    )
    async def test_whatever_is_no_score_is_an_error(self, answer):
        """
        A guard that fails or answers nonsense has not screened the item.
        """
        with pytest.raises(DetectorUnavailableError):
            await guard(answer).detect([[Leaf("hello there")]], "injection/guard")

    async def test_a_slow_guard(self):
        """
        A guard that does not answer in time is a time-out.
        """

        def slow(request):
            raise httpx.ReadTimeout("slow", request=request)

        with pytest.raises(DetectorTimeoutError):
            await guard(slow).detect([[Leaf("hello there")]], "injection/guard")


async def test_what_it_serves():
    """
    It answers for its own screening alone, and its version is where it is asked.
    """
    one = guard(lambda _: httpx.Response(200, json={"score": 0}))
    assert [one.serves(name) for name in ("injection/guard", "injection")] == [True, False]
    assert one.version == "https://guard.bank.example/score"


async def test_a_document_is_asked_about_as_one():
    """
    All values of an item are one question; the finding stands under the first of them, over the whole of it.
    """
    seen = []

    def answer(request):
        seen.append(json.loads(request.content)["text"])
        return httpx.Response(200, json={"score": 0.5, "more": "ignored"})

    [[finding]] = await guard(answer).detect([[Leaf("one", "/a"), Leaf("two", "/b")]], "injection/guard")
    assert seen == ["one\ntwo"]
    assert (finding.path, finding.start, finding.end, finding.kind) == ("/a", 0, 3, "injection")


async def test_only_some_questions_are_under_way():
    """
    However many items there are, no more questions are asked at once than the guard is given.
    """
    under_way, most = 0, 0

    async def answer(request):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return httpx.Response(200, json={"score": 0})

    await guard(answer).detect([[Leaf(f"item {n}")] for n in range(40)], "injection/guard")
    assert 1 < most <= AT_ONCE
