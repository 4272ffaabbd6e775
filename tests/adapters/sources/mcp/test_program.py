"""A server that is a program on this machine."""

import asyncio
import json
import os
import subprocess
import sys

import pytest

from gateway.errors import SourceUnavailableError
from gateway.settings import HOME
from tests.support import mcp_server
from tests.support.mcp_boxes import CALL, alive, box_of, program
from tests.support.mcp_server import PROJECTS

PATIENCE = 10.0
"""Seconds that a test waits at most for what happens beside it."""


async def until(condition):
    """Wait for it."""
    async with asyncio.timeout(PATIENCE):
        while not condition():
            await asyncio.sleep(0.01)


async def give_up(box, note):
    """Ask, and give up once the server has begun."""
    call = asyncio.create_task(box.call(CALL))
    await until(note.exists)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


class TestSurroundings:
    async def test_a_program_gets_nothing_of_the_gateway(self, tmp_path, monkeypatch):
        """
        Its environment is what the operator wrote, with secrets from their files, its folder the one that was named, and its session
        its own.
        """
        monkeypatch.setenv("CTXGATE_SECRET", "k")
        (tmp_path / "password").write_text("p\n")
        given = {"environment": {"MODE": "read"}, "environment_files": {"PASSWORD": tmp_path / "password"}}
        async with box_of(program("environment", folder=tmp_path, **given)) as box:
            environment, folder, alone = json.loads((await box.call(CALL)).content["name"])
        # Python itself sets how its texts are encoded.
        environment.pop("LC_CTYPE", None)
        assert environment == {"MODE": "read", "PASSWORD": "p"}
        assert (folder, alone) == (str(tmp_path), True)

    async def test_a_command_with_a_folder_is_looked_for_there(self, tmp_path):
        """
        A program named by a path is found from the folder that it runs in.
        """
        script = tmp_path / "serve"
        script.write_text(f"#!/bin/sh\nexec {sys.executable} -I -S {mcp_server.__file__} honest\n")
        script.chmod(0o700)
        async with box_of(program("honest", command=("./serve",), folder=tmp_path)) as box:
            assert (await box.call(CALL)).content == PROJECTS["NPA-2026-00142"]

    @pytest.mark.parametrize("command", ["no-such-program", "/", "/etc/passwd"])
    async def test_a_program_that_is_not_there_is_a_source_that_is_not_there(self, command):
        """
        What cannot be started is unavailable.
        """
        async with box_of(program("honest", command=(command,))) as box:
            with pytest.raises(SourceUnavailableError):
                await box.call(CALL)


class TestEnds:
    @pytest.mark.parametrize("way", ["leaves_a_child", "stays"])
    async def test_nothing_is_left_of_it(self, way, tmp_path):
        """
        Neither a program that will not end nor a child that it leaves behind outlives the toolbox.
        """
        note = tmp_path / "process"
        async with box_of(program(way, note)) as box:
            await box.call(CALL)
            process = int(note.read_text())
            assert alive(process)
        await until(lambda: not alive(process))

    async def test_one_that_hangs_is_killed_and_replaced(self, tmp_path):
        """
        A server that says nothing until its caller gives up is ended, and the next caller gets an answer from another.
        """
        note = tmp_path / "hung"
        async with box_of(program("hangs_once", note)) as box:
            await give_up(box, note)
            assert (await box.call(CALL)).content == PROJECTS["NPA-2026-00142"]

    async def test_one_that_is_given_up_on_is_killed(self, tmp_path):
        """
        What hung runs no longer, also when nobody asks again.
        """
        note = tmp_path / "process"
        async with box_of(program("hung", note)) as box:
            await give_up(box, note)
            await until(lambda: not alive(int(note.read_text())))

    async def test_one_that_does_not_begin_is_ended_by_closing(self, tmp_path):
        """
        Closing a toolbox whose server never answers the first word takes no longer than killing it.
        """
        async with box_of(program("mute")) as box:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.3):
                    await box.call(CALL)
            await asyncio.wait_for(box.aclose(), PATIENCE)

    async def test_it_dies_with_the_gateway(self, tmp_path):
        """
        When the gateway is killed its programs are gone with it.
        """
        note = tmp_path / "process"
        script = (
            "import asyncio, sys, pathlib\n"
            "from tests.support.mcp_boxes import CALL, box_of, program\n"
            "async def main():\n"
            "    async with box_of(program('stays', pathlib.Path(sys.argv[1]))) as box:\n"
            "        await box.call(CALL)\n"
            "        print('called', flush=True)\n"
            "        await asyncio.sleep(600)\n"
            "asyncio.run(main())\n"
        )
        environment = {**os.environ, "PYTHONPATH": str(HOME)}
        gateway = await asyncio.create_subprocess_exec(
            sys.executable, "-c", script, str(note), stdout=subprocess.PIPE, env=environment
        )
        assert await gateway.stdout.readline() == b"called\n"
        process = int(note.read_text())
        assert alive(process)
        gateway.kill()
        await gateway.wait()
        await until(lambda: not alive(process))
