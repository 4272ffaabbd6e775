"""What servers offer, held against what officers accepted."""

from gateway.errors import SourceUnavailableError
from gateway.model import SourceEntry
from gateway.model.sources.tools import Tool
from gateway.policy.registry import registry_of
from gateway.ports.sources import Offered
from gateway.sourcing.checking import check_source
from tests.support import records_bank as bank
from tests.support.bundles import SHIPPED

ENTRY = SourceEntry.model_validate({"id": "sor-records", "kind": "mcp", "timeout_seconds": 0.2})
PROJECT = Offered("project", "One project", {"type": "object"}, {"type": "object"})
FORM = Offered("form", "Its form", {"type": "object"}, None)


def registry(**pins):
    tools = {
        name: Tool.model_validate({"id": name, **bank.tool("SoR:x", name), "pin": pin}) for name, pin in pins.items()
    }
    return registry_of(SHIPPED).model_copy(update={"tools": tools})


class Offering(bank.ScriptedToolbox):
    async def offered(self):
        if isinstance(self._answers.get("offered"), Exception):
            raise self._answers["offered"]
        return [PROJECT, FORM]


def told(checked):
    return {one.operation: (one.finding, one.pin, one.tool) for one in checked}


async def test_each_tool_and_each_operation_is_told():
    """
    What is as accepted, what changed, what is gone, and what no line of the table names, each with the pin of now.
    """
    table = registry(project=PROJECT.pin, form="0" * 64, gone=PROJECT.pin)
    assert told(await check_source(ENTRY, Offering(ENTRY, {}), table)) == {
        "project": ("accepted", PROJECT.pin, "project"),
        "form": ("changed", FORM.pin, "form"),
        "gone": ("gone", "", "gone"),
    }
    assert told(await check_source(ENTRY, Offering(ENTRY, {}), registry(project=None))) == {
        "project": ("changed", PROJECT.pin, "project"),
        "form": ("new", FORM.pin, ""),
    }


async def test_what_a_server_says_is_shown_whole():
    """
    Whoever is to accept a change reads all that the new pin stands for.
    """
    checked = await check_source(ENTRY, Offering(ENTRY, {}), registry(project="0" * 64))
    assert {one.operation: one.offered for one in checked} == {"project": PROJECT, "form": FORM}


async def test_a_query_of_the_bundle_needs_no_pin():
    """
    What a database is asked stands in the bundle, which officers approved; a pin that is there is held against it all the same.
    """
    entry = ENTRY.model_copy(update={"kind": "sql"})
    for pin, finding in ((None, "accepted"), (PROJECT.pin, "accepted"), ("0" * 64, "changed")):
        found = told(await check_source(entry, Offering(entry, {}), registry(project=pin)))
        assert found["project"][0] == finding


async def test_a_source_that_says_nothing():
    """
    Without a connection, or without an answer, each tool is told with the code of why.
    """
    silent = Offering(ENTRY, {"offered": SourceUnavailableError("down")})
    for toolbox, code in ((None, "GW-264"), (silent, "GW-501")):
        [found] = await check_source(ENTRY, toolbox, registry(project=None))
        assert (found.finding, found.tool, found.problem[:6]) == ("unreachable", "project", code)
