"""Claims over HTTP: who may ask, about which packs, and scores over time."""

from datetime import datetime

from tests.support.clock import NOW
from tests.support.packs import SCOPE, sentence


class TestWhoMayAsk:
    async def test_a_changed_pack_is_no_pack(self, sealed, verify):
        """
        A pack that was changed, lacks its receipt, or is another tenant's is refused, and nothing is said of it.
        """
        changed = {**sealed, "warnings": []} if sealed["warnings"] else {**sealed, "model": "other"}
        without = {**sealed, "receipt": None}
        for answer in (
            await verify({"text": "x"}, pack=changed),
            await verify({"text": "x"}, pack=without),
            await verify({"text": "x"}, tenant="other"),
        ):
            assert (answer.status_code, answer.json()["code"]) == (422, "GW-120")

    async def test_scopes(self, verify):
        """
        Asking takes a scope.
        """
        assert (await verify({"text": "x"}, scope="ledger:read")).status_code == 403
        assert (await verify({"text": "x"}, scope="citations:verify")).status_code == 200

    async def test_shapes(self, verify):
        """
        A citation names one thing, and claims have ids of their own.
        """
        both = {"text": "x", "citations": [{"doc_id": "a", "item_id": "b"}]}
        for claims in ([both], [{"text": "x", "id": "c"}, {"text": "y", "id": "c"}], [{"text": ""}], []):
            assert (await verify(*claims)).status_code == 422


async def test_scores_over_time(client, sealed, verify, token):
    """
    An agent's grounding score is the part of its claims that were grounded, day by day, and metrics count the flags.
    """
    good = {"text": sentence(sealed, "sop-4.2.1"), "citations": [{"item_id": "sop-4.2.1"}]}
    await verify(good, good, good, {"text": "x", "citations": [{"item_id": "nothing"}]})
    headers = {"authorization": f"Bearer {token(scope=SCOPE)}"}
    got = await client.get("/v1/citations/scores", params={"agent": "RISK"}, headers=headers)
    day = datetime.date(NOW).isoformat()
    assert got.json()["scores"] == [{"period": day, "claims": 4, "grounded": 3, "score": 0.75}]
    metrics = (await client.get("/metrics")).text
    assert 'context_claims_total{found="PHANTOM_CITATION"} 1.0' in metrics
    assert 'citation_verifications_total{verdict="grounded"} 3.0' in metrics
