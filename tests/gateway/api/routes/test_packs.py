"""`/v1/packs` and `/v1/rulings`: packs come whole and on record, and bad requests come to nothing."""

import asyncio
import json

import pytest

from gateway.bootstrap.keys import verifiers
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from ledger.receipt import verify_receipt
from tests.support.clock import NOW
from tests.support.oracle import check_ledger, records
from tests.support.web import gateway_of, is_problem


class TestPacks:
    async def test_a_pack_with_its_receipt(self, post, client, small):
        """
        Candidates in, a governed pack out, and its receipt verifies against the published key.
        """
        response = await post("/v1/packs", small)
        assert response.status_code == 200
        verify_receipt(response.json(), verifiers([gateway_of(client).vkey]))
        check_ledger(gateway_of(client))

    async def test_is_the_pack_of_the_pipeline(self, post, client, small, subject):
        """
        HTTP and the command line run the same pipeline: the same request at the same time is the same pack.
        """
        response = await post("/v1/packs", small)
        asked = Asked(PackRequest.model_validate(small), Subject.model_validate(subject), NOW)
        pack = await gateway_of(client).pipeline.assemble(asked)
        assert json.loads(pack.model_dump_json()) == response.json()

    async def test_rulings(self, post, client, small):
        """
        Rulings come without sections, on the same records.
        """
        response = await post("/v1/rulings", small, scope="rulings:write")
        assert response.status_code == 200
        assert "sections" not in response.json()
        assert len(response.json()["rulings"]) == 4
        assert len(records(gateway_of(client), kind="item.ruled")) == 4

    async def test_the_callers_trace_is_kept(self, client, token, small):
        """
        A W3C traceparent names the trace in the pack and in every record.
        """
        trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        headers = {"authorization": f"Bearer {token()}", "traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
        response = await client.post("/v1/packs", json=small, headers=headers)
        assert trace == response.json()["request"]["trace_id"]
        assert len(records(gateway_of(client), kind="item.ruled", trace_id=trace)) == 4


class TestRefusals:
    @pytest.mark.parametrize(
        ("change", "status", "code"),
        [
            ({"agent_id": "NOBODY"}, 403, "GW-143"),
            ({"purpose": "fun"}, 422, "GW-141"),
            ({"model": "abacus"}, 422, "GW-142"),
            ({"token_budget": 10**6}, 422, "GW-120"),
            ({"purpose": "routing"}, 403, "GW-150"),
            ({"items": []}, 422, "GW-123"),
            ({"entity": {"type": "project", "id": "x"}, "items": []}, 422, "GW-123"),
            ({"token_budget": 50}, 422, "GW-160"),
            ({"tenant": "other"}, 422, "GW-121"),
        ],
    )
    async def test_bad_requests(self, post, client, small, change, status, code):
        """
        Each kind of bad request has its own code, gives no pack, and is on record since the caller is known.
        """
        response = await post("/v1/packs", {**small, **change})
        is_problem(response, status, code)
        [refusal] = records(gateway_of(client), kind="request.opened", outcome="denied")
        assert code in refusal.codes
        assert not records(gateway_of(client), kind="pack.sealed")

    async def test_bad_bytes_are_on_record(self, post, client):
        """
        Bytes that are no request are refused, and the refusal is on record.
        """
        document = is_problem(await post("/v1/packs", b'{"a": NaN}'), 422, "GW-113")
        assert "errors" not in document
        assert [record.codes[0] for record in records(gateway_of(client), kind="request.opened")] == ["GW-113"]


async def test_side_by_side(post, client, small):
    """
    Many callers at once each get their own pack.
    """
    answers = await asyncio.gather(*(post("/v1/packs", {**small, "query": f"q{n}"}) for n in range(12)))
    assert [answer.status_code for answer in answers] == [200] * 12
    assert len({answer.json()["id"] for answer in answers}) == 12
    check_ledger(gateway_of(client))


async def test_a_pack_by_its_id(client, post, small, token):
    """
    Of a pack an auditor of its tenant gets the sealed record and those of all its items; nobody else gets anything.
    """
    answer = (await post("/v1/packs", small)).json()
    headers = {"authorization": f"Bearer {token(scope='ledger:read')}"}
    got = await client.get(f"/v1/packs/{answer['id']}", headers=headers)
    assert got.json()["sealed"]["pack"]["id"] == answer["id"]
    assert [one["decision_id"] for one in got.json()["items"]] == [one["decision_id"] for one in answer["rulings"]]
    other = {"authorization": f"Bearer {token(scope='ledger:read', tenant='other')}"}
    assert (await client.get(f"/v1/packs/{answer['id']}", headers=other)).status_code == 404
    assert (await client.get("/v1/packs/pack_0", headers=headers)).status_code == 404
    for odd, status in (("x" * 500, 422), ("%00", 404), ("%1b", 404), ("%C2%85", 404)):
        assert (await client.get(f"/v1/packs/{odd}", headers=headers)).status_code == status
