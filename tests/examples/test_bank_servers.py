"""The servers of the bank: what they offer, and what they refuse."""

import dataclasses
import json
import sqlite3
import sys

from contextlib import closing

import jsonschema_rs
import pytest

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from bank.build import build
from bank.servers import dce, desk, npa, orm
from bank.servers.serving import PROVENANCE, server_of
from ctxgate_source import ScopeError, make_key
from gateway.model import Candidate
from gateway.settings import HOME
from tests.support.vectors import sources_of, verdict

TOOLS = [*npa.TOOLS, *orm.TOOLS, *desk.TOOLS, *dce.TOOLS]
KEY = make_key("k")
ALL = ["SG", "HK", "IN", "TW", "ID", "AU"]
TABLES = {
    "NPA": ("npa_projects", "id"),
    "ORM": ("orm_incidents", "incident_id"),
    "DESK": ("desk_counterparties", "counterparty_id"),
    "DCE": ("dce_clients", "client_id"),
}


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return build(tmp_path_factory.mktemp("bank"))


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_every_answer_fits_its_schema(database, tool):
    """
    What a tool says of every 20th entity fits its output schema, and holds nothing without jurisdictions that reach it.
    """
    fits = jsonschema_rs.validator_for(tool.output)
    table, column = TABLES[tool.domain]
    with closing(sqlite3.connect(database)) as bank:
        asked = [name for (name,) in bank.execute(f"SELECT {column} FROM {table} WHERE id % 20 = 2 ORDER BY id")]
    for name in asked:
        said = tool.call(database, {tool.parameter: name, "jurisdictions": ALL})
        fits.validate(said)
        assert said["jurisdiction"] in ALL
        reached = [place for place in ALL if tool.call(database, {tool.parameter: name, "jurisdictions": [place]})]
        assert said["jurisdiction"] in reached
        assert set(reached) == set(said.get("jurisdictions", reached))
    assert tool.call(database, {tool.parameter: 10**6 if tool.type == "integer" else "X", "jurisdictions": ALL}) == {}


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@pytest.mark.parametrize("left_out", ["entity", "jurisdictions", "both"])
def test_no_tool_answers_without_a_scope(database, tool, left_out):
    """
    Without an entity or jurisdictions, and with an entity of another shape, every tool refuses.
    """
    whole = {tool.parameter: 1 if tool.type == "integer" else "X", "jurisdictions": ALL}
    gone = {"entity": {tool.parameter}, "jurisdictions": {"jurisdictions"}, "both": set(whole)}[left_out]
    with pytest.raises(ScopeError):
        tool.call(database, {name: value for name, value in whole.items() if name not in gone})
    with pytest.raises(ScopeError):
        tool.call(database, {**whole, tool.parameter: "1 OR 1 = 1" if tool.type == "integer" else 1})


async def test_an_answer_says_where_it_comes_from(database):
    """
    Beside the content stand its labels and a signature over both, which the gateway verifies with the source's key.
    """
    server = server_of("bank-npa", npa.TOOLS, database, KEY)
    async with Client(server) as client:
        said = await client.call_tool("get_npa_by_id", {"id": 142, "jurisdictions": ["SG"]})
    item = {"id": "x", "section": "entity", "content": said.structured_content, "media_type": "application/json"}
    candidate = Candidate.model_validate({**item, **said.meta[PROVENANCE]})
    sources = sources_of({"sor-npa": KEY.as_dict(private=False)})
    assert verdict(candidate, sources=sources)["verified"] is True
    assert candidate.provenance.source_id == "SoR:npa_projects"
    assert said.structured_content["project_id"] == "NPA-2026-00142"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_npa_by_id", {"id": 142}),
        ("get_npa_by_id", {"jurisdictions": ["SG"]}),
        ("get_npa_by_id", {"id": 142, "jurisdictions": ["XX"]}),
        ("get_npa_by_id", {"id": 142, "jurisdictions": ["SG"], "sql": "1"}),
        ("get_incident", {"incident_id": "INC-2026-0001", "jurisdictions": ["SG"]}),
        ("user_context", {}),
    ],
)
async def test_what_a_server_refuses(database, name, arguments):
    """
    A call without a scope, with an argument too many or of another server's tool is answered as an error without a row.
    """
    async with Client(server_of("bank-npa", npa.TOOLS, database, KEY)) as client:
        said = await client.call_tool(name, arguments)
    assert said.is_error
    assert said.structured_content is None
    assert "NPA-2026" not in str(said.content)


async def test_who_asks_is_told_from_claims(database):
    """
    `user_context` tells of the claims that the server was started with, whatever the call says.
    """
    subject = json.loads((HOME / "examples/npa-risk/subject.json").read_text())
    async with Client(server_of("bank-npa", npa.TOOLS, database, KEY, subject)) as client:
        said = await client.call_tool("user_context", {})
    assert said.structured_content["user_id"] == "sarah.lim"
    assert said.structured_content["jurisdictions"] == ["SG"]


async def test_a_server_that_cannot_read_its_database(database, tmp_path):
    """
    Without its database a server answers with an error that says nothing of paths.
    """
    async with Client(server_of("bank-npa", npa.TOOLS, tmp_path / "gone.sqlite", KEY)) as client:
        said = await client.call_tool("get_npa_by_id", {"id": 142, "jurisdictions": ["SG"]})
    assert said.is_error
    assert "gone" not in str(said)


async def test_over_pipes(database):
    """
    The server of the desk and of digital clients, started as a process, offers the tools of both and answers.
    """
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "bank", "serve", "desk", "--database", str(database)],
        env={"PYTHONPATH": f"{HOME / 'examples'}:{HOME / 'sdk/ctxgate_source'}"},
    )
    async with Client(stdio_client(started)) as client:
        offered = {tool.name for tool in (await client.list_tools()).tools}
        said = await client.call_tool("get_client", {"client_id": "CL-00001", "jurisdictions": ALL})
    assert offered == {"user_context", *(tool.name for tool in (*desk.TOOLS, *dce.TOOLS))}
    assert said.structured_content["client_id"] == "CL-00001"


def test_names_are_said_once():
    """
    No two tools of the bank share a name, and each says in one sentence what it is for.
    """
    assert len({tool.name for tool in TOOLS}) == len(TOOLS) == 20
    assert all(dataclasses.asdict(tool)["description"] for tool in TOOLS)
