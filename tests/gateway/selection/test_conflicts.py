"""What contradicts, and what gives way."""

from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from tests.support.clock import NOW
from tests.support.packs import items_of


async def test_a_field_of_the_record_stands(gateway, story, subject):
    """
    Where an agent's result gives a field of the entity another value than the system of record, the record's stands and
    the result goes without it; fields that are not in the table, or that the record has not set, are left alone.
    """
    request = story("npa-risk", "request")
    wanted = {"npa-record", "sop-4.2.1"}
    items = [item for item in request["items"] if item["id"] in wanted]
    record = next(item for item in items if item["id"] == "npa-record")
    record["content"] = {"credit_limit": 50_000_000, "remark": "a", "risk_level": None}
    result = {
        **record,
        "id": "result",
        "section": "prior_result",
        "content": {"credit_limit": 40_000_000, "remark": "b", "risk_level": "HIGH"},
        "provenance": {
            **record["provenance"],
            "source_type": "agent_output",
            "source_id": "agent",
            "doc_section": "x",
        },
    }
    body = PackRequest.model_validate({**request, "items": [*items, result]})
    pack = await gateway.pipeline.assemble(Asked(body, Subject.model_validate(subject), NOW))
    contents = {item.id: item.content for section in pack.sections for item in section.items}
    assert contents["npa-record"] == {"credit_limit": 50_000_000, "remark": "a", "risk_level": None}
    assert contents["result"] == {"remark": "b", "risk_level": "HIGH"}
    [warning] = [warning for warning in pack.warnings if warning.code == "FIELD-CONFLICT"]
    assert set(warning.items) == {"npa-record", "result"}


async def test_undecided_conflicts_are_flagged_for_a_person(gateway, ask, small):
    """
    Where no rule decides between two sources both stay, with a warning that names them.
    """
    sop = next(item for item in small["items"] if item["id"] == "sop-4.2.1")
    rival = {
        **sop,
        "id": "rival",
        "content": "Something else.",
        "provenance": {**sop["provenance"], "version": "3.2b"},
    }
    pack = await gateway.pipeline.assemble(ask({**small, "items": [*small["items"], rival]}))
    assert [(w.code, w.items) for w in pack.warnings] == [("CONFLICT", ("sop-4.2.1", "rival"))]
    assert {"sop-4.2.1", "rival"} <= set(items_of(pack))
