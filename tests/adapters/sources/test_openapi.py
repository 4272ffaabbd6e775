"""Operations of a service over HTTP, as an OpenAPI document describes them."""

from contextlib import asynccontextmanager

import pytest

from adapters.shared.addresses import Addresses
from adapters.sources.openapi import OpenApiToolbox
from gateway.errors import (
    SourceChangedError,
    SourceMalformedError,
    SourceRefusedError,
    SourceTooLargeError,
    SourceUnavailableError,
    ToolNotAskableError,
)
from gateway.model import SourceEntry
from gateway.model.sources.connections import OpenApiConnection
from gateway.model.sources.tools import Tool
from gateway.ports.sources import Call
from tests.support import records_bank
from tests.support.rest_bank import DOCUMENT, ROWS, document, service
from tests.support.toolboxes import NOW, ToolboxContract

ENTRY = SourceEntry.model_validate({"id": "s", "kind": "openapi", "timeout_seconds": 2.0})


def tool(pin):
    return Tool.model_validate({"id": "t", **records_bank.tool("SoR:x", "getProject", source="s", pin=pin)})


async def pin_of(box):
    return {one.name: one.pin for one in await box.offered()}["getProject"]


@pytest.fixture
def opened(tmp_path):
    @asynccontextmanager
    async def box(port, *, url=None, allowed=None, **changes):
        where = OpenApiConnection.model_validate(
            {
                "kind": "openapi",
                "document": str(document(tmp_path / "projects.json", **changes)),
                "url": url or f"http://127.0.0.1:{port}/v1",
                "token_file": None,
            }
        )
        addresses = Addresses([f"127.0.0.1:{port}"] if allowed is None else allowed)
        made = OpenApiToolbox(ENTRY, where, addresses=addresses, clock=lambda: NOW, most_bytes=100_000)
        yield made
        await made.aclose()

    return box


class TestOpenApiToolbox(ToolboxContract):
    row = ROWS["NPA-1"]
    arguments = {"project": "NPA-1"}
    other_row = ROWS["NPA/2 ?"]
    other_arguments = {"project": "NPA/2 ?"}
    faults = {
        "another schema": SourceMalformedError,
        "no JSON": SourceMalformedError,
        "no object": SourceMalformedError,
        "an error": SourceUnavailableError,
        "not allowed": SourceRefusedError,
        "a redirection": SourceRefusedError,
        "too large": SourceTooLargeError,
    }

    @pytest.fixture(autouse=True)
    def _opened(self, opened):
        self.opened = opened

    @asynccontextmanager
    async def box(self, way):
        async with service(way) as port, self.opened(port) as made:
            yield made, tool(await pin_of(made))

    async def test_nothing_of_that_name(self):
        """
        404 says that there is nothing about what was asked.
        """
        async with self.box("not there") as (box, asked):
            assert (await box.call(Call(asked, self.arguments))).content == {}

    async def test_an_id_stays_one_part_of_the_path(self):
        """
        Whatever an id holds, it is asked as one segment of the path, and lists as one parameter for each text; what would lead
        elsewhere if a proxy undid that is not asked.
        """
        seen = []
        async with service("honest", seen) as port, self.opened(port) as box:
            asked = tool(await pin_of(box))
            for name in ("..admin", "a/b", "x?y=z#f", "%2e%2e"):
                await box.call(Call(asked, {"project": name, "jurisdiction": ["SG", "H&K"]}))
            for name in (".", "..", "../admin", "a/../admin", "a\\..\\admin", "a/."):
                with pytest.raises(ToolNotAskableError):
                    await box.call(Call(asked, {"project": name}))
        query = "?jurisdiction=SG&jurisdiction=H%26K"
        paths = ("..admin", "a%2Fb", "x%3Fy%3Dz%23f", "%252e%252e")
        assert seen == [f"/v1/projects/{path}{query}" for path in paths]

    async def test_a_question_that_no_address_holds(self):
        """
        A text that is too long for an address is not asked.
        """
        async with service("honest") as port, self.opened(port) as box:
            with pytest.raises(ToolNotAskableError):
                await box.call(Call(tool(await pin_of(box)), {"project": "NPA-1", "jurisdiction": "\u8a3a" * 20_000}))

    async def test_what_one_answer_leaves_is_not_told_with_the_next_question(self):
        """
        A service that sets a cookie is not sent it.
        """
        told = []
        async with service("a cookie", told=told) as port, self.opened(port) as box:
            asked = tool(await pin_of(box))
            for _ in range(2):
                assert (await box.call(Call(asked, self.arguments))).content == {}
        assert told == [None, None]

    async def test_another_document_is_not_what_was_accepted(self):
        """
        With another path, or another promise, for the same operation nothing is asked.
        """
        other = {"/v2/projects/{project}": DOCUMENT["paths"]["/projects/{project}"]}
        loose = {"schemas": {**DOCUMENT["components"]["schemas"], "Score": {}}}
        seen = []
        async with service("honest", seen) as port:
            async with self.opened(port) as box:
                accepted = await pin_of(box)
            for changes in ({"paths": other}, {"components": loose}):
                async with self.opened(port, **changes) as box:
                    with pytest.raises(SourceChangedError):
                        await box.call(Call(tool(accepted), self.arguments))
        assert seen == []

    async def test_operations_that_change_something_are_not_offered(self):
        """
        Of a document only what reads is an operation.
        """
        async with self.opened(1) as box:
            assert [one.name for one in await box.offered()] == ["getProject"]

    @pytest.mark.parametrize(
        ("url", "allowed"),
        [
            (None, []),
            (None, ["127.0.0.1:1"]),
            ("http://localhost:{port}/v1", ["localhost:{port}"]),
            ("http://198.51.100.1:{port}/v1", ["198.51.100.1:{port}"]),
        ],
        ids=["nothing", "another port", "a name of this machine alone", "no TLS"],
    )
    async def test_nothing_is_asked_outside_the_list(self, url, allowed):
        """
        An address that is not listed, a listed name that leads to one which is not public, and another machine without TLS.
        """
        seen = []
        async with service("honest", seen) as port:
            where = url and url.format(port=port)
            async with self.opened(port, url=where, allowed=[one.format(port=port) for one in allowed]) as box:
                with pytest.raises(SourceUnavailableError):
                    await box.call(Call(tool(await pin_of(box)), self.arguments))
        assert seen == []

    @pytest.mark.parametrize("text", ["not: [yaml", '{"openapi": "3.0.0"}', "[]"])
    async def test_no_document(self, tmp_path, text):
        """
        What is no OpenAPI 3.1 offers nothing.
        """
        async with self.opened(1) as box:
            (tmp_path / "projects.json").write_text(text)
            with pytest.raises((SourceUnavailableError, SourceMalformedError)):
                await box.offered()
