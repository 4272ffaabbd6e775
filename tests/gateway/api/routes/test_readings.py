"""What the gateway does for an auditor who reads the database alone: readings on record, and bundles."""

import hashlib

import pytest

from tests.support.oracle import records
from tests.support.web import gateway_of, is_problem

ASKED = {"asked": {"pack_id": "pack_1"}, "codes": ["FILTER-PACK_ID"]}


async def test_a_reading_is_on_record_before_it_is_answered(client, token):
    """
    What an auditor says that they read is recorded under their token, by its names alone.
    """
    headers = {"authorization": f"Bearer {token(scope='ledger:read')}"}
    answer = await client.post("/v1/ledger/readings", json=ASKED, headers=headers)
    assert (answer.status_code, answer.json()) == (200, {"recorded": True})
    [read] = records(gateway_of(client), kind="ledger.read")
    assert "FILTER-PACK_ID" in read.codes
    assert "pack_1" not in read.model_dump_json()


@pytest.mark.parametrize(
    ("body", "scope", "status", "code"),
    [
        (ASKED, "packs:write", 403, "GW-107"),
        ({**ASKED, "asked": {"Whatever I like": "x"}}, "ledger:read", 422, "GW-120"),
        ({**ASKED, "codes": ["RELEASED"]}, "ledger:read", 422, "GW-120"),
    ],
)
async def test_what_is_no_reading_is_refused(client, token, body, scope, status, code):
    """
    Nobody without the scope writes readings, and nothing else is written this way.
    """
    headers = {"authorization": f"Bearer {token(scope=scope)}"}
    is_problem(await client.post("/v1/ledger/readings", json=body, headers=headers), status, code)
    assert not records(gateway_of(client), kind="ledger.read")


async def test_a_bundle_is_its_own_name(client, token, post, small):
    """
    The bytes of a bundle that decided have the hash that records name; it takes the scope for exports.
    """
    await post("/v1/packs", small)
    [revision] = {one.policy.revision for one in records(gateway_of(client), kind="item.ruled")}
    path = f"/v1/ledger/bundles/{revision}"
    headers = {"authorization": f"Bearer {token(scope='ledger:read ledger:export')}"}
    answer = await client.get(path, headers=headers)
    assert f"sha256:{hashlib.sha256(answer.content).hexdigest()}" == revision
    is_problem(await client.get(path, headers={"authorization": f"Bearer {token(scope='packs:write')}"}), 403, "GW-107")
