"""The metrics of the blueprint count what their names say."""

import pytest

from prometheus_client import CollectorRegistry

from gateway.model.policy_answer import Denial, IncidentCodes, Obligation
from gateway.observability.incidents import Incidents
from tests.support.packing import ruling
from tests.support.requests import asked

CODES = IncidentCodes(trust=("TRU-001", "ATT-*"), stale=("FRS-002",), conflict=("CONFLICT", "FIELD-CONFLICT"))


@pytest.fixture
def registry():
    return CollectorRegistry()


@pytest.fixture
def incidents(registry):
    return Incidents(registry)


@pytest.mark.parametrize(
    ("code", "trust", "stale"),
    [
        ("TRU-001", 1, 0),
        ("ATT-007", 1, 0),
        ("TRU-004", 0, 0),
        ("TRU-0010", 0, 0),
        ("FRS-002", 0, 1),
        ("FRS-003", 0, 0),
    ],
)
def test_what_was_refused_counts_by_the_table_alone(incidents, registry, code, trust, stale):
    """
    A code counts where the table lists it, whole or by its beginning; a missing label is no violation of trust.
    """
    refused = ruling("a").model_copy(
        update={"outcome": "denied", "denials": (Denial(code=code, message="x"), Denial(code="X-1", message="x"))}
    )
    for one in (refused, ruling("b")):
        incidents.ruled(one, CODES)
    value = registry.get_sample_value
    assert value("trust_violations_total") == trust
    assert value("stale_data_incidents_total", {"kind": "refused"}) == stale
    assert value("stale_data_incidents_total", {"kind": "near"}) == 0


def test_what_nearly_was_stale_counts_apart(incidents, registry):
    """
    What is released near the end of its time counts as near, and what is refused for another reason does not.
    """
    near = ruling("a").model_copy(update={"obligations": (Obligation(type="warn_stale"),)})
    refused = near.model_copy(update={"outcome": "denied", "denials": (Denial(code="X-1", message="x"),)})
    for one in (near, refused):
        incidents.ruled(one, CODES)
    value = registry.get_sample_value
    assert value("stale_data_incidents_total", {"kind": "near"}) == 1
    assert value("stale_data_incidents_total", {"kind": "refused"}) == 0


async def test_conflicts_for_people_and_those_decided(gateway, story, subject):
    """
    A field that two sources give differently and two texts of one procedure are warnings for a person, and are counted apart
    from what a rule dropped; a warning that is about something else is not counted.
    """
    request = story("npa-risk", "request")
    [record] = [item for item in request["items"] if item["id"] == "npa-record"]
    record["content"]["credit_limit"] = 50
    said = {"agent": "CLASSIFIER", "classification": "VARIATION", "confidence": 0.9, "credit_limit": 40}
    result = {**record, "id": "result", "section": "prior_result", "content": said}
    result["provenance"] = {**record["provenance"], "source_type": "agent_output", "source_id": "agent:CLASSIFIER"}
    [sop] = [item for item in request["items"] if item["id"] == "sop-4.2.1"]
    rival = {
        **sop,
        "id": "rival",
        "content": "Something else.",
        "provenance": {**sop["provenance"], "version": "9"},
    }
    request = {**request, "items": [*request["items"], result, rival]}
    pack = await gateway.pipeline.assemble(asked(request, subject))
    warned = [one.code for one in pack.warnings if one.code.startswith(("CONFLICT", "FIELD-"))]
    dropped = [one for one in pack.drop_report if one.reason == "conflict"]
    assert {"CONFLICT", "FIELD-CONFLICT"} <= set(warned)
    assert dropped
    value = gateway.observer.registry.get_sample_value
    assert value("source_conflicts_total", {"kind": "warned"}) == len(warned)
    assert value("source_conflicts_total", {"kind": "dropped"}) == len(dropped)


def test_every_series_is_there_before_its_first_event(incidents, registry):
    """
    Each series stands at 0 from the start, without which no alert would see the first event.
    """
    value = registry.get_sample_value
    for name, kinds in (
        ("stale_data_incidents", ("refused", "near")),
        ("source_conflicts", ("warned", "dropped")),
    ):
        assert [value(f"{name}_total", {"kind": kind}) for kind in kinds] == [0, 0]
    assert value("trust_violations_total") == 0
