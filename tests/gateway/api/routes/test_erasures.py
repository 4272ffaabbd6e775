"""A person is forgotten over HTTP."""

import hmac
import json

from gateway.audit.replay import ERASED
from gateway.settings import HOME
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
    answer = await post(
        "/v1/ledger/erasures",
        {"subject": subject["sub"], "basis": "request of 3 March"},
        scope="erasure:write",
        sub="dpo",
    )
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
    assert (erased.item.id, erased.codes) == (token, ("ERASED",))
    basis = gateway.ledger.parts.evidence.erasables([erased.decision_id])[erased.decision_id]
    assert basis.content == b"request of 3 March"
    check_ledger(gateway)
    await post("/v1/packs", again(), sub=subject["sub"])
    assert records(gateway, kind="item.ruled")[-1].subject != token


async def test_whoever_was_never_there(post):
    """
    Erasing nobody is an error, and takes its scope.
    """
    body = {"subject": "nobody", "basis": "x"}
    assert (await post("/v1/ledger/erasures", body, scope="erasure:write")).status_code == 404
    assert (await post("/v1/ledger/erasures", body)).status_code == 403


def again():
    request = json.loads((HOME / "examples/npa-risk/request.json").read_text())
    request["items"] = [item for item in request["items"] if item["id"] == "npa-record"]
    request["query"] = "once more"
    return request
