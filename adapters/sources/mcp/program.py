"""
A server that is a program on this machine, spoken to line by line (MCP's stdio transport).

The SDK's own transport hands a part of the environment down, reads lines of any length and writes what it cannot read into the log.
Rules held here: a program has the environment that the operator wrote, and nothing else of the gateway; a line is bounded; what it
writes to stderr goes nowhere; it has a session and a process group of its own, all of which is killed when it is done with, and it
dies with the gateway.
"""

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import anyio

from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from adapters.sources.mcp import launch
from gateway.errors import SourceError, SourceMalformedError, SourceTooLargeError, SourceUnavailableError

GRACE: Final = 0.2
"""Seconds that a program has to end once its input has, and again once it was told to; it only reads, so there is nothing to lose."""

_WAITING: Final = 64
"""Messages that wait to be written, at most; who sends more of them waits."""

_EVERY: Final = 0.01
"""Seconds between two looks whether it has ended."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is started for a source."""

    source: str
    command: Sequence[str]
    folder: Path | None
    environment: Mapping[str, str]


@asynccontextmanager
async def program_streams(
    program: Program, *, most_bytes: int, mishap: Callable[[SourceError], None]
) -> AsyncIterator[TransportStreams]:
    """
    A program that runs as long as the context, and what is said to and by it.

    Args:
        program: which.
        most_bytes: of one line.
        mishap: told why it is over, where that is no mere end.

    Raises:
        SourceUnavailableError: it cannot be started.
    """
    process, ours = _started(program)
    heard, inbox = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outbox, to_say = anyio.create_memory_object_stream[SessionMessage](_WAITING)
    tasks: list[asyncio.Task[None]] = []
    try:
        reader, writer = await asyncio.open_connection(sock=ours, limit=most_bytes)
        tasks.append(asyncio.create_task(_hear(reader, heard, program.source, mishap)))
        tasks.append(asyncio.create_task(_say(writer, to_say)))
        yield inbox, outbox
        with contextlib.suppress(OSError, RuntimeError):
            writer.write_eof()
        await _ended(process, GRACE)
    finally:
        for task in tasks:
            task.cancel()
        for stream in (heard, inbox, outbox, to_say):
            stream.close()
        if tasks:
            writer.transport.abort()
        else:
            ours.close()
        await asyncio.shield(asyncio.create_task(_stopped(process)))


def _started(program: Program) -> "tuple[subprocess.Popen[bytes], socket.socket]":
    """Started by this very thread, whose end is the program's: the thread of `adapters.shared.side_loop`, which does not end."""
    word = program.command[0]
    found = shutil.which(str(program.folder / word) if program.folder and "/" in word else word)
    if found is None:
        raise SourceUnavailableError(f"the program of source {program.source} is not there")
    launched = [sys.executable, "-I", "-S", launch.__file__, str(os.getpid()), str(Path(found).absolute())]
    ours, theirs = socket.socketpair()
    with theirs:
        try:
            process = subprocess.Popen(  # noqa: S603 - the operator's command, without a shell
                [*launched, *program.command[1:]],
                stdin=theirs.fileno(),
                stdout=theirs.fileno(),
                stderr=subprocess.DEVNULL,
                cwd=program.folder,
                env=dict(program.environment),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            ours.close()
            raise SourceUnavailableError(f"the program of source {program.source} cannot be started") from error
    return process, ours


async def _hear(
    reader: asyncio.StreamReader,
    heard: MemoryObjectSendStream[SessionMessage | Exception],
    source: str,
    mishap: Callable[[SourceError], None],
) -> None:
    """Hand on what it says, until it ends or says what no server does."""
    try:
        while True:
            await heard.send(_message(await reader.readuntil(b"\n"), source))
    except asyncio.LimitOverrunError:
        mishap(SourceTooLargeError(f"source {source} answered with more than may be taken"))
    except SourceMalformedError as error:
        mishap(error)
    except (asyncio.IncompleteReadError, OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        pass
    finally:
        heard.close()


def _message(line: bytes, source: str) -> SessionMessage | Exception:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        if line.lstrip().startswith(b"{"):
            # Perhaps the answer that somebody waits for; nobody would hear of it.
            raise SourceMalformedError(f"source {source} answered with something that is no message") from None
        # A greeting, say, of a program that does not keep to the protocol.
        return ValueError("not a message")


async def _say(writer: asyncio.StreamWriter, to_say: MemoryObjectReceiveStream[SessionMessage]) -> None:
    with contextlib.suppress(OSError):
        async for said in to_say:
            writer.write(said.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
            await writer.drain()


async def _stopped(process: "subprocess.Popen[bytes]") -> None:
    """
    End its whole group.

    Its end is only looked at until the group is killed: as long as nobody has taken note of it, its number is nobody else's.
    """
    if not await _ended(process, 0):
        _signal(process, signal.SIGTERM)
        await _ended(process, GRACE)
    _signal(process, signal.SIGKILL)
    await _ended(process, GRACE)
    process.poll()


def _signal(process: "subprocess.Popen[bytes]", number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


async def _ended(process: "subprocess.Popen[bytes]", seconds: float) -> bool:
    """Whether it has ended within so many seconds; nobody takes note of it."""
    until = asyncio.get_running_loop().time() + seconds
    while not _is_over(process):
        if asyncio.get_running_loop().time() >= until:
            return False
        await asyncio.sleep(_EVERY)
    return True


def _is_over(process: "subprocess.Popen[bytes]") -> bool:
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
