"""Which tools are called for a request."""

import pytest

from gateway.model import Candidate
from gateway.model.contract import RequiredSource
from gateway.model.sources.entry import SourceEntry
from gateway.model.sources.tools import Tool
from gateway.policy.registry import registry_of
from gateway.sourcing.plan import plan
from tests.support import records_bank as bank
from tests.support.bundles import SHIPPED
from tests.support.packing import case_of

REGISTRY = registry_of(SHIPPED)
ENTITY = {"type": "project", "id": bank.PROJECT}
SIGNED = "eyJhbGciOiJFZERTQSJ9..c2lnbmVk"


def registry(tools=bank.TOOLS, required=None, **source):
    needs = [{"missing": "warn", "sources": [], "with_entity": True, **one} for one in required] if required else None
    contracts = dict(REGISTRY.contracts)
    if needs is not None:
        own = REGISTRY.agents["RISK"].contract
        parsed = tuple(map(RequiredSource.model_validate, needs))
        contracts[own] = contracts[own].model_copy(update={"required_sources": parsed})
    made = {name: Tool.model_validate({"id": name, **row}) for name, row in tools.items()}
    entry = SourceEntry.model_validate({"id": "sor-records", **bank.SOURCE, **source})
    sources = {**REGISTRY.sources, "sor-records": entry}
    return REGISTRY.model_copy(update={"tools": made, "contracts": contracts, "sources": sources})


def planned(case, registry):
    return plan(case, registry, lambda item: item.attestation == SIGNED)


def names(found):
    return [(one.tool.id, one.needed, one.record) for one in found]


def brought(attestation=SIGNED, **labels):
    said = {"source_id": "SoR:npa_projects", "entity_id": bank.PROJECT, **labels}
    item = {"id": "a", "section": "entity", "content": {}, "provenance": said, "attestation": attestation}
    return Candidate.model_validate(item)


def test_what_the_contract_requires_is_called_in_its_order():
    """
    A tool by its own name; whether the request fails without it is the contract's word, or its source's.
    """
    case = case_of(entity=ENTITY)
    wanted = [("get_npa_by_id", True, True), ("get_risk_checks", False, False), ("get_form_data", False, False)]
    assert names(planned(case, registry())) == wanted
    assert {one.needed for one in planned(case, registry(critical=True))} == {True}


def test_a_tool_may_fill_a_need_by_what_it_gives():
    """
    Where no tool has the need's name, the first whose results are what is needed is called, each once.
    """
    needs = [
        {"name": "record", "sources": ["SoR:npa_p*"]},
        {"name": "x", "sources": ["SoR:npa_projects"], "missing": "refuse"},
    ]
    assert names(planned(case_of(entity=ENTITY), registry(required=needs))) == [("get_npa_by_id", True, True)]
    assert planned(case_of(entity=ENTITY), registry(required=[{"name": "record", "sources": ["SoR:other*"]}])) == ()


@pytest.mark.parametrize(
    ("changes", "tools"),
    [
        ({}, bank.TOOLS),
        ({"entity": ENTITY}, {"get_npa_by_id": {**bank.TOOLS["get_npa_by_id"], "domains": ["DESK"]}}),
        ({"entity": ENTITY}, {"get_npa_by_id": {**bank.TOOLS["get_npa_by_id"], "result": None}}),
    ],
    ids=["no entity", "another domain", "only shown"],
)
def test_what_is_not_called(changes, tools):
    """
    Nothing about an entity where there is none, nothing for another domain, nothing that only agents call.
    """
    assert planned(case_of(**changes), registry(tools)) == ()


def test_what_was_brought_signed_is_not_asked_for():
    """
    An item of the entity that somebody vouches for stands for the call; one that nobody signed, with a signature that does not
    hold, or of another entity, does not.
    """
    for item, asked in (
        (brought(), False),
        (brought(source_id="get_npa_by_id"), False),
        (brought(None), True),
        (brought("eyJhbGciOiJFZERTQSJ9..Zm9yZ2Vk"), True),
        (brought(entity_id=bank.OTHER), True),
        (brought(source_id="SoR:npa_projects_old"), True),
    ):
        case = case_of(entity=ENTITY)
        case = case.model_copy(update={"request": case.request.model_copy(update={"items": (item,)})})
        assert ("get_npa_by_id" in {one.tool.id for one in planned(case, registry())}) is asked


@pytest.mark.parametrize(
    ("fact", "changes", "value"),
    [
        ("entity.id", {}, bank.PROJECT),
        ("entity.type", {}, "project"),
        ("entity.number", {}, 142),
        ("entity.number", {"entity": {"type": "project", "id": "NPA"}}, None),
        ("entity.number", {"entity": {"type": "project", "id": "1" * 16}}, None),
        ("entity.number", {"entity": {"type": "project", "id": "NPA-٣"}}, None),
        ("jurisdictions", {"jurisdictions": ["SG", "HK"]}, ["SG", "HK"]),
        ("jurisdiction", {"jurisdictions": ["SG"]}, "SG"),
        ("jurisdiction", {"jurisdictions": ["SG", "HK"]}, None),
        ("query", {"query": "why"}, "why"),
        ("query", {"query": None}, None),
        ("domain", {}, "NPA"),
        ("purpose", {}, "risk_assessment"),
        ("agent", {}, "RISK"),
    ],
)
def test_arguments(fact, changes, value):
    """
    Each fact is the request's; a tool that takes one which the request lacks cannot be asked.
    """
    tools = {"get_npa_by_id": {**bank.TOOLS["get_npa_by_id"], "arguments": {"x": fact}}}
    case = case_of(**{"entity": ENTITY, **changes})
    [one] = planned(case, registry(tools, [{"name": "get_npa_by_id"}]))
    assert one.arguments == (None if value is None else {"x": value})


def test_the_past():
    """
    Asked for the past, a tool is told the moment in one form, whatever its offset; one that takes none cannot be asked.
    """
    case = case_of(entity=ENTITY)
    request = case.request.model_copy(update={"as_of": "2026-02-01T08:00:00+08:00"})
    record, checks, _ = planned(case.model_copy(update={"request": request}), registry())
    assert record.arguments == {"project": bank.PROJECT, "moment": "2026-02-01T00:00:00.000000Z"}
    assert checks.arguments is None
