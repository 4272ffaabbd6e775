"""Evidence over HTTP: its scope, its tenant, its file, and its refusals."""

import json

import pytest

from gateway.settings import Settings
from ledger.receipt import verify_receipt
from tests.support.erasing import forget_over_http
from tests.support.oracle import records
from tests.support.web import gateway_of, is_problem

SCOPE = "ledger:evidence"


@pytest.fixture
def settings(tmp_path):
    """Settings of a tenant that keeps contents."""
    return Settings(state_dir=tmp_path / "state", detector_workers=0, pin_every_seconds=0, keep_content=True)


async def test_a_pack_and_its_file(client, get, pack):
    """
    The document has the pack, its record and its prompt; the file is the pack as it was handed over, and its receipt holds.
    """
    shown = (await get(f"/v1/evidence/{pack['id']}", scope=SCOPE, sub="auditor")).json()
    assert (shown["kind"], shown["pack"]) == ("pack", pack)
    assert shown["prompt"]["messages"][-1]["role"] == "user"
    file = await get(f"/v1/evidence/{pack['id']}?format=file", scope=SCOPE, sub="auditor")
    assert file.headers["content-disposition"] == f'attachment; filename="{pack["id"]}.json"'
    assert json.loads(file.content) == pack
    sealed = verify_receipt(json.loads(file.content), gateway_of(client).ledger.parts.keys)
    assert sealed.decision_id == shown["record"]["decision_id"]
    assert [one.codes for one in records(gateway_of(client), kind="ledger.read")] == [("FILTER-EVIDENCE",)] * 2


async def test_an_item(client, get, pack):
    """
    Of an item what it released is shown, and there is no file of it.
    """
    item = pack["sections"][0]["items"][0]
    shown = (await get(f"/v1/evidence/{item['decision_id']}", scope=SCOPE)).json()
    assert shown["kind"] == "item"
    assert shown["released"]
    is_problem(await get(f"/v1/evidence/{item['decision_id']}?format=file", scope=SCOPE), 422, "GW-120")


async def test_reading_records_is_not_enough(get, pack):
    """
    Whoever may read the ledger may not see contents: that takes a scope of its own.
    """
    is_problem(await get(f"/v1/evidence/{pack['id']}", scope="ledger:read ledger:export"), 403, "GW-107")


async def test_another_tenant_learns_nothing(get, pack):
    """
    The problem for another tenant's id is that for an unknown one, but for the path that was asked for.
    """
    problems = []
    for name in (pack["id"], "pack_unknown"):
        problem = is_problem(await get(f"/v1/evidence/{name}", scope=SCOPE, tenant="asia"), 404, "GW-170")
        problems.append({key: value for key, value in problem.items() if key != "instance"})
    assert problems[0] == problems[1]


async def test_erased_is_gone(get, post, pack, subject):
    """
    After an erasure the answer is 410 with a code of its own.
    """
    assert (await forget_over_http(post, subject["sub"])).status_code == 200
    is_problem(await get(f"/v1/evidence/{pack['id']}", scope=SCOPE, sub="auditor"), 410, "GW-171")


class TestWithoutContent:
    @pytest.fixture
    def settings(self, tmp_path):
        """Settings as they are by default."""
        return Settings(state_dir=tmp_path / "state", detector_workers=0, pin_every_seconds=0)

    async def test_not_kept(self, get, pack):
        """
        Where no content is kept the refusal says so, with a code of its own.
        """
        is_problem(await get(f"/v1/evidence/{pack['id']}", scope=SCOPE), 404, "GW-172")
