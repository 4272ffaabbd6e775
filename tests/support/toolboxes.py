"""What every toolbox promises, whatever kind of source it asks: the promises of `gateway.ports.sources.Toolbox` as tests."""

import asyncio

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest

from gateway.errors import SourceError, SourceUnavailableError
from gateway.model.sources.tools import Tool
from gateway.ports.sources import Call, Toolbox

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
"""What the clock of a toolbox under test says."""

SECRET = "SECRET of the project"
"""What servers of tests write into their errors."""

AT_ONCE = 5.0
"""Seconds that a test waits at most for what does not wait for the server."""


class ToolboxContract:
    """
    Tests that the class of a kind inherits.

    The class says how its boxes are opened (`box`) and by which of them each failure is shown (`faults`).
    """

    row: ClassVar[Mapping[str, Any]]
    """What the tool answers about the entity of `arguments`."""

    arguments: ClassVar[Mapping[str, Any]]
    other_row: ClassVar[Mapping[str, Any]]
    other_arguments: ClassVar[Mapping[str, Any]]

    faults: ClassVar[Mapping[str, type[SourceError]]]
    """By way of `box`, how a call ends there."""

    pinned: ClassVar[bool] = True
    """Whether its tools have pins."""

    def box(self, way: str) -> AbstractAsyncContextManager[tuple[Toolbox, Tool]]:
        """
        A toolbox before a system of record that behaves in one way, and the tool to ask.

        `honest` and `hung` each kind has.
        """
        raise NotImplementedError

    async def test_an_answer_is_the_record(self):
        """
        A result is what the system of record has, member by member in its order, with when it came and how large it was.
        """
        async with self.box("honest") as (box, tool):
            result = await box.call(Call(tool, self.arguments))
            assert list(result.content.items()) == list(self.row.items())
            assert (result.fetched_at, result.size > 0) == (NOW, True)

    async def test_calls_run_side_by_side(self):
        """
        Each of many calls at once gets its own answer.
        """
        asked = [self.arguments, self.other_arguments] * 10
        async with self.box("honest") as (box, tool):
            results = await asyncio.gather(*(box.call(Call(tool, one)) for one in asked))
        assert [one.content for one in results] == [self.row, self.other_row] * 10

    async def test_each_failure_has_its_error(self):
        """
        What goes wrong with a system of record is told apart, in words of ours alone.
        """
        for way, error in self.faults.items():
            async with self.box(way) as (box, tool):
                with pytest.raises(SourceError) as raised:
                    await box.call(Call(tool, self.arguments))
            assert (way, type(raised.value).code) == (way, error.code)
            assert SECRET not in str(raised.value) + str(raised.value.__cause__)

    async def test_who_gives_up_is_free_at_once(self):
        """
        A call may be cancelled at any time, and is over then, whatever the system of record does.
        """
        async with self.box("hung") as (box, tool), asyncio.timeout(AT_ONCE):
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await box.call(Call(tool, self.arguments))

    async def test_what_is_offered_has_the_pin_that_is_accepted(self):
        """
        What a check shows is what calls are held against.
        """
        async with self.box("honest") as (box, tool):
            offered = {one.name: one.pin for one in await box.offered()}
        assert not self.pinned or offered[tool.operation] == tool.pin

    async def test_a_closed_box_says_so(self):
        """
        Closing never fails, however often; afterwards nothing is asked.
        """
        async with self.box("honest") as (box, tool):
            await box.call(Call(tool, self.arguments))
            await box.aclose()
            await box.aclose()
            with pytest.raises(SourceUnavailableError):
                await box.call(Call(tool, self.arguments))
