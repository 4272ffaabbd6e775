"""The recipe of an exception across a border: refused, asked for, approved by a second officer, used, listed, over, revoked."""

from datetime import timedelta

import httpx
import pytest

from gateway.api.app import create_app
from gateway.bootstrap.keys import development_issuer
from gateway.bootstrap.replay import replaying
from gateway.replay.run import replay
from gateway.replay.verdicts import MATCH
from ledger.query import Filter
from tests.support.clock import NOW
from tests.support.oracle import check_ledger, records
from tests.support.services import OPA, need

COO = {"role": "coo", "department": "COO", "jurisdictions": ["SG"], "domains": None, "entitlements": None}
LEGAL = {"role": "approver", "department": "LEGAL", "jurisdictions": ["SG", "HK"], "domains": None}
ASK, APPROVE = "exceptions:ask", "exceptions:approve"


class Desk:
    """A gateway whose clock the test sets, and people who work at it."""

    def __init__(self, http, settings, subject):
        self.http, self.settings, self.subject = http, settings, subject
        self.now = NOW

    def headers(self, claims):
        times = {"exp": int((self.now + timedelta(hours=1)).timestamp()), "iat": int(self.now.timestamp())}
        made = {"iss": self.settings.jwt_issuer, "aud": self.settings.jwt_audience, **times}
        token = development_issuer(self.settings).token({**self.subject, **made, **claims})
        return {"authorization": f"Bearer {token}"}

    async def post(self, path, body, **claims):
        return await self.http.post(path, json=body, headers=self.headers(claims))

    async def get(self, path, **claims):
        return (await self.http.get(path, headers=self.headers(claims))).json()


@pytest.fixture
async def desk(settings, subject):
    held = {}
    app = create_app(settings, clock=lambda: held["desk"].now if held else NOW)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://ctxgate") as http:
            held["desk"] = Desk(http, settings, subject)
            held["desk"].gateway = app.state.gateway
            yield held["desk"]


def asked_for(request, **changes):
    """An exception for the COO office in Singapore and one project of Hong Kong."""
    scope = {"jurisdiction": "HK", "department": "COO", "entity_id": request["entity"]["id"]}
    return {
        "codes": ["JUR-001", "JUR-002"],
        "scope": {**scope, **changes.pop("scope", {})},
        "expires": "2026-03-31T08:00:00+08:00",
        "owner": "COO office",
        "reason": "The Hong Kong leg of the product is reviewed in Singapore.",
        **changes,
    }


@pytest.fixture
def request_across(small):
    """A request in Singapore with a restricted record of the same project in Hong Kong."""
    for item in small["items"]:
        if item["id"] == "sop-4.2.1":
            label = {"jurisdiction": "HK", "data_classification": "RESTRICTED", "entity_id": small["entity"]["id"]}
            item["provenance"].update(label)
    return {**small, "agent_id": "GOVERNANCE", "purpose": "governance_review"}


async def ruling(desk, request, **claims):
    """What becomes of the item across the border: outcome, codes and exceptions."""
    scope = {"scope": "rulings:write packs:write ledger:read", "sub": "carl", **COO, **claims}
    answer = await desk.post("/v1/rulings", {**request, "query": f"At {desk.now}?"}, **scope)
    assert answer.status_code == 200, answer.text
    [found] = [one for one in answer.json()["rulings"] if one["item_id"] == "sop-4.2.1"]
    [record] = [one for one in records(desk.gateway, kind="item.ruled") if one.decision_id == found["decision_id"]]
    return found["outcome"], record.codes, record.exceptions


async def test_an_exception_across_a_border(desk, request_across, monkeypatch):
    """
    What the COO office in Singapore may not read of Hong Kong it reads once Legal approves, for the named project and department
    alone, for as long as it lasts; every use is listed and every decision replays; revoked, it lets nothing through.
    """
    refused = ("denied", ("JUR-001", "JUR-002"), ())
    assert await ruling(desk, request_across) == refused

    asked = await desk.post("/v1/exceptions", asked_for(request_across), sub="cora", scope=ASK, **COO)
    assert asked.status_code == 200, asked.text
    name = asked.json()["id"]
    assert (asked.json()["state"], asked.json()["expires"]) == ("asked", "2026-03-31T00:00:00.000000Z")
    assert await ruling(desk, request_across) == refused

    why = {"reason": "Agreed with Legal in Hong Kong."}
    for same in ("cora", "CORA", "c ora"):
        own = await desk.post(f"/v1/exceptions/{name}/approve", why, sub=same, scope=APPROVE, **LEGAL)
        assert (own.status_code, own.json()["code"]) == (403, "GW-154")
    desk_officer = await desk.post(f"/v1/exceptions/{name}/approve", why, sub="dora", scope=APPROVE, **COO)
    assert (desk_officer.json()["code"], desk_officer.json()["reasons"]) == ("GW-241", ["EXC-005"])
    approved = await desk.post(f"/v1/exceptions/{name}/approve", why, sub="lena", scope=APPROVE, **LEGAL)
    assert approved.json()["state"] == "in force", approved.text

    # In force at once, for the named scope alone.
    assert await ruling(desk, request_across) == ("released", (), (name,))
    assert (await ruling(desk, request_across, department="OPERATIONS"))[0] == "denied"
    elsewhere = {**request_across, "entity": {**request_across["entity"], "id": "NPA-2026-00999"}}
    assert (await ruling(desk, elsewhere))[0] == "denied"
    other = {**request_across, "items": [dict(one) for one in request_across["items"]]}
    for item in other["items"]:
        if item["id"] == "sop-4.2.1":
            item["provenance"] = {**item["provenance"], "jurisdiction": "IN"}
    assert (await ruling(desk, other))[0] == "denied"

    shown = await desk.get(f"/v1/exceptions/{name}", sub="ada", scope="ledger:read")
    assert (shown["uses"], shown["recorded_uses"]) == (1, 1)
    assert (shown["asked"]["officer"], shown["approved"]["officer"]) == ("cora", "lena")
    assert "proof" not in str(shown)
    [listed] = (await desk.get("/v1/exceptions?lapsing=31d", sub="ada", scope="ledger:read"))["exceptions"]
    assert (listed["id"], listed["needs_a_look"]) == (name, ["lapses"])
    assert (await desk.get("/v1/exceptions?lapsing=5d", sub="ada", scope="ledger:read"))["exceptions"] == []

    # Over at its end.
    desk.now = NOW + timedelta(days=31)
    for item in request_across["items"]:
        item["provenance"]["fetched_at"] = desk.now.isoformat()
    assert (await ruling(desk, request_across))[1] == ("JUR-001", "JUR-002")

    steps = records(desk.gateway, kind="exception.reviewed")
    assert [(one.codes, one.item.id, one.tenant) for one in steps] == [
        (("ASKED",), name, "gfm"),
        (("APPROVED",), name, "gfm"),
    ]
    check_ledger(desk.gateway)
    for engine in ("embedded", "opa"):
        if engine == "opa":
            need(OPA is not None, "opa")
            monkeypatch.setenv("PATH", str(OPA).rpartition("/")[0], prepend=":")
        with replaying(desk.settings, engine) as deciders:
            again = replay(desk.gateway.ledger.parts.evidence, deciders, Filter())
        assert {name for name, count in again.counts.items() if count} == {MATCH}, engine


async def test_an_exception_that_is_revoked_lets_nothing_through(desk, request_across):
    """
    One officer ends it, from the next request on; it is on record who did, and it cannot be approved again.
    """
    name = await in_force(desk, request_across)
    assert (await ruling(desk, request_across))[0] == "released"
    why = {"reason": "The review in Singapore is done."}
    ended = await desk.post(f"/v1/exceptions/{name}/revoke", why, sub="cora", scope=ASK, **COO)
    assert ended.json()["state"] == "revoked", ended.text
    assert (await ruling(desk, request_across))[0] == "denied"
    again = await desk.post(f"/v1/exceptions/{name}/approve", why, sub="lena", scope=APPROVE, **LEGAL)
    assert (again.status_code, again.json()["code"]) == (403, "GW-242")
    assert records(desk.gateway, kind="exception.reviewed")[-1].codes == ("REVOKED",)


async def in_force(desk, request, **changes):
    """The id of an exception that two officers agreed on."""
    asked = await desk.post("/v1/exceptions", asked_for(request, **changes), sub="cora", scope=ASK, **COO)
    assert asked.status_code == 200, asked.text
    why = {"reason": "Agreed with Legal in Hong Kong."}
    name = asked.json()["id"]
    approved = await desk.post(f"/v1/exceptions/{name}/approve", why, sub="lena", scope=APPROVE, **LEGAL)
    assert approved.status_code == 200, approved.text
    return name


async def test_an_exception_for_one_use_and_one_person(desk, request_across):
    """
    What may be used once is used once, by the person whom it is for and by nobody else.
    """
    trigger = {"max_uses": 1}
    await in_force(desk, request_across, trigger=trigger, beneficiary="Carl")
    assert (await ruling(desk, request_across, sub="dave"))[0] == "denied"
    assert (await ruling(desk, request_across))[0] == "released"
    desk.now = NOW + timedelta(seconds=1)
    assert (await ruling(desk, request_across))[0] == "denied"


async def test_what_is_kept_as_approved_and_is_not_on_record_stops_the_request(desk, request_across):
    """
    A row that says more than two officers agreed on lets nothing through, and is not passed over.
    """
    name = await in_force(desk, request_across)
    waivers = desk.gateway.stores.waivers
    kept = await waivers.one_of("gfm", name)
    for changed in (
        kept.waiver.model_copy(update={"codes": ("JUR-001", "JUR-002", "FRS-004")}),
        kept.waiver.model_copy(update={"expires": "2026-04-30T00:00:00.000000Z"}),
        kept.waiver.model_copy(update={"scope": kept.waiver.scope.model_copy(update={"entity_id": None})}),
        kept.waiver.model_copy(update={"approved": kept.waiver.asked}),
    ):
        assert await waivers.change(changed, "approved")
        answer = await desk.post("/v1/rulings", request_across, scope="rulings:write packs:write", **COO)
        assert answer.json()["code"] == "GW-440"
        assert await waivers.change(kept.waiver, "approved")


@pytest.mark.parametrize(
    ("changes", "codes"),
    [
        ({"codes": ["JUR-002", "CLS-001"]}, ["EXC-002", "EXC-003", "EXC-004"]),
        ({"expires": "2026-12-31T00:00:00Z"}, ["EXC-003"]),
        ({"expires": "2026-02-28T00:00:00Z"}, ["EXC-003"]),
        ({"scope": {"entity_id": None}}, ["EXC-004"]),
        ({"scope": {"department": None}}, ["EXC-004"]),
    ],
)
async def test_what_nobody_may_ask_for(desk, request_across, changes, codes):
    """
    An officer who asks for too much, for too long or for everything hears which bounds of the table say no.
    """
    answer = await desk.post("/v1/exceptions", asked_for(request_across, **changes), sub="cora", scope=ASK, **COO)
    assert (answer.status_code, answer.json()["code"]) == (403, "GW-241")
    assert answer.json()["reasons"] == codes
    assert records(desk.gateway, kind="exception.reviewed") == []


async def test_nobody_asks_for_their_own_benefit(desk, request_across):
    """
    Neither who asks nor who approves is the person whom it is for, however the name is written.
    """
    body = asked_for(request_across, beneficiary="C ora")
    own = await desk.post("/v1/exceptions", body, sub="cora", scope=ASK, **COO)
    assert (own.status_code, own.json()["code"]) == (403, "GW-154")
    body = asked_for(request_across, beneficiary="LENA")
    name = (await desk.post("/v1/exceptions", body, sub="cora", scope=ASK, **COO)).json()["id"]
    why = {"reason": "Agreed with Legal in Hong Kong."}
    own = await desk.post(f"/v1/exceptions/{name}/approve", why, sub="lena", scope=APPROVE, **LEGAL)
    assert (own.status_code, own.json()["code"]) == (403, "GW-154")
    foreign = await desk.post(f"/v1/exceptions/{name}/approve", why, sub="lee", scope=APPROVE, tenant="asia", **LEGAL)
    assert (foreign.status_code, foreign.json()["code"]) == (404, "GW-170")
