"""
What somebody does who wants that others wait: five attacks, in a process of their own as another machine would be one.

What it costs to make an attack is the attacker's: the process has the lowest priority, and what it makes does not wait for
the locks of whoever measures.
"""

import asyncio
import contextlib
import json
import multiprocessing
import os
import random

from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import httpx

from bench.common import request, signed, text
from gateway.settings import Settings

ATTACKER_ADDRESS = "127.0.0.2"
DENSE = "".join(map(chr, (*range(0x3001, 0x3012), *range(0x4E00, 0x4E20)))) + "!?;:,.()[]{}<>/\\|@#$%^&*~ "
"""Punctuation and Chinese: of such a text every character or two is a token of its own."""


@dataclass(slots=True)
class Attack:
    """What the attacker does, and what it was told."""

    port: int
    token: str
    settings: Settings
    connections: int
    scale: float
    """Part of the full size, for a quick run."""

    told: Counter[str] = field(default_factory=Counter)

    async def posting(self, make: Callable[[int], dict[str, Any]], workers: int) -> None:
        """Send requests, so many at once, without end."""
        transport = httpx.AsyncHTTPTransport(local_address=ATTACKER_ADDRESS)
        headers = {"authorization": f"Bearer {self.token}"}
        numbers = iter(range(10**9))
        async with httpx.AsyncClient(transport=transport, timeout=120, headers=headers) as client:

            async def worker() -> None:
                while True:
                    body = await asyncio.to_thread(lambda: json.dumps(make(next(numbers))))
                    try:
                        answer = await client.post(f"http://127.0.0.1:{self.port}/v1/packs", content=body)
                        self.told[str(answer.json().get("code", answer.status_code))] += 1
                    except httpx.HTTPError as error:
                        self.told[type(error).__name__] += 1
                    # Refused at once it would only measure how fast its own machine sends.
                    await asyncio.sleep(0.05)

            await asyncio.gather(*(worker() for _ in range(workers)))

    async def holding(self, sent: bytes) -> None:
        """Hold connections on which a request has begun, and open each anew when it is closed."""

        async def one() -> None:
            while True:
                try:
                    await self._held(sent)
                except OSError as error:
                    self.told[type(error).__name__] += 1
                await asyncio.sleep(0.2)

        await asyncio.gather(*(one() for _ in range(self.connections)))

    async def _held(self, sent: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(ATTACKER_ADDRESS, 0))
        try:
            writer.write(sent)
            said = await reader.read(65536)
            self.told[said[9:12].decode() or "closed"] += 1
        finally:
            writer.close()


def item(number: int, content: object, **changes: Any) -> dict[str, Any]:
    """An item of the knowledge section that nobody saw before."""
    made: dict[str, Any] = request(2, 50, number)["items"][1]
    return {**made, "content": content, **changes}


def asking(items: list[dict[str, Any]], settings: Settings) -> dict[str, Any]:
    """A request with the record that one needs, and these, for which somebody vouches: it is not refused before its work."""
    first = request(1, 50, 1)
    return signed({**first, "query": f"{random.random()}", "items": [*first["items"], *items]}, settings)


def forged_blocks(attack: Attack) -> Awaitable[None]:
    """Turns full of beginnings of blocks, whose ends are looked for."""
    prefix = "<w id= mark=aaaaaaaaaaaa>\n" * round(2300 * attack.scale)

    def make(number: int) -> dict[str, Any]:
        labels = {"source_type": "user_input", "data_classification": "INTERNAL", "jurisdiction": "SG", "domain": "NPA"}
        turns = [
            {
                "id": f"turn-{place}",
                "section": "conversation",
                "content": f"{number} {place} {prefix}",
                "media_type": "text/plain",
                "provenance": {"source_id": "session:bench", "version": "1", "owner": "bench", **labels},
            }
            for place in range(40)
        ]
        return asking(turns, attack.settings)

    return attack.posting(make, 2)


def dense_items(attack: Attack) -> Awaitable[None]:
    """Items that take the screening as long as an item can."""

    def make(number: int) -> dict[str, Any]:
        drawn = random.Random(number)
        # In UTF-8 most of these are three bytes, and an item may have 256,000.
        content = "".join(drawn.choices(DENSE, k=round(100_000 * attack.scale)))
        return asking([item(number, content)], attack.settings)

    return attack.posting(make, 3)


def slow_bodies(attack: Attack) -> Awaitable[None]:
    """Bodies that begin and stop, of a known caller."""
    head = (
        f"POST /v1/packs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {attack.token}\r\nContent-Length: 1000\r\n\r\n{{"
    )
    return attack.holding(head.encode())


def slow_connections(attack: Attack) -> Awaitable[None]:
    """Connections of strangers that begin a request and stop."""
    return attack.holding(b"POST /v1/packs HTTP/1.1\r\nHost: x\r\nX-Slow: ")


def one_document(attack: Attack) -> Awaitable[None]:
    """Hundreds of chunks of one document, and of records that contradict each other in every field."""

    def make(number: int) -> dict[str, Any]:
        drawn = random.Random(number)
        if number % 2:
            records = [
                {f"field {n}": drawn.randrange(10**6) for n in range(100)} for _ in range(round(100 * attack.scale))
            ]
            labels = {"media_type": "application/json"}
            return asking([item(n, one, id=f"j-{n}", **labels) for n, one in enumerate(records)], attack.settings)
        source = {"source_id": f"one-document-{number}", "version": "1"}
        chunks = [item(n, text(200, drawn.getrandbits(32)), id=f"c-{n}") for n in range(round(490 * attack.scale))]
        whole = [{**chunk, "provenance": {**chunk["provenance"], **source}} for chunk in chunks]
        return asking(whole, attack.settings)

    return attack.posting(make, 2)


ATTACKS: dict[str, Callable[[Attack], Awaitable[None]]] = {
    "turns of forged blocks": forged_blocks,
    "dense items": dense_items,
    "slow bodies with a token": slow_bodies,
    "slow connections without one": slow_connections,
    "one document in hundreds of items": one_document,
}


@contextmanager
def attacking(name: str, attack: Attack) -> Iterator[Counter[str]]:
    """
    The attack goes on until the end of the block.

    Yields:
        What the attacker was told; filled at the end.

    Raises:
        RuntimeError: it ended by itself, so that it was none.
    """
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_attack, args=(name, attack, theirs), daemon=True)
    process.start()
    ours.recv()
    try:
        yield attack.told
        if not process.is_alive():
            raise RuntimeError(f"the attack ended: {name}")
    finally:
        with contextlib.suppress(OSError, EOFError):
            ours.send("enough")
            attack.told.update(ours.recv())
        process.join(10)
        process.kill()


def _attack(name: str, attack: Attack, ends: Connection) -> None:
    os.nice(19)
    asyncio.run(_until_told(name, attack, ends))
    ends.send(attack.told)


async def _until_told(name: str, attack: Attack, ends: Connection) -> None:
    task = asyncio.ensure_future(ATTACKS[name](attack))
    enough = asyncio.ensure_future(asyncio.to_thread(ends.recv))
    ends.send("begun")
    await asyncio.wait([task, enough], return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        # What went wrong is shown, and whoever measures sees that nobody attacks.
        task.result()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
