"""Servers of the Model Context Protocol as sources that tools are called of."""

import asyncio
import json
import sys

from contextlib import asynccontextmanager

import pytest

from adapters.shared.addresses import Addresses
from adapters.sources.mcp.toolbox import McpToolbox
from gateway.errors import (
    ConfigurationError,
    SourceChangedError,
    SourceMalformedError,
    SourceRefusedError,
    SourceTooLargeError,
    SourceUnavailableError,
)
from gateway.model.sources.connections import McpConnection
from gateway.ports.sources import Call
from tests.support import mcp_honest
from tests.support.mcp_boxes import ASKED, CALL, ENTRY, MOST, NOW, box_of, over_http, program, tool_of
from tests.support.mcp_honest import honest_over_http
from tests.support.mcp_over_http import misbehaving_over_http
from tests.support.mcp_server import PROJECTS
from tests.support.toolboxes import ToolboxContract

FAULTS = {
    "killed": SourceUnavailableError,
    "is_error": SourceRefusedError,
    "error": SourceRefusedError,
    "violation": SourceMalformedError,
    "more": SourceMalformedError,
    "text_only": SourceMalformedError,
    "no_object": SourceMalformedError,
    "asks_for_more": SourceMalformedError,
    "infinite": SourceMalformedError,
    "beyond": SourceMalformedError,
    "deep": SourceMalformedError,
    "flood": SourceMalformedError,
    "requests": SourceMalformedError,
    "large": SourceTooLargeError,
    "huge": SourceTooLargeError,
    "no_line": SourceTooLargeError,
    "changed": SourceChangedError,
    "changed_output": SourceChangedError,
    "no_output": SourceChangedError,
    "turns": SourceChangedError,
    "remote": SourceMalformedError,
    "endless_list": SourceMalformedError,
}
"""By way of `tests/support/mcp_server.py`."""

HTTP_FAULTS = {
    "is_error": SourceRefusedError,
    "violation": SourceMalformedError,
    "changed": SourceChangedError,
    "redirect": SourceUnavailableError,
    "redirect_here": SourceUnavailableError,
    "status_500": SourceUnavailableError,
    "unauthorized": SourceRefusedError,
    "html": SourceMalformedError,
    "not_json": SourceMalformedError,
    "packed": SourceMalformedError,
    "cut": SourceUnavailableError,
    "huge": SourceTooLargeError,
    "events_huge": SourceTooLargeError,
    "events_flood": SourceMalformedError,
    "events_stop": SourceUnavailableError,
}
"""By way of `tests/support/mcp_over_http.py`."""


class Projects(ToolboxContract):
    row = PROJECTS["NPA-2026-00142"]
    arguments = ASKED
    other_row = PROJECTS["NPA-2026-00143"]
    other_arguments = {"project_id": "NPA-2026-00143"}


class TestProgram(Projects):
    faults = FAULTS

    @asynccontextmanager
    async def box(self, way):
        async with box_of(program(way)) as box:
            yield box, tool_of()


class TestHttp(Projects):
    faults = HTTP_FAULTS

    @asynccontextmanager
    async def box(self, way):
        with misbehaving_over_http(way, to="http://127.0.0.1:9/") as web:
            async with box_of(*over_http(f"http://127.0.0.1:{web.server_port}/mcp")) as box:
                yield box, tool_of()


@asynccontextmanager
async def accepted(connection, *addresses):
    """A toolbox before a server whose tool an officer has accepted as it is."""
    async with box_of(connection, *addresses) as box:
        [offered] = await box.offered()
        yield box, tool_of(offered.pin)


class TestOfTheSdk:
    """The SDK's own servers, in all forms of its newest protocol."""

    @pytest.mark.parametrize("ways", [{}, {"json_response": True}, {"stateless_http": True}])
    async def test_over_http(self, ways):
        """
        Streams of events, answers in JSON and servers without sessions are all understood.
        """
        with honest_over_http(**ways) as url:
            async with accepted(*over_http(url)) as (box, tool):
                results = await asyncio.gather(*(box.call(Call(tool, ASKED)) for _ in range(5)))
                assert [one.content for one in results] == [PROJECTS["NPA-2026-00142"]] * 5
                with pytest.raises(SourceRefusedError):
                    await box.call(Call(tool, {"project_id": "none"}))

    async def test_as_a_program(self):
        """
        A program by the SDK is understood.
        """
        connection = McpConnection(kind="mcp", command=(sys.executable, mcp_honest.__file__))
        async with accepted(connection) as (box, tool):
            assert (await box.call(Call(tool, ASKED))).content == PROJECTS["NPA-2026-00142"]


class TestPins:
    async def test_nothing_is_asked_of_a_tool_that_nobody_accepted(self):
        """
        Without a pin, with another's, and under a name that is not offered, the tool is not even called.
        """
        with misbehaving_over_http("honest") as web:
            async with box_of(*over_http(f"http://127.0.0.1:{web.server_port}/mcp")) as box:
                for tool in (tool_of(None), tool_of("0" * 64), tool_of(operation="drop_project")):
                    with pytest.raises(SourceChangedError):
                        await box.call(Call(tool, ASKED))
        assert not [body for _, _, body in web.seen if b"tools/call" in body]

    async def test_the_others_of_a_server_go_on(self):
        """
        A change of one tool is refused for that one, and told until an officer accepts it.
        """
        async with accepted(program("changed")) as (box, as_it_is):
            with pytest.raises(SourceChangedError):
                await box.call(CALL)
            assert (await box.call(Call(as_it_is, ASKED))).content == PROJECTS["NPA-2026-00142"]

    async def test_what_is_offered_is_looked_at_again(self, monkeypatch):
        """
        A server that changes and does not say so is found out when it is looked at the next time.
        """
        monkeypatch.setattr("adapters.sources.mcp.session.LOOKED_AT_EVERY", 0.0)
        with misbehaving_over_http("honest") as web:
            async with box_of(*over_http(f"http://127.0.0.1:{web.server_port}/mcp")) as box:
                await box.call(CALL)
                web.server.way = "changed"
                with pytest.raises(SourceChangedError):
                    await box.call(CALL)

    async def test_a_change_that_nobody_could_look_at_is_not_forgotten(self):
        """
        A server that says that it has changed, and then not how, is not believed in what it answers afterwards.
        """
        with misbehaving_over_http("turning") as web:
            async with box_of(*over_http(f"http://127.0.0.1:{web.server_port}/mcp")) as box:
                for _ in range(3):
                    with pytest.raises((TimeoutError, SourceUnavailableError)):
                        async with asyncio.timeout(0.4):
                            await box.call(CALL)


class TestConnection:
    async def test_the_gateway_asks_nothing_that_the_list_does_not_allow(self):
        """
        A server is not reached at an address that the operator has not listed.
        """
        with misbehaving_over_http("honest") as web:
            connection, _ = over_http(f"http://127.0.0.1:{web.server_port}/mcp")
            async with box_of(connection, "127.0.0.1:1", "localhost:1") as box:
                with pytest.raises(SourceUnavailableError):
                    await box.call(CALL)
        assert web.seen == []

    async def test_redirections_are_not_followed(self):
        """
        Neither within the server nor elsewhere does a redirection lead to another request, nor the token with it.
        """
        with (
            misbehaving_over_http("honest") as other,
            misbehaving_over_http("redirect", to=f"http://127.0.0.1:{other.server_port}/mcp") as web,
        ):
            addresses = [f"127.0.0.1:{one.server_port}" for one in (other, web)]
            async with box_of(over_http(f"http://{addresses[1]}/mcp")[0], *addresses) as box:
                with pytest.raises(SourceUnavailableError):
                    await box.call(CALL)
        assert other.seen == []

    async def test_a_proxy_of_the_environment_is_not_used(self, monkeypatch):
        """
        What stands in the environment of the gateway leads no request elsewhere.
        """
        with misbehaving_over_http("honest") as proxy, misbehaving_over_http("honest") as web:
            monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.server_port}")
            monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{proxy.server_port}")
            async with box_of(*over_http(f"http://127.0.0.1:{web.server_port}/mcp")) as box:
                await box.call(CALL)
        assert proxy.seen == []

    async def test_the_token_is_read_each_time(self, tmp_path):
        """
        A token is sent as a bearer token, and one that replaces it is sent from the next request on.
        """
        token = tmp_path / "token"
        token.write_text("first\n")
        with misbehaving_over_http("honest") as web:
            url = f"http://127.0.0.1:{web.server_port}/mcp"
            async with box_of(*over_http(url, token_file=token)) as box:
                await box.call(CALL)
                token.write_text("second\n")
                await box.call(CALL)
        sent = [headers.get("authorization") for method, headers, _ in web.seen if method == "POST"]
        assert (sent[0], sent[-1], set(sent)) == ("Bearer first", "Bearer second", {"Bearer first", "Bearer second"})

    @pytest.mark.parametrize(
        "url", ["http://npa.bank.example/mcp", "ftp://127.0.0.1/", "https://a:b@npa.bank.example/"]
    )
    def test_nothing_goes_over_the_network_in_the_clear(self, url):
        """
        A URL is of HTTPS, unless its host is this machine, and holds no password.
        """
        with pytest.raises(ConfigurationError):
            McpToolbox(ENTRY, over_http(url)[0], addresses=Addresses([]), most_bytes=MOST, clock=lambda: NOW)

    async def test_a_server_that_was_started_anew_is_asked_at_once(self):
        """
        A session that the server has forgotten is replaced within the call, once.
        """
        with misbehaving_over_http("honest") as web:
            async with box_of(*over_http(f"http://127.0.0.1:{web.server_port}/mcp")) as box:
                await box.call(CALL)
                web.session = "second"
                assert (await box.call(CALL)).content == PROJECTS["NPA-2026-00142"]


class TestWords:
    async def test_what_a_server_asks_for_it_is_refused(self):
        """
        A server gets no answer of a model, no word of a person and no folder from the gateway.
        """
        async with box_of(program("wants")) as box:
            said = json.loads((await box.call(CALL)).content["name"])
        assert said == ["Sampling not supported", "Elicitation not supported", "List roots not supported"]

    @pytest.mark.parametrize("way", ["chatters", "stderr"])
    async def test_what_a_server_says_beside_is_nothing(self, way, capfd, caplog):
        """
        Messages, greetings and whatever is written to stderr change nothing, and stand in no log.
        """
        async with box_of(program(way)) as box:
            assert (await box.call(CALL)).content == PROJECTS["NPA-2026-00142"]
        assert (capfd.readouterr(), caplog.records) == (("", ""), [])

    @pytest.mark.parametrize("way", ["not_json", "status_500", "html"])
    async def test_errors_of_a_server_stand_in_no_log(self, way, capfd, caplog):
        """
        The library's log, which quotes what it cannot read, is closed.
        """
        with misbehaving_over_http(way) as web:
            async with box_of(*over_http(f"http://127.0.0.1:{web.server_port}/mcp")) as box:
                for _ in range(2):
                    with pytest.raises((SourceMalformedError, SourceUnavailableError)):
                        await box.call(CALL)
        assert "SECRET" not in "".join([*capfd.readouterr(), caplog.text])
