"""Tenants never meet: two of them with the same ids, contents, traces, sessions and keys, and nothing of one in the other."""

import json

import pytest

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.erasing import forget_over_http
from tests.support.oracle import check_ledger, records

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
MARKS = {"gfm": "alpha-only-7731", "asia": "beta-only-9042"}
READ = "packs:write rulings:write ledger:read erasure:write"


class Tenant:
    """One tenant over HTTP: everything it hears is remembered."""

    def __init__(self, client, token, name):
        self.client, self.name, self.heard = client, name, []
        self.headers = {
            "authorization": f"Bearer {token(tenant=name, sub='same.person', scope=READ)}",
            "traceparent": TRACE,
            "idempotency-key": "the-same-key",
        }

    async def post(self, path, body):
        answer = await self.client.post(path, content=json.dumps(body), headers=self.headers)
        self.heard.append(answer.text)
        return answer

    async def get(self, path):
        answer = await self.client.get(path, headers=self.headers)
        self.heard.append(answer.text)
        return answer


def marked(small, tenant):
    """The same request for both, with one thing of each tenant's own: a version that only it has."""
    items = [{**item, "provenance": {**item["provenance"], "version": MARKS[tenant]}} for item in small["items"]]
    return {**small, "items": items, "session_id": "the-same-session"}


async def drive(one, small):
    """Ask for everything that a tenant can ask for."""
    pack = (await one.post("/v1/packs", marked(small, one.name))).json()
    await one.post("/v1/packs", {**marked(small, one.name), "agent_id": "nobody"})
    answer = (await one.get("/v1/ledger/records?limit=1000")).json()
    for query in ("item_id=npa-record", f"pack_id={pack['id']}", "user=same.person", "code=GW-180", "format=csv"):
        await one.get(f"/v1/ledger/records?{query}")
    await one.get("/v1/ledger/stats?by=source_id")
    await one.get(f"/v1/traces/{TRACE.split('-')[1]}")
    return [record["decision_id"] for record in answer["records"]]


async def test_nothing_of_one_in_the_other(client, token, small):
    """
    Through packs, refusals, queries, proofs, replays, counts, traces and metrics neither tenant hears a byte of the other.
    """
    both = [Tenant(client, token, name) for name in MARKS]
    decisions = {one.name: await drive(one, small) for one in both}
    assert not set(decisions["gfm"]) & set(decisions["asia"])
    for one, other in (both, both[::-1]):
        for decision in decisions[other.name]:
            for path in ("", "/proof", "/replay"):
                assert (await one.get(f"/v1/ledger/records/{decision}{path}")).status_code == 404
        heard = "\n".join(one.heard)
        assert MARKS[one.name] in heard
        assert MARKS[other.name] not in heard
        assert f'"{other.name}"' not in heard
    text = (await client.get("/metrics")).text
    assert not any(keyed_name in text or name in text for name, keyed_name in MARKS.items())
    subjects = {
        name: {r.subject for r in records(client.app.state.gateway, tenant=name) if r.subject} for name in MARKS
    }
    assert not subjects["gfm"] & subjects["asia"]
    check_ledger(client.app.state.gateway)


async def test_what_one_sent_is_new_for_the_other(client, token, small):
    """
    A content that one tenant sent before is screened anew for another, so that no timing tells of it.
    """
    cache = client.app.state.gateway.pipeline.cache
    one, other = (Tenant(client, token, name) for name in MARKS)
    await one.post("/v1/packs", marked(small, one.name))
    before = set(cache)
    assert {key[0] for key in before} == {"gfm"}
    await other.post("/v1/packs", marked(small, other.name))
    assert len(set(cache) - before) == len(before)


async def test_erasing_a_person_of_one(client, token, small, post):
    """
    A person of the same name in another tenant is another person.
    """
    one, other = (Tenant(client, token, name) for name in MARKS)
    for tenant in (one, other):
        await tenant.post("/v1/packs", marked(small, tenant.name))
    assert (await forget_over_http(post, "same.person", tenant=one.name)).json()["records"]
    store = client.app.state.gateway.store
    assert store.known_person("asia", "same.person") is not None
    found = (await other.get("/v1/ledger/records?user=same.person&kind=item.ruled")).json()["records"]
    assert len(found) == 4


@settings(max_examples=12)
@given(name=st.text(st.characters(codec="ascii", categories=["L", "N", "P"]), min_size=1, max_size=30))
@pytest.mark.parametrize("column", ["item_id", "trace_id", "source_id", "agent", "code", "decision_id", "user"])
async def test_no_question_reaches_over(client, token, small, column, name):
    """
    Whatever is asked for, the answer holds records of the asker's tenant alone.
    """
    both = [Tenant(client, token, tenant) for tenant in MARKS]
    await both[0].post("/v1/packs", marked(small, "gfm"))
    answer = await client.get("/v1/ledger/records", params={column: name}, headers=both[1].headers)
    assert answer.status_code in {200, 422}
    if answer.status_code == 200:
        assert all(record["tenant"] == "asia" for record in answer.json()["records"])


async def test_no_token_is_of_all_tenants(post, client, token, small):
    """
    A token of the tenant `-`, or of another name that could be taken for all or for the gateway, is refused at every door.
    """
    pack = (await post("/v1/packs", small)).json()
    decision = pack["rulings"][0]["decision_id"] if pack["rulings"] else pack["id"]
    for tenant in ("-", "*", "%", " gfm", "gfm\u200b"):
        claims = {"tenant": tenant, "scope": f"{READ} ledger:evidence"}
        for path in (
            f"ledger/records/{decision}",
            f"ledger/records/{decision}/proof",
            f"packs/{pack['id']}",
            "ledger/records",
        ):
            bearer = {"authorization": f"Bearer {token(**claims)}"}
            answer = await client.get(f"/v1/{path}", headers=bearer)
            assert (answer.status_code, answer.json()["code"]) == (401, "GW-182")
