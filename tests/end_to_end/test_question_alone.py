"""From the question to the pack over HTTP, and back when the system of record is gone."""

import pytest

from tests.support import records_bank as bank


@pytest.fixture
def settings(settings, tmp_path):
    return bank.calling(settings, tmp_path)


def contents(pack):
    return {item["id"]: item["content"] for section in pack["sections"] for item in section["items"]}


async def test_a_question_is_enough(post, tmp_path):
    """
    Agent, purpose, entity and question give the record, its checks and its form; the trace and the pack name the tools; once the
    database is gone the next request ends with its code, and one that brings no need of it is answered as before.
    """
    answer = await post("/v1/packs", bank.REQUEST)
    assert answer.status_code == 200, answer.text
    pack = answer.json()
    found = contents(pack)
    assert found["tool:get_npa_by_id"]["project_id"] == bank.PROJECT
    assert [row["domain"] for row in found["tool:get_risk_checks"]["rows"]] == ["credit", "market"]
    assert found["tool:get_form_data"]["underlying"] == "USD/SGD spot"
    assert [call["status"] for call in pack["runtime_state"]["tools_called"]] == ["answered"] * 3
    assert "duration_ms" not in str(pack["runtime_state"])
    rulings = await post("/v1/rulings", bank.REQUEST)
    assert {one["item_id"] for one in rulings.json()["rulings"]} >= {name for name in found if name.startswith("tool:")}

    # The entity of another jurisdiction, and one that there is not.
    other = await post("/v1/packs", {**bank.REQUEST, "entity": {"type": "project", "id": bank.OTHER}})
    assert (other.status_code, other.json()["code"]) == (403, "GW-150")
    none = await post("/v1/packs", {**bank.REQUEST, "entity": {"type": "project", "id": "NPA-2026-99999"}})
    assert (none.status_code, none.json()["code"]) == (422, "GW-266")
    future = await post("/v1/packs", {**bank.REQUEST, "as_of": "2099-01-01T00:00:00Z"})
    assert (future.status_code, future.json()["errors"][0]["field"]) == (422, "as_of")

    (tmp_path / "records.sqlite").unlink()
    gone = await post("/v1/packs", bank.REQUEST)
    assert (gone.status_code, gone.json()["code"]) == (503, "GW-501")
    assert bank.PROJECT not in gone.json()["detail"]
    taxonomy = {"agent_id": "DCE_ANALYST", "entity": None, "jurisdictions": ["SG"]}
    assert (await post("/v1/packs", {**bank.REQUEST, **taxonomy}, department="OPERATIONS")).json()["code"] != "GW-501"


async def test_the_same_request_has_the_same_pack(post):
    """
    What tools answer is part of the decision: asked again under the same clock it is the same decision, with the same bytes.
    """
    stated = {**bank.REQUEST, "jurisdictions": ["SG"], "session_id": "s-1"}
    first, second = [(await post("/v1/packs", stated)).json() for _ in range(2)]
    for pack in (first, second):
        del pack["receipt"]
        pack["request"].pop("trace_id")
    assert contents(first) == contents(second)
    assert first["runtime_state"] == second["runtime_state"]
