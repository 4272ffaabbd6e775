"""A gateway between a database that is well and a server of the Model Context Protocol that is not."""

import pytest
import yaml

from gateway.bootstrap.gateway import running
from tests.support import records_bank as bank
from tests.support.clock import NOW
from tests.support.mcp_boxes import PIN, program
from tests.support.packs import items_of
from tests.support.requests import asked

WAYS = {
    "killed": "unavailable",
    "hung": "timed_out",
    "is_error": "refused",
    "error": "refused",
    "violation": "malformed",
    "text_only": "malformed",
    "deep": "malformed",
    "flood": "malformed",
    "other_row": "foreign",
    "huge": "too_large",
}
"""What is the matter with the server, and what the trace calls it."""

FORMS = bank.tool(
    "SoR:npa_form_data",
    "get_project",
    source="npa-forms",
    pin=PIN,
    arguments={"project_id": "entity.id"},
    result={"jurisdiction": "SG", "jurisdiction_member": None},
)


@pytest.fixture
async def gateway(settings, tmp_path):
    settings = bank.calling(settings, tmp_path, tools={**bank.TOOLS, "get_form_data": FORMS})
    source = {**bank.SOURCE, "kind": "mcp", "timeout_seconds": 1.0}
    for path, added in [
        (settings.policies_dir / "registry/sources/data.yaml", {"npa-forms": source}),
        (settings.connections, {}),
    ]:
        stated = {**yaml.safe_load(path.read_text()), **added}
        if path == settings.connections:
            stated["sources"]["npa-forms"] = program("told", tmp_path / "way").model_dump(mode="json")
        path.write_text(yaml.safe_dump(stated))
    async with running(settings, clock=lambda: NOW) as started:
        yield started


async def answered(gateway, subject, question):
    """What came of the calls, and which items there are."""
    pack = await gateway.pipeline.assemble(asked({**bank.REQUEST, "query": question}, subject))
    return {call.name: call.status for call in pack.runtime_state.tools_called}, items_of(pack)


async def test_what_is_wrong_with_one_is_told_and_hurts_no_other(gateway, subject, tmp_path):
    """
    A server that is killed, hangs, or lies in any way gives nothing to the pack; the trace says what was the matter, the other
    source's records are there, and as soon as the server is well its record is too.
    """
    for number, (way, status) in enumerate(WAYS.items()):
        for now, expected in ((way, status), ("honest", "answered")):
            (tmp_path / "way").write_text(now)
            statuses, items = await answered(gateway, subject, f"{number} {now}")
            assert (now, statuses["get_form_data"]) == (now, expected), statuses
            assert ("tool:get_form_data" in items) == (expected == "answered")
            assert statuses["get_npa_by_id"] == statuses["get_risk_checks"] == "answered"
            assert {"tool:get_npa_by_id", "tool:get_risk_checks"} <= set(items)
