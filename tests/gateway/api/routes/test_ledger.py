"""The auditor's questions over HTTP: own tenant alone, provable, and each reading on record."""

import json

import pytest

from gateway.bootstrap.keys import verifiers
from ledger.erasable import commit
from ledger.tlog.checkpoint import Proof, verify_proof
from ledger.tlog.merkle import leaf_hash
from tests.support.oracle import check_ledger, records
from tests.support.web import gateway_of, is_problem


class TestLedgerRecords:
    async def test_an_auditor_reads_the_tenants_records(self, post, client, token, small):
        """
        Records come in pages, of the caller's tenant alone, and the reading is itself recorded.
        """
        await post("/v1/packs", small)
        await post("/v1/packs", small, tenant="other")
        headers = {"authorization": f"Bearer {token(scope='ledger:read')}"}
        seen, after = [], 0
        while after is not None:
            answer = (await client.get(f"/v1/ledger/records?limit=3&after={after}", headers=headers)).json()
            seen += answer["records"]
            after = answer["next"]
        assert {"gfm"} == {record["tenant"] for record in seen}
        assert {"request.opened", "item.ruled", "pack.sealed", "ledger.read"} == {record["kind"] for record in seen}
        one = await client.get("/v1/ledger/records?item_id=npa-record", headers=headers)
        assert len(one.json()["records"]) == 1

    @pytest.mark.parametrize(
        ("query", "scope", "status", "code"),
        [
            ("", "packs:write", 403, "GW-107"),
            ("?colour=red", "ledger:read", 422, "GW-121"),
            ("?limit=0", "ledger:read", 422, "GW-120"),
        ],
    )
    async def test_refused(self, client, token, query, scope, status, code):
        """
        Reading needs its own scope, and a misspelt filter is an error, not an empty filter.
        """
        headers = {"authorization": f"Bearer {token(scope=scope)}"}
        is_problem(await client.get(f"/v1/ledger/records{query}", headers=headers), status, code)

    async def test_a_filter_cannot_choose_the_tenant(self, post, client, token, small):
        """
        The tenant comes from the token, whatever the query says.
        """
        await post("/v1/packs", small, tenant="other")
        headers = {"authorization": f"Bearer {token(scope='ledger:read')}"}
        answer = await client.get("/v1/ledger/records?tenant=other&kind=item.ruled", headers=headers)
        assert answer.json()["records"] == []


class TestQuestions:
    async def test_answers_can_be_checked_against_proofs(self, client, get, pack):
        """
        Each record comes as the exact text that is hashed, with its place; its proof holds for that text alone.
        """
        answer = (await get(f"/v1/ledger/records?request_id={pack['request']['request_id']}")).json()
        keys = verifiers([gateway_of(client).vkey])
        assert len(answer["entries"]) == len(answer["records"]) == 6
        for entry, record in zip(answer["entries"], answer["records"], strict=True):
            assert json.loads(entry["body"]) == record
            assert entry["leaf"] == leaf_hash(entry["body"].encode()).hex()
            proof = Proof.parse((await get(f"/v1/ledger/records/{record['decision_id']}/proof")).text)
            assert proof.index == entry["index"]
            verify_proof(proof, bytes.fromhex(entry["leaf"]), keys)
        check_ledger(gateway_of(client))

    async def test_every_reading_is_recorded(self, client, get, pack):
        """
        Who asked, by what conditions for all to see, and the conditions themselves for whoever may open them.
        """
        await get("/v1/ledger/records?outcome=denied&agent=RISK")
        await get("/v1/ledger/stats?by=code")
        gateway = gateway_of(client)
        reads = records(gateway, kind="ledger.read")
        assert {"FILTER-AGENT", "FILTER-OUTCOME", "FILTER-TENANT"} == set(reads[0].codes)
        aside = gateway.ledger.parts.evidence.erasables([reads[0].decision_id])[reads[0].decision_id]
        assert json.loads(aside.content) == {"agent": "RISK", "outcome": "denied", "tenant": "gfm"}
        assert reads[0].item.commitment == commit(aside.item_salt, aside.content)
        assert "FILTER-BY" in reads[1].codes

    async def test_by_the_name_of_a_person(self, get, pack, subject):
        """
        An auditor asks by a person's name; the ledger looks for the token that stands for it.
        """
        found = (await get(f"/v1/ledger/records?user={subject['sub']}&kind=item.ruled")).json()["records"]
        assert len(found) == 4
        assert (await get("/v1/ledger/records?user=nobody")).json()["records"] == []

    async def test_as_csv_and_lines(self, get, pack):
        """
        The same page as a table for a spreadsheet, and as the stored bytes a line each, with the cursor beside.
        """
        table = await get("/v1/ledger/records?format=csv&limit=2")
        assert table.text.splitlines()[0].startswith("index,kind,decision_id")
        assert len(table.text.splitlines()) == 3
        assert int(table.headers["x-next"]) > 2
        lines = (await get("/v1/ledger/records?format=jsonl&kind=item.ruled")).text.splitlines()
        assert [json.loads(line)["kind"] for line in lines] == ["item.ruled"] * 4

    async def test_counts(self, get, pack):
        """
        Records are counted by a column and by time; other columns are refused.
        """
        series = (await get("/v1/ledger/stats?by=outcome&kind=item.ruled&period=day")).json()["series"]
        assert sum(one["count"] for one in series) == 4
        assert {one["period"] for one in series} == {"2026-03-01"}
        assert (await get("/v1/ledger/stats?by=body")).status_code == 422
        assert (await get("/v1/ledger/stats?period=second")).status_code == 422

    async def test_another_tenant_sees_nothing(self, get, pack):
        """
        A record of one tenant is not there for another, by whatever way it is asked for.
        """
        own = (await get("/v1/ledger/records?kind=item.ruled")).json()["records"][0]["decision_id"]
        for path in ("", "/proof", "/replay"):
            assert (await get(f"/v1/ledger/records/{own}{path}")).status_code == 200
            assert (await get(f"/v1/ledger/records/{own}{path}", tenant="other")).status_code == 404
        assert (await get("/v1/ledger/records?user=sarah.lim&kind=item.ruled", tenant="other")).json()["records"] == []

    async def test_scopes(self, get, pack):
        """
        Each question takes its scope.
        """
        for path in ("records", "stats", "records/x", "records/x/proof", "records/x/replay"):
            assert (await get(f"/v1/ledger/{path}", scope="packs:write")).status_code == 403
        assert (await get("/tile/entries/000.p/1")).status_code == 403
