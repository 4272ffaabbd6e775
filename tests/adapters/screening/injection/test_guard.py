"""An external guard: asked, answering, failing, slow."""

import json

import httpx
import pytest

from adapters.screening.injection.guard import GuardDetector
from gateway.errors import DetectorTimeoutError, DetectorUnavailableError
from gateway.model.screening import Leaf


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
