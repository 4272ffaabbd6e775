"""
One tenant works, another attacks: what the first one notices of five attacks, one after the other, against one gateway.

The victim sends small requests when they are due, whatever became of those before.  Before each attack it does so alone; while the
attack goes on nothing of it may fail, and its p95 should stay within twice its p95 alone.  The attacker comes from another
address of this machine and does not stop when it is refused.  Afterwards the gateway is stopped and its ledger verified.

    python -m bench.bystanders [--quick] [--seconds N] [--connections N] [--attacks N ...]
"""

import argparse
import asyncio
import contextlib
import json
import random
import statistics
import sys
import tempfile
import time

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench.common import SUBJECT, report, request, signed, text
from bench.load import Server, serving
from gateway.bootstrap.keys import development_issuer, log_keys
from gateway.settings import HOME, Settings
from ledger.pin import HeadPin
from ledger.sqlite.store import SqliteStore
from ledger.verify import verify
from tools.loopback import free_port

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


class Victim:
    """Somebody who works: small requests, half of whose content was seen before."""

    def __init__(self, port: int, token: str, settings: Settings, rate: float) -> None:
        """
        Args:
            port: of the gateway.
            token: its own.
            settings: whose development key vouches for its items.
            rate: how many requests are due in a second.
        """
        self._rate = rate
        self._url = f"http://127.0.0.1:{port}/v1/packs"
        self._token = token
        self._settings = settings
        self._sent = 0
        self.said: Counter[str] = Counter()

    def _body(self) -> str:
        self._sent += 1
        seen, new = request(2, 300, 1), request(3, 300, 1000 + self._sent + random.getrandbits(40))
        document = {**seen, "query": f"number {self._sent}", "items": [*seen["items"], new["items"][2]]}
        return json.dumps(signed(document, self._settings))

    async def works(self, seconds: float) -> tuple[list[float], int]:
        """Waits of its requests, in seconds, counted from when each was due, and how many failed."""
        waits, failed = list[float](), 0
        headers = {"authorization": f"Bearer {self._token}"}
        async with httpx.AsyncClient(headers=headers, timeout=120, limits=httpx.Limits(keepalive_expiry=1)) as client:

            async def one(body: str, due: float) -> None:
                nonlocal failed
                try:
                    answer = await client.post(self._url, content=body)
                    code = str(answer.json().get("code", answer.status_code))
                except (httpx.HTTPError, ValueError) as error:
                    code = type(error).__name__
                failed += code != "200"
                self.said[code] += 1
                waits.append(time.perf_counter() - due)

            tasks, began = [], time.perf_counter()
            for place in range(max(2, round(seconds * self._rate))):
                body, due = self._body(), began + place / self._rate
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                tasks.append(asyncio.create_task(one(body, due)))
            await asyncio.gather(*tasks)
        return waits, failed


def p95(waits: list[float]) -> float:
    """The 95th percentile."""
    return statistics.quantiles(waits, n=20, method="inclusive")[18]


async def attacked(name: str, attack: Attack, victim: Victim, seconds: float) -> dict[str, float]:
    """What the victim noticed of one attack."""
    alone, failed_alone = await victim.works(seconds)
    victim.said.clear()
    task = asyncio.ensure_future(ATTACKS[name](attack))
    await asyncio.sleep(min(2.0, seconds / 4))
    during, failed = await victim.works(seconds)
    if task.done():
        # An attack that ended by itself was none.
        task.result()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    print(f"{name}: the attacker was told {dict(attack.told)}, the victim {dict(victim.said)}", file=sys.stderr)
    return {
        f"{name}: failures of the victim": float(failed),
        f"{name}: failures alone": float(failed_alone),
        f"{name}: p95 alone, ms": p95(alone) * 1000,
        f"{name}: p95 under attack, ms": p95(during) * 1000,
        f"{name}: ratio of p95": p95(during) / p95(alone),
    }


def token_of(tenant: str, settings: Settings) -> str:
    """A token of somebody of a tenant."""
    claims = {**SUBJECT, "sub": f"{tenant}.person", "tenant": tenant, "iss": settings.jwt_issuer}
    return development_issuer(settings).token({**claims, "aud": settings.jwt_audience, "exp": int(time.time()) + 7200})


async def run(server: Server, port: int, settings: Settings, given: argparse.Namespace) -> dict[str, float]:
    """All attacks, one after the other, with a pause in which what is under way may end."""
    figures: dict[str, float] = {}
    victim = Victim(port, token_of("victim", settings), settings, rate=8.0 if given.quick else 2.0)
    await victim.works(0 if given.quick else 5)
    scale = 0.02 if given.quick else 1.0
    for name in (list(ATTACKS)[number - 1] for number in given.attacks):
        attack = Attack(port, token_of("attacker", settings), settings, given.connections, scale)
        figures |= await attacked(name, attack, victim, given.seconds)
        if server.process.poll() is not None:
            raise RuntimeError(f"the gateway did not survive: {name}")
        await asyncio.sleep(0 if given.quick else 15)
    return figures


def main() -> None:
    """Print what the victim noticed of each attack, and how many records verified afterwards."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--connections", type=int)
    numbers = range(1, len(ATTACKS) + 1)
    parser.add_argument(
        "--attacks", type=int, nargs="+", choices=numbers, default=list(numbers), help="which, by number"
    )
    given = parser.parse_args()
    given.seconds = given.seconds or (0.5 if given.quick else 60.0)
    given.connections = given.connections or (20 if given.quick else 1000)
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        settings = Settings(state_dir=folder / "state")
        command = [sys.executable, "-c", "from gateway.cli import main; main()", "serve", "--port", str(port)]
        environment = {"PYTHONPATH": str(HOME), "CTXGATE_STATE_DIR": str(settings.state_dir)}
        environment |= {"CTXGATE_DETECTOR_WORKERS": "1"} if given.quick else {}
        with serving(command, folder, port, "/readyz", **environment) as server:
            figures = asyncio.run(run(server, port, settings, given))
        store = SqliteStore(settings.ledger_file)
        done = verify(store, origin=settings.origin, pin=HeadPin(settings.pin).read(), keys=log_keys(settings))
        store.close()
    figures["records that verified afterwards"] = float(done.records)
    report("bystanders", figures, "python -m bench.bystanders" + (" --quick" if given.quick else ""))


if __name__ == "__main__":
    main()
