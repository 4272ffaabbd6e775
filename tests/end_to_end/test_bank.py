"""The bundled bank through the whole gateway: the walkthrough's question alone, and servers that are killed, hang or lie."""

import asyncio
import json

import pytest

from gateway import errors
from gateway.bootstrap.gateway import running
from gateway.model import PackRequest, Subject
from gateway.pipeline import Asked
from gateway.settings import HOME
from tests.support.bank_servers import QUESTION, served_bank, started
from tests.support.clock import NOW
from tests.support.oracle import check_ledger, everything_stored, records

TOOLS = ["get_npa_by_id", "get_risk_checks", "get_form_data", "get_external_parties", "get_market_risk_factors"]
SUBJECT = json.loads((HOME / "examples/bank/subject.json").read_text())
INCIDENT = {
    **QUESTION,
    "agent_id": "ORM_ANALYST",
    "purpose": "incident_review",
    "entity": {"type": "incident", "id": "INC-2026-0004"},
}
COUNTERPARTY = {
    **QUESTION,
    "agent_id": "DESK_ANALYST",
    "purpose": "counterparty_review",
    "entity": {"type": "counterparty", "id": "CP-00004"},
}
WIDELY = {
    **SUBJECT,
    "department": "COO",
    "domains": None,
    "entitlements": None,
    "jurisdictions": ["SG", "HK", "IN", "TW", "ID", "AU"],
    "agents": ["RISK", "ORM_ANALYST", "DESK_ANALYST"],
}

pytestmark = pytest.mark.signatures


@pytest.fixture
def bank(tmp_path):
    with served_bank(tmp_path / "bank") as bank:
        yield bank


async def asked(gateway, question=QUESTION, subject=SUBJECT, **changes):
    request, who = PackRequest.model_validate({**question, **changes}), Subject.model_validate(subject)
    return await gateway.pipeline.assemble(Asked(request, who, NOW))


def items(pack):
    """What tools answered, by their names."""
    found = [item for section in pack.sections for item in section.items]
    return {item.id.removeprefix("tool:"): item for item in found if item.id.startswith("tool:")}


async def test_the_walkthrough(settings, bank):
    """
    The question alone gives its five systems of record, all of tier 1 and of Singapore, within the budget; pack and trace name
    the tools, each candidate has its record, and the ledger verifies. It is the same pack when the caller says where it is.
    """
    async with running(bank.settings(settings), clock=lambda: NOW) as gateway:
        pack = await asked(gateway)
        found = items(pack)
        ruled = records(gateway, kind="item.ruled")
        [trace] = await gateway.traces.get(SUBJECT["tenant"], ruled[0].trace_id)
        again = items(await asked(gateway, jurisdictions=["SG"]))
        check_ledger(gateway)
    assert [call.name for call in pack.runtime_state.tools_called] == TOOLS
    assert {call.status for call in pack.runtime_state.tools_called} == {"answered"}
    assert sorted(one["name"] for one in trace["tools_called"]) == sorted(TOOLS)
    assert sorted(found) == sorted(TOOLS)
    assert {one.provenance.source_id for one in found.values()} == {
        "SoR:npa_projects",
        "SoR:npa_risk_checks",
        "SoR:npa_form_data",
        "SoR:external_parties",
        "SoR:npa_market_risk_factors",
    }
    assert {(one.provenance.authority_tier, one.provenance.trust_class) for one in found.values()} == {(1, "TRUSTED")}
    assert {one.provenance.jurisdiction for one in found.values()} == {"SG"}
    fields = found["get_form_data"].content["fields"]
    assert sum(len(section) for section in fields.values()) == 339
    assert pack.scope_metadata["filters_applied"]["jurisdictions"] == ["GLOBAL", "SG"]
    report = pack.budget_report
    assert (report.total_tokens, report.response_headroom) == (128_000, 15_360)
    assert report.allocated + report.remaining == report.total_tokens
    assert {f"tool:{name}" for name in TOOLS} <= {one.item.id for one in ruled}
    assert {name: one.content for name, one in again.items()} == {name: one.content for name, one in found.items()}


async def test_tools_that_fail_beside_others(settings, bank):
    """
    Where tools that the contract only wants hang, name another project, break their schema or answer with an error, each has its
    own status and gives nothing; the pack holds the rest and says so. Where the one that is needed hangs, there is none.
    """
    faults = {
        "get_risk_checks": "hung",
        "get_form_data": "foreign",
        "get_external_parties": "schema",
        "get_market_risk_factors": "error",
    }
    async with running(bank.misbehaving(settings, seconds=3), clock=lambda: NOW) as gateway:
        await started(gateway)
        bank.told(faults)
        pack = await asked(gateway)
        await started(gateway)
        bank.told({"get_npa_by_id": "hung"})
        with pytest.raises(errors.SourceUnavailableError):
            await asked(gateway)
        stored = everything_stored(gateway)
        check_ledger(gateway)
    told = {call.name: call.status for call in pack.runtime_state.tools_called}
    assert told == {
        "get_npa_by_id": "answered",
        "get_risk_checks": "timed_out",
        "get_form_data": "foreign",
        "get_external_parties": "malformed",
        "get_market_risk_factors": "refused",
    }
    assert sorted(items(pack)) == ["get_npa_by_id"]
    [notice] = [one for one in pack.warnings if one.code == "TOOL-FAILED"]
    assert "get_form_data (foreign)" in notice.message
    assert "NPA-2026-00143" not in stored


WRONG = {
    "foreign": errors.SourceForeignError,
    "schema": errors.SourceMalformedError,
    "more": errors.SourceMalformedError,
    "nameless": errors.SourceMalformedError,
    "error": errors.SourceRefusedError,
    "huge": errors.SourceTooLargeError,
    "killed": errors.SourceUnavailableError,
}
"""What the tool of the record does wrong, and what the caller hears."""


async def test_the_record_that_is_needed(settings, bank):
    """
    Where the tool of the record does wrong, the request is refused with the code of that, which stands on record; nothing is
    released, a question of another system of record that is asked meanwhile is answered, and the next one is when it stops. A
    server over HTTP that is gone refuses only what is asked of it.
    """
    async with running(bank.misbehaving(settings, seconds=20), clock=lambda: NOW) as gateway:
        await started(gateway)
        for fault, error in WRONG.items():
            before = {one.request_id for one in records(gateway, kind="item.ruled")}
            bank.told({"get_npa_by_id": fault})
            refused, other = await asyncio.gather(
                asked(gateway), asked(gateway, INCIDENT, WIDELY, query=f"While {fault}."), return_exceptions=True
            )
            assert type(refused) is error, (fault, refused)
            assert "get_incident" in items(other), fault
            ruled = {one.request_id for one in records(gateway, kind="item.ruled")} - before
            assert ruled == {other.request["request_id"]}, fault
            assert error.code in {code for one in records(gateway, kind="request.opened") for code in one.codes}
            bank.told({})
            assert sorted(items(await asked(gateway))) == sorted(TOOLS), fault
        bank.desk.kill()
        bank.desk.wait()
        with pytest.raises(errors.SourceUnavailableError):
            await asked(gateway, COUNTERPARTY, WIDELY)
        check_ledger(gateway)


async def test_a_tool_that_changed(settings, bank):
    """
    A server that describes a tool otherwise than an officer accepted it is not asked it, and its other tools are.
    """
    chosen = bank.misbehaving(settings, seconds=20)
    bank.told({"get_risk_checks": "changed"})
    async with running(chosen, clock=lambda: NOW) as gateway:
        pack = await asked(gateway)
    told = {call.name: call.status for call in pack.runtime_state.tools_called}
    assert told.pop("get_risk_checks") == "changed"
    assert set(told.values()) == {"answered"}
    assert "get_risk_checks" not in items(pack)
