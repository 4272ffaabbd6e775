"""Jurisdictions of a request that names none."""

import pytest

from gateway import errors
from gateway.bootstrap.gateway import running
from tests.support import records_bank as bank
from tests.support.clock import NOW
from tests.support.packs import items_of


@pytest.fixture
async def calls(settings, tmp_path):
    async with running(bank.calling(settings, tmp_path), clock=lambda: NOW) as started:
        yield started


async def test_they_are_those_of_the_record(calls, ask):
    """
    What the record lists is what policy and every later stage are told; the record is fetched once.
    """
    for listed in ("SG", ["SG"], ["SG", "GLOBAL"]):
        pipeline, box = bank.answering(calls, {"get_npa_by_id": {**bank.RECORD, "jurisdictions": listed}})
        pack = await pipeline.assemble(ask(bank.REQUEST))
        assert pack.scope_metadata["filters_applied"]["jurisdictions"] == ["GLOBAL", "SG"]
        assert [call.tool.id for call in box.calls].count("get_npa_by_id") == 1


async def test_policy_decides_on_what_was_found(calls, ask):
    """
    A record of another jurisdiction than the person holds is refused as if the request had named it; nothing more is asked.
    """
    for listed in (["HK"], ["SG", "HK"]):
        pipeline, box = bank.answering(calls, {"get_npa_by_id": {**bank.RECORD, "jurisdictions": listed}})
        with pytest.raises(errors.RequestRefusedError) as caught:
            await pipeline.assemble(ask(bank.REQUEST))
        assert caught.value.reasons == ("SCP-003",)
        assert [call.tool.id for call in box.calls] == ["get_npa_by_id"]


async def test_nothing_is_asked_for_whom_policy_refuses(calls, ask):
    """
    Whoever may not ask about such an entity at all is told so before a source is.
    """
    pipeline, box = bank.answering(calls, {})
    for claims, code in (({"department": "DESK"}, "SCP-004"), ({"role": "nobody"}, "SCP-001")):
        with pytest.raises(errors.RequestRefusedError) as caught:
            await pipeline.assemble(ask(bank.REQUEST, **claims))
        assert caught.value.reasons == (code,)
    with pytest.raises(errors.AgentNotOfTokenError):
        await pipeline.assemble(ask(bank.REQUEST, agents=["CLASSIFIER"]))
    assert box.calls == []


async def test_a_record_that_says_nothing(calls, ask):
    """
    No record, no jurisdiction in it, or one that the bundle does not know: the request must name them.
    """
    bare = {"project_id": bank.PROJECT, "jurisdiction": "SG"}
    for answer in (
        {},
        bare,
        {**bare, "jurisdictions": []},
        {**bare, "jurisdictions": ["SG", "XX"]},
        {**bare, "jurisdictions": ["SG", {"code": "HK"}]},
    ):
        pipeline, _ = bank.answering(calls, {"get_npa_by_id": answer})
        with pytest.raises(errors.EntityUnresolvedError):
            await pipeline.assemble(ask(bank.REQUEST))


async def test_every_record_is_heard(settings, tmp_path, ask):
    """
    Of two records of an entity the one that is silent, or lists nothing, may be the one that would list what is stricter.
    """
    second = bank.tool("SoR:npa_risk_checks", "form", result={"section": "entity", "rows": None})
    where = bank.calling(settings, tmp_path, tools={**bank.TOOLS, "get_risk_checks": second})
    domains = where.policies_dir / "registry/domains/data.yaml"
    domains.write_text(domains.read_text().replace('"SoR:projects",', '"SoR:projects", "SoR:npa_risk_checks",', 1))
    async with running(where, clock=lambda: NOW) as started:
        pipeline, _ = bank.answering(started, {"get_risk_checks": {**bank.RECORD, "jurisdictions": ["HK"]}})
        with pytest.raises(errors.RequestRefusedError):
            await pipeline.assemble(ask(bank.REQUEST))
        pipeline, _ = bank.answering(started, {"get_risk_checks": errors.SourceUnavailableError("down")})
        with pytest.raises(errors.SourceUnavailableError):
            await pipeline.assemble(ask(bank.REQUEST))
        pipeline, _ = bank.answering(started, {"get_risk_checks": bank.FORM})
        with pytest.raises(errors.EntityUnresolvedError):
            await pipeline.assemble(ask(bank.REQUEST))


async def test_a_fault_of_the_record(calls, ask):
    """
    A source that lies or is down stops the request with its own code.
    """
    lie = {**bank.RECORD, "project_id": bank.OTHER}
    for answer, error in ((lie, errors.SourceForeignError), (errors.SourceUnavailableError("x"),) * 2):
        pipeline, _ = bank.answering(calls, {"get_npa_by_id": answer})
        with pytest.raises(type(error) if isinstance(error, Exception) else error):
            await pipeline.assemble(ask(bank.REQUEST))


async def test_without_a_record_they_must_be_named(gateway, calls, ask):
    """
    Where tools are off, or the request is about nothing or its contract requires no record, the field is missing.
    """
    pipeline, _ = bank.answering(calls, {})
    routing = {**bank.REQUEST, "agent_id": "IDEATION"}
    for asked, of in (
        ({**bank.REQUEST, "entity": None}, pipeline),
        (routing, pipeline),
        (bank.REQUEST, gateway.pipeline),
    ):
        with pytest.raises(errors.FieldInvalidError) as caught:
            await of.assemble(ask(asked))
        assert caught.value.fields[0][0] == "jurisdictions"
        # Whose token speaks for another agent learns nothing of this one's contract.
        with pytest.raises(errors.AgentNotOfTokenError):
            await of.assemble(ask(asked, agents=["CLASSIFIER"]))


async def test_what_the_request_names_is_held_against_the_record(calls, ask):
    """
    A request that names a jurisdiction which the entity's record does not list is refused, as it always was.
    """
    pipeline, _ = bank.answering(calls, {"get_npa_by_id": {**bank.RECORD, "jurisdictions": ["HK"]}})
    with pytest.raises(errors.EntityJurisdictionsError):
        await pipeline.assemble(ask({**bank.REQUEST, "jurisdictions": ["SG"]}))


async def test_real_tables(calls, ask):
    """
    Over a database the question alone gives the record, its checks and its form; history is for whom policy lets ask.
    """
    pack = await calls.pipeline.assemble(ask(bank.REQUEST))
    called = {name for name in items_of(pack) if name.startswith("tool:")}
    assert called == {"tool:get_npa_by_id", "tool:get_risk_checks", "tool:get_form_data"}
    past = {**bank.REQUEST, "as_of": "2026-02-01T00:00:00Z"}
    with pytest.raises(errors.RequestRefusedError) as caught:
        await calls.pipeline.assemble(ask(past))
    assert caught.value.reasons == ("SCP-007",)
    reviewing = {"agent_id": "GOVERNANCE", "purpose": "governance_review"}
    pack = await calls.pipeline.assemble(ask({**past, **reviewing}, role="approver"))
    assert "HISTORICAL" in {one.code for one in pack.warnings}
    assert pack.scope_metadata["as_of"] == past["as_of"]
    # Before anybody knew of the project there is no record of it.
    with pytest.raises(errors.EntityUnresolvedError):
        await calls.pipeline.assemble(ask({**past, **reviewing, "as_of": "2025-02-01T00:00:00Z"}, role="approver"))


async def test_moments_without_records(calls, ask):
    """
    A moment of which there can be no record is no moment: as a text it could come after today, or it is none in UTC.
    """
    for moment in ("0999-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "1899-12-31T23:59:59Z"):
        pipeline, box = bank.answering(calls, {})
        with pytest.raises(errors.FieldInvalidError) as caught:
            await pipeline.assemble(ask({**bank.REQUEST, "as_of": moment}, role="approver"))
        assert (caught.value.fields[0][0], box.calls) == ("as_of", [])


async def test_no_tool_gives_the_present_for_the_past(calls, ask):
    """
    A tool that takes no `as_of` is not called for history.
    """
    pipeline, box = bank.answering(calls, {})
    past = {**bank.REQUEST, "purpose": "document_check", "as_of": "2026-02-01T00:00:00Z"}
    pack = await pipeline.assemble(ask(past, role="approver"))
    assert {call.name: call.status for call in pack.runtime_state.tools_called} == {
        "get_npa_by_id": "answered",
        "get_risk_checks": "not_askable",
        "get_form_data": "not_askable",
    }
    assert [call.arguments for call in box.calls] == [
        {"project": bank.PROJECT, "moment": "2026-02-01T00:00:00.000000Z"}
    ]
