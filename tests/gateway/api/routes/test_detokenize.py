"""Tokens lead back, for those who may know, on record."""

import json
import re

import pytest

from gateway.api.admission import Rates
from tests.support.oracle import check_ledger, everything_stored, records
from tests.support.web import is_problem, refusals, server_of

CHECKER = {"role": "checker", "scope": "pii:detokenize", "purposes": ["risk_assessment"], "session_id": "s-1"}
"""Claims of a checker whose token is for the session, and the purpose, that tokens were made for."""


@pytest.fixture
def tokenised(small):
    [mail] = [item for item in small["items"] if item["id"] == "email-client"]
    mail["content"] = "Please pay meera.k@okhdfcbank today, and tell meera.k@okhdfcbank that you did."
    return {**small, "session_id": "s-1"}


async def test_a_value_is_a_token_and_leads_back(post, client, tokenised):
    """
    One value is one token in the pack; whoever may know it for the same purpose is told, others are not, all on record.
    """
    pack = (await post("/v1/packs", tokenised)).json()
    text = json.dumps(pack)
    assert "meera.k@okhdfcbank" not in text
    [token] = set(re.findall(r"<IN_UPI:[a-z2-7]{12}>", text))
    assert text.count(token) == 2
    ask = {"tokens": [token, "<IN_UPI:aaaaaaaaaaaa>"], "purpose": tokenised["purpose"]}
    told = (await post("/v1/detokenize", ask, **CHECKER)).json()
    assert told["tokens"] == [
        {"token": token, "value": "meera.k@okhdfcbank", "codes": []},
        {"token": "<IN_UPI:aaaaaaaaaaaa>", "value": None, "codes": ["DTK-000"]},
    ]
    for claims, codes in (
        ({"role": "analyst"}, ["DTK-002", "DTK-007"]),
        ({"tenant": "other"}, ["DTK-000"]),
        ({"purposes": None}, ["DTK-003"]),
        ({"purposes": ["routing"]}, ["DTK-003"]),
        ({"jurisdictions": ["HK"]}, ["DTK-004"]),
        ({"department": "DESK"}, ["DTK-005"]),
        ({"domains": ["ORM"]}, ["DTK-005"]),
        ({"entitlements": []}, ["DTK-005"]),
        ({"session_id": "s-2"}, ["DTK-006"]),
        ({"session_id": None}, ["DTK-006"]),
    ):
        answer = (await post("/v1/detokenize", ask, **{**CHECKER, **claims})).json()
        assert answer["tokens"][0]["value"] is None
        assert answer["tokens"][0]["codes"] == codes
    other = {**ask, "purpose": "general_research"}
    answer = (await post("/v1/detokenize", other, **{**CHECKER, "purposes": ["general_research"]})).json()
    assert answer["tokens"][0]["codes"] == ["DTK-001"]
    assert (await post("/v1/detokenize", ask)).json()["code"] == "GW-107"
    gateway = client.app.state.gateway
    reveals = records(gateway, kind="token.revealed")
    assert [record.outcome for record in reveals][:2] == ["released", "denied"]
    assert token not in everything_stored(gateway)
    assert "meera" not in everything_stored(gateway)
    check_ledger(gateway)


async def test_a_registered_case_stands_for_the_purpose_of_the_token(post, client, tokenised):
    """
    Whoever names a case that the bundle registers for the purpose, domain and jurisdictions learns the value without the purpose in
    their own token, and the case is on record; another case, or another session beside it, leads nowhere.
    """
    pack = (await post("/v1/packs", tokenised)).json()
    [token] = set(re.findall(r"<IN_UPI:[a-z2-7]{12}>", json.dumps(pack)))
    ask = {"tokens": [token], "purpose": tokenised["purpose"]}
    found = []
    for case, claims in (
        ("CASE-2026-001", {}),
        (None, {}),
        ("CASE-2026-999", {}),
        ("CASE-2026-001", {"session_id": "s-2"}),
        ("CASE-2026-001", {"role": "analyst"}),
    ):
        answer = await post("/v1/detokenize", {**ask, "case": case}, **{**CHECKER, "purposes": [], **claims})
        [told] = answer.json()["tokens"]
        found.append((told["value"] is not None, told["codes"]))
    assert found == [
        (True, []),
        (False, ["DTK-003"]),
        (False, ["DTK-003"]),
        (False, ["DTK-006"]),
        (False, ["DTK-002", "DTK-007"]),
    ]
    assert records(client.app.state.gateway, kind="token.revealed")[0].codes == ("CASE-2026-001",)
    words = await post("/v1/detokenize", {**ask, "case": "because ann lee asked me"}, **CHECKER)
    is_problem(words, 422, "GW-120")


async def test_sessions_are_apart_and_repeats_are_the_same(post, tokenised):
    """
    The same request gives the same token, another session another one.
    """
    first = (await post("/v1/packs", tokenised)).json()
    again = (await post("/v1/packs", tokenised)).json()
    other = (await post("/v1/packs", {**tokenised, "session_id": "s-2"})).json()
    names = [set(re.findall(r"<IN_UPI:[a-z2-7]{12}>", json.dumps(pack))) for pack in (first, again, other)]
    assert names[0] == names[1]
    assert not names[0] & names[2]


async def test_without_the_vault_nothing_is_released(post, client, tokenised):
    """
    If the vault does not take what a token stands for, the request fails with its code.
    """
    client.app.state.gateway.stores.tables.close()
    answer = await post("/v1/packs", tokenised)
    assert (answer.status_code, answer.json()["code"]) == (503, "GW-402")


async def test_a_purpose_that_nobody_registered_is_written_nowhere(post, client):
    """
    A purpose of the caller's own is refused, whatever the token says, and stands in no record.
    """
    mine = "because ann lee asked me"
    ask = {"tokens": ["<PERSON:aaaaaaaaaaaa>"], "purpose": mine}
    is_problem(await post("/v1/detokenize", ask, **{**CHECKER, "purposes": [mine]}), 422, "GW-141")
    gateway = client.app.state.gateway
    assert records(gateway, kind="token.revealed") == []
    assert mine not in everything_stored(gateway)


async def test_nobody_learns_at_an_unusual_rate(post, client):
    """
    A person who asks the meaning of more tokens than one may is refused, on record and counted, under whatever name and tenant;
    others are not.
    """
    server_of(client).rates = Rates(None, None, "4/hour")
    ask = {"tokens": [f"<PERSON:aaaaaaaaaaa{end}>" for end in "abc"], "purpose": "risk_assessment"}
    assert (await post("/v1/detokenize", ask, sub="ann", **CHECKER)).status_code == 200
    for same in ({"sub": "ann"}, {"sub": "ANN", "tenant": "asia"}):
        is_problem(await post("/v1/detokenize", ask, **{**CHECKER, **same}), 429, "GW-184")
    assert (await post("/v1/detokenize", ask, sub="ben", **CHECKER)).status_code == 200
    assert refusals(client) == [(("GW-184",), "denied")] * 2
    assert len(records(client.app.state.gateway, kind="token.revealed")) == 6
    metrics = (await client.get("/metrics")).text
    assert 'ctxgate_reveals_total{result="refused"} 6.0' in metrics
    assert 'ctxgate_reveals_total{result="limited"} 2.0' in metrics
