"""Contracts that bind: what an agent is refused, gets at most, and is told it lacks."""

import copy

import pytest

from gateway.errors import ContextStarvationError, PackRefusedError, RequestRefusedError
from tests.support.oracle import check_ledger, records
from tests.support.requests import asked, with_items

RESULT = {
    "id": "result",
    "section": "prior_result",
    "media_type": "application/json",
    "content": {"agent": "CLASSIFIER", "classification": "VARIATION", "confidence": 0.9},
}


@pytest.fixture
def request_(story):
    return story("npa-risk", "request")


def result(request, source_id, **changes):
    """A result as an agent hands it on, with the labels of the story's."""
    prior = next(item for item in request["items"] if item["id"] == "prior-classifier")
    return {**RESULT, "provenance": {**prior["provenance"], "source_id": source_id}, **changes}


async def codes_of(gateway, request, subject, name):
    await gateway.pipeline.assemble(asked(request, subject))
    [ruled] = [one for one in records(gateway, kind="item.ruled") if one.item.id == name]
    check_ledger(gateway)
    return ruled.outcome, ruled.codes


@pytest.mark.parametrize(
    ("source_id", "content", "codes"),
    [
        ("agent:EVIL", {"classification": "banana", "confidence": 7}, ("CTR-013", "CTR-015")),
        ("agent:EVIL", RESULT["content"], ("CTR-013", "CTR-015")),
        ("agent:CLASSIFIER", {"classification": "banana", "confidence": 7}, ("CTR-015",)),
        ("agent:MASTER_COO", RESULT["content"], ("CTR-014", "CTR-015")),
        ("SOP", RESULT["content"], ("CTR-013", "CTR-015")),
    ],
)
async def test_a_result_that_is_none(gateway, request_, subject, source_id, content, codes):
    """
    A result of nobody, against its schema or of an agent that passes none on is refused, for each reason.
    """
    kept = with_items(request_, "npa-record", "sop-4.2.1")
    kept["items"].append(result(request_, source_id, content=content))
    outcome, found = await codes_of(gateway, kept, subject, "result")
    assert (outcome, tuple(found)) == ("denied", codes)


async def test_a_result_that_meets_its_schema(gateway, request_, subject):
    """
    The result of a registered agent that is what its schema asks for is used.
    """
    kept = with_items(request_, "npa-record", "sop-4.2.1")
    kept["items"].append(result(request_, "agent:CLASSIFIER"))
    assert await codes_of(gateway, kept, subject, "result") == ("released", ())


async def test_delegation_data_is_not_for_a_worker(gateway, request_, subject):
    """
    A worker gets its task and not who was asked what.
    """
    kept = with_items(request_, "npa-record", "sop-4.2.1", "task")
    stack = copy.deepcopy(kept["items"][-1])
    stack.update(id="stack", section="memory")
    stack["provenance"]["doc_section"] = "delegation_stack"
    kept["items"].append(stack)
    outcome, codes = await codes_of(gateway, kept, subject, "stack")
    assert outcome == "denied"
    assert "CTR-012" in codes


async def test_a_missing_source_is_named(gateway, request_, subject):
    """
    Without the record that the contract requires there is no pack, and the error names it; sources that are only wanted are
    named in the pack and in the prompt.
    """
    kept = with_items(request_, "npa-record", "sop-4.2.1", render="openai")
    pack = await gateway.pipeline.assemble(asked(kept, subject))
    [warning] = [warning for warning in pack.warnings if warning.code == "SRC-MISSING"]
    assert "MAS_Notices" in warning.message
    assert "get_npa_by_id" not in warning.message
    assert warning.message in str(pack.messages)
    kept["items"][0]["provenance"]["source_id"] = "SoR:something_else"
    with pytest.raises(ContextStarvationError) as refused:
        await gateway.pipeline.assemble(asked(kept, subject))
    assert ("required_sources[get_npa_by_id]", "is required by the agent's contract") in refused.value.fields
    assert "get_npa_by_id" in refused.value.detail
    assert "CTR-007" in refused.value.reasons


async def test_a_refused_set_says_why_by_source(gateway, request_, subject):
    """
    A refusal of the whole names the sources that the caller brought and how often which code refused them.
    """
    kept = with_items(request_, "sop-4.2.1", "mas-expired")
    with pytest.raises(PackRefusedError) as refused:
        await gateway.pipeline.assemble(asked(kept, subject))
    assert ("sources[MAS_CIRC_FX_2022]", "1 refused: FRS-004 (1)") in refused.value.fields


async def test_older_turns_stay_out(gateway, request_, subject):
    """
    The newest four turns are in the pack; the others are in the drop report, for the contract.
    """
    turns = [item["id"] for item in request_["items"] if item["section"] == "conversation"]
    kept = with_items(request_, "npa-record", "sop-4.2.1", *turns)
    pack = await gateway.pipeline.assemble(asked(kept, subject))
    [talk] = [section for section in pack.sections if section.type == "conversation"]
    assert [item.id for item in talk.items] == turns[-4:]
    dropped = {drop.item_id: drop.reason for drop in pack.drop_report}
    assert dropped == dict.fromkeys(turns[:-4], "contract")
    on_record = [one.item.id for one in records(gateway, kind="item.dropped")]
    assert sorted(on_record) == sorted(turns[:-4])


async def test_one_example_is_warned_of(gateway, request_, subject):
    """
    Two examples are as the contract wants it; one alone is warned of, by name.
    """
    shots = [item for item in request_["items"] if item["section"] == "few_shot"]
    kept = with_items(request_, "npa-record", "sop-4.2.1", *(shot["id"] for shot in shots))
    lone = with_items(request_, "npa-record", "sop-4.2.1", shots[0]["id"])
    pack = await gateway.pipeline.assemble(asked(kept, subject))
    assert not [warning for warning in pack.warnings if warning.code == "FEW-SHOTS"]
    pack = await gateway.pipeline.assemble(asked(lone, subject))
    assert [warning.items for warning in pack.warnings if warning.code == "FEW-SHOTS"] == [(shots[0]["id"],)]


async def test_a_draft_answers_testers_only(gateway, request_, subject):
    """
    An agent whose contract is in draft answers nobody but who tests it.
    """
    kept = with_items(request_, "sop-4.2.1", "task", agent_id="NPA_REVIEWER", purpose="output_review")
    kept["items"].append(result(request_, "agent:CLASSIFIER"))
    with pytest.raises(RequestRefusedError) as refused:
        await gateway.pipeline.assemble(asked(kept, subject))
    assert "CTR-009" in refused.value.reasons
    tester = {**subject, "entitlements": ["npa:read", "contracts:test"]}
    pack = await gateway.pipeline.assemble(asked(kept, tester))
    assert "result" in {item.id for section in pack.sections for item in section.items}


async def test_a_reviewer_sees_one_agent(gateway, request_, subject):
    """
    A second agent's result beside the one under review refuses the whole.
    """
    tester = {**subject, "entitlements": ["npa:read", "contracts:test"]}
    kept = with_items(request_, "sop-4.2.1", "task", agent_id="NPA_REVIEWER", purpose="output_review")
    other = {"id": "other", "content": {"agent": "RISK", "summary": "Fine."}}
    kept["items"] += [result(request_, "agent:CLASSIFIER"), result(request_, "agent:RISK", **other)]
    with pytest.raises(PackRefusedError) as refused:
        await gateway.pipeline.assemble(asked(kept, tester))
    assert refused.value.reasons == ("CTR-010",)


async def test_the_pack_says_how_sensitive_its_domain_is(gateway, request_, subject):
    """
    The sensitivity of the domain stands with the scope of the pack.
    """
    pack = await gateway.pipeline.assemble(asked(with_items(request_, "npa-record", "sop-4.2.1"), subject))
    assert pack.scope_metadata["data_sensitivity"] == gateway.registry.domains["NPA"].sensitivity
