"""What a server says, less what the gateway has no use for."""

import anyio
import pytest

from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from adapters.sources.mcp.sieve import MOST_MESSAGES, Sieve

ANSWER = SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=1, result={}))
REQUEST = SessionMessage(JSONRPCRequest(jsonrpc="2.0", id="a", method="roots/list"))
NOISE = SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="notifications/message", params={}))
CHANGED = SessionMessage(JSONRPCNotification(jsonrpc="2.0", method="notifications/tools/list_changed"))


def sieve(*messages):
    """One before these messages, and what it tells of."""
    send, receive = anyio.create_memory_object_stream(len(messages))
    for one in messages:
        send.send_nowait(one)
    send.close()
    told = []
    return Sieve(receive, "npa", told.append), told


async def heard(one):
    """Everything that gets in."""
    async with one:
        return [said async for said in one]


class TestSieve:
    async def test_answers_and_requests_get_in(self):
        """
        What is no answer and no request is left out, but for the word that tools have changed.
        """
        one, told = sieve(NOISE, ANSWER, ValueError("junk"), REQUEST, NOISE)
        assert await heard(one) == [ANSWER, REQUEST]
        assert (one.changed, one.over.is_set(), told) == (False, True, [])
        one, _ = sieve(CHANGED, ANSWER)
        assert await heard(one) == [ANSWER]
        assert one.changed

    @pytest.mark.parametrize("noise", [NOISE, REQUEST, ANSWER, ValueError("junk")])
    async def test_a_flood_ends_it(self, noise):
        """
        Of whatever kind, more than so many messages that nobody asked for end the session, and it is told why.
        """
        one, told = sieve(*[noise] * (MOST_MESSAGES + 5))
        assert len(await heard(one)) in {0, MOST_MESSAGES}
        assert (one.over.is_set(), [type(error).code for error in told]) == (True, ["GW-502"])

    async def test_as_many_answers_as_requests_are_no_flood(self):
        """
        However many calls are under way at once, their answers are heard.
        """
        many = 2 * MOST_MESSAGES
        one, told = sieve(*[ANSWER] * many)
        for _ in range(many):
            one.asked()
        assert (len(await heard(one)), told) == (many, [])
