"""Obligations, carried out."""

from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from tests.support.clock import NOW
from tests.support.oracle import records
from tests.support.packs import items_of


async def test_an_orchestrator_sees_listed_members(gateway, story, subject):
    """
    Of a record an orchestrator sees the members that policy lists; the rest never reaches the pack, and text is refused.
    """
    request = story("npa-risk", "request")
    record = next(item for item in request["items"] if item["id"] == "npa-record")
    record["content"] = {"status": "RISK_REVIEW", "notional_usd": 120_000_000, "form": {"field": "secret of the form"}}
    text = {**record, "id": "text", "content": "The record in words.", "media_type": "text/plain"}
    body = {**request, "agent_id": "NPA_ORCHESTRATOR", "purpose": "routing", "items": [record, text]}
    pack = await gateway.pipeline.assemble(
        Asked(PackRequest.model_validate(body), Subject.model_validate(subject), NOW)
    )
    [item] = [item for section in pack.sections for item in section.items]
    assert item.content == {"status": "RISK_REVIEW"}
    assert pack.withheld.codes == {"EXP-001": 1}
    assert pack.runtime_state.exposed_fields == {"npa-record": ("status",)}
    assert "secret of the form" not in pack.model_dump_json()
    [ruled] = [one for one in records(gateway, kind="item.ruled") if one.outcome == "redacted"]
    assert ruled.obligations == ("expose", "rename")


async def test_redaction_keeps_json_whole(gateway, ask, story):
    """
    Personal values in JSON are changed one by one, and the shape stays.
    """
    pack = await gateway.pipeline.assemble(ask(story("npa-risk", "request")))
    record = items_of(pack)["customer-record"].content
    assert record["nric"] == "<SG_NRIC_FIN>"
    assert record["mobile"] == "+** **** 4567"
    assert record["accredited_investor"] is True
    assert record["customer_id"] == "C-77120"
