"""A person is forgotten over HTTP."""

import hashlib
import hmac
import json

from datetime import timedelta

import pytest

from gateway.bootstrap.erasing import erasure_desk
from gateway.errors import ErasureNotWaitingError
from gateway.privacy.asking import DAYS
from gateway.privacy.certificate import open_certificate, require_on_record
from gateway.replay.verdicts import ERASED
from gateway.settings import HOME
from tests.support.clock import NOW
from tests.support.erasing import SCOPE, forget_over_http, officer_named
from tests.support.oracle import check_ledger, records
from tests.support.web import gateway_of


async def test_a_person_is_forgotten(post, get, client, pack, subject):
    """
    After an erasure the records and proofs stay, a guessed content cannot be confirmed, replay says ERASED, and the
    person's next request is another's, as far as the ledger can tell.
    """
    gateway = gateway_of(client)
    rulings = records(gateway, kind="item.ruled")
    token = rulings[0].subject
    before = gateway.ledger.parts.evidence.erasables([one.decision_id for one in rulings])
    content = json.dumps("x").encode()
    assert before
    person = gateway.store.known_person("gfm", subject["sub"])
    answer = await forget_over_http(post, subject["sub"], "request of 3 March")
    assert answer.json()["token"] == token
    assert answer.json()["records"] >= 6
    assert not gateway.ledger.parts.evidence.erasables([one.decision_id for one in rulings])
    assert gateway.store.known_person("gfm", subject["sub"]) is None
    assert (await get(f"/v1/ledger/records/{rulings[0].decision_id}/replay", sub="auditor")).json()["verdict"] == ERASED
    stored = b"".join(path.read_bytes() for path in gateway.settings.state_dir.glob("ledger.sqlite*"))
    assert person.key not in stored
    assert subject["sub"].encode() not in stored
    for aside in before.values():
        assert aside.item_salt not in stored
        guess = hmac.new(bytes(32), content, "sha256").hexdigest()
        assert guess not in {one.item.commitment for one in rulings}
    [erased] = records(gateway, kind="erasure")
    assert erased.item.id == token
    assert erased.codes[:2] == ("ERASED", f"KEY-{hashlib.sha256(person.key).hexdigest()}")
    basis = gateway.ledger.parts.evidence.erasables([erased.decision_id])[erased.decision_id]
    assert basis.content == b"request of 3 March"
    check_ledger(gateway)
    await post("/v1/packs", again(), sub=subject["sub"])
    assert records(gateway, kind="item.ruled")[-1].subject != token


async def test_whoever_was_never_there(post, get):
    """
    Erasing nobody is an error, and takes its scope.
    """
    answer = await forget_over_http(post, "nobody")
    assert (answer.status_code, answer.json()["code"]) == (404, "GW-170")
    assert (await post("/v1/ledger/erasures", {"subject": "nobody", "basis": "x"})).status_code == 403
    assert await waiting(get) == []


async def waiting(get, **more):
    """What waits for a second officer."""
    return (await get("/v1/ledger/erasures", scope=SCOPE, sub="dpo", **more)).json()["erasures"]


async def ask(post, subject, sub="ann", **more):
    """The first officer asks; the answer."""
    return await post("/v1/ledger/erasures", {"subject": subject, "basis": "by letter"}, scope=SCOPE, sub=sub, **more)


async def test_nothing_goes_on_the_word_of_one(post, get, client, pack, subject):
    """
    Until another person approves it, nothing is deleted: not for the officer who asked, in whatever spelling, tenant or with
    whatever other name the trust layer gives the same person, nor for the person; officers see what waits, of their tenant alone.
    """
    gateway = gateway_of(client)
    asked = (await ask(post, subject["sub"], sub="Ann.Lee", tenant="gfm")).json()
    assert asked["asked_by"] == "Ann.Lee"
    assert [one["id"] for one in await waiting(get)] == [asked["id"]]
    assert await waiting(get, tenant="asia") == []
    path = f"/v1/ledger/erasures/{asked['id']}/approve"
    for who in ({"sub": "Ann.Lee"}, {"sub": "ann.lee"}, {"sub": "ANN.LEE "[:-1]}, {"sub": subject["sub"].upper()}):
        refused = await post(path, {}, scope=SCOPE, **who)
        assert (refused.status_code, refused.json()["code"]) == (403, "GW-154"), who
    elsewhere = await post(path, {}, scope=SCOPE, sub="dpo", tenant="asia")
    assert elsewhere.json()["code"] == "GW-277"
    assert (await post(path, {}, sub="dpo")).status_code == 403
    assert (await ask(post, "Ann.Lee", sub="ann.lee")).json()["code"] == "GW-154"
    assert gateway.store.known_person("gfm", subject["sub"]) is not None
    assert records(gateway, kind="erasure") == []
    done = await post(path, {}, scope=SCOPE, sub="dpo")
    assert done.status_code == 200, done.text
    assert await waiting(get) == []
    assert (await post(path, {}, scope=SCOPE, sub="dpo")).json()["code"] == "GW-277"


async def test_who_agreed_is_on_record_and_in_the_certificate(post, get, client, pack, subject):
    """
    The log has who asked, with the basis sealed, and who approved, by their tokens; so has the certificate, which is believed with
    those records alone; neither names anybody.
    """
    gateway = gateway_of(client)
    done = (await forget_over_http(post, subject["sub"], "by letter of 3 March")).json()
    asked, approved = records(gateway, kind="erasure.reviewed")
    [erased] = records(gateway, kind="erasure")
    assert [asked.codes, approved.codes] == [("ASKED",), ("APPROVED",)]
    assert f"REQUEST-{asked.item.id}" in erased.codes
    assert erased.subject == approved.subject != asked.subject
    sealed = gateway.ledger.parts.evidence.erasables([asked.decision_id])[asked.decision_id]
    assert b"by letter of 3 March" in sealed.content
    assert subject["sub"].encode() not in sealed.content
    certificate = open_certificate(done["certificate"], gateway.ledger.parts.keys)
    agreed = certificate.agreed
    assert (agreed.request, agreed.asked_by, agreed.approved_by) == (asked.item.id, asked.subject, approved.subject)
    assert require_on_record(certificate, gateway.store)
    check_ledger(gateway)


async def test_what_is_withdrawn_or_over_is_not_carried_out(post, get, client, pack, subject):
    """
    One officer takes back what was asked for; after its time it waits no more, and no table has the person's name in it.
    """
    gateway = gateway_of(client)
    first = (await ask(post, subject["sub"])).json()
    path = f"/v1/ledger/erasures/{first['id']}"
    assert (await post(f"{path}/withdraw", {}, scope=SCOPE, sub="dpo")).json()["id"] == first["id"]
    assert (await post(f"{path}/approve", {}, scope=SCOPE, sub="dpo")).json()["code"] == "GW-277"
    desk = erasure_desk(gateway.ledger, gateway.stores)
    second = (await ask(post, subject["sub"])).json()
    later = NOW + timedelta(days=DAYS, seconds=1)
    with pytest.raises(ErasureNotWaitingError):
        await desk.approve(second["id"], officer_named("dpo", "gfm"), later)
    assert gateway.stores.tables.rows.read("SELECT count(*) FROM erasure_requests") == [(0,)]
    assert gateway.store.known_person("gfm", subject["sub"]) is not None


async def test_a_row_that_is_put_back_decides_nothing(post, client, pack, subject):
    """
    What was withdrawn is withdrawn by its record, also for whoever writes the row back into the table.
    """
    gateway = gateway_of(client)
    first = (await ask(post, subject["sub"])).json()
    rows = gateway.stores.tables.rows
    kept = rows.read("SELECT * FROM erasure_requests")
    await post(f"/v1/ledger/erasures/{first['id']}/withdraw", {}, scope=SCOPE, sub="dpo")
    rows.write("INSERT INTO erasure_requests VALUES (?, ?, ?, ?, ?, ?)", kept)
    refused = await post(f"/v1/ledger/erasures/{first['id']}/approve", {}, scope=SCOPE, sub="dpo")
    assert refused.json()["code"] == "GW-440"
    assert gateway.store.known_person("gfm", subject["sub"]) is not None


async def test_who_asked_and_is_erased_asks_for_nothing(post, get, client, pack, subject):
    """
    What an officer asked for goes with the officer, whose name stands in it; a tenant has room for so many that wait.
    """
    gateway = gateway_of(client)
    await ask(post, subject["sub"], sub="zelda")
    await ask(post, "zelda", sub="ann")
    [mine] = [one for one in await waiting(get) if one["asked_by"] == "ann"]
    await gateway.ledger.recorder.subject_token("gfm", "zelda")
    done = await post(f"/v1/ledger/erasures/{mine['id']}/approve", {}, scope=SCOPE, sub="dpo")
    assert done.json()["acts"] == 1, done.text
    assert await waiting(get) == []


async def test_room_for_those_that_wait(post, monkeypatch):
    """
    No tenant fills the table.
    """
    monkeypatch.setattr("gateway.privacy.asking.MOST", 1)
    assert (await ask(post, "one")).status_code == 202
    assert (await ask(post, "two")).json()["code"] == "GW-278"


def again():
    request = json.loads((HOME / "examples/npa-risk/request.json").read_text())
    request["items"] = [item for item in request["items"] if item["id"] == "npa-record"]
    request["query"] = "once more"
    return request
