"""The client against the gateway itself."""

import httpx
import pytest

from ctxgate_client import AsyncClient, Citation, Claim, PackRequest, ProblemError


@pytest.fixture
def asked(story):
    """The story's request."""
    return PackRequest.model_validate(story("npa-risk", "request"))


@pytest.fixture
async def ctxgate(client, token):
    """The client of the story's analyst."""
    transport = httpx.ASGITransport(client.app, raise_app_exceptions=False)
    scope = "packs:write rulings:write citations:verify"
    async with AsyncClient("http://ctxgate", token(scope=scope), transport=transport) as asking:
        yield asking


async def test_packs_and_citations(ctxgate, asked):
    """
    A pack comes typed, and as it was handed over it is what claims are held against.
    """
    pack = await ctxgate.pack(asked)
    assert pack.items
    assert pack.request_id
    cited = pack.items[0].id
    reply = await ctxgate.verify_citations(pack, [Claim(id="c", text="A claim.", citations=(Citation(item_id=cited),))])
    assert (reply.pack_id, len(reply.claims)) == (pack.id, 1)


async def test_rulings_are_made_once(ctxgate, asked):
    """
    The same request under the same key gets the same answer, and another one under it is refused.
    """
    first = await ctxgate.rulings(asked, idempotency_key="k")
    assert await ctxgate.rulings(asked, idempotency_key="k") == first
    assert {one.outcome for one in first.rulings} >= {"released"}
    with pytest.raises(ProblemError) as raised:
        await ctxgate.rulings(asked.model_copy(update={"query": "else"}), idempotency_key="k")
    assert raised.value.status == 409


async def test_the_catalog(ctxgate, asked):
    """
    What the catalog lists is what the request names.
    """
    words = await ctxgate.catalog()
    assert asked.agent_id in {one.id for one in words.agents}
    assert asked.purpose in {one.id for one in words.purposes}
    assert {item.section for item in asked.items} <= {*words.sections}


async def test_a_refusal_says_where_to_look(ctxgate, asked):
    """
    A refusal has the code, and the trace under which it is on record.
    """
    with pytest.raises(ProblemError) as raised:
        await ctxgate.pack(asked.model_copy(update={"agent_id": "NOBODY"}))
    assert (raised.value.code, len(raised.value.trace_id)) == ("GW-143", 32)
