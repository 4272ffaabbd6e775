"""
One tenant works, another attacks: what the first one notices of five attacks, one after the other, against one gateway.

The victim sends small requests when they are due, whatever became of those before.  Before each attack it does so alone; while the
attack goes on nothing of it may fail, and its p95 should stay within twice its p95 alone.  The attacker comes from another
address of this machine, in a process of its own, and does not stop when it is refused.  Afterwards the gateway is stopped and
its ledger verified.

    python -m bench.bystanders [--quick] [--seconds N] [--connections N] [--attacks N ...]
"""

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time

from collections import Counter
from pathlib import Path

import httpx

from bench.attacks import ATTACKS, Attack, attacking
from bench.common import SUBJECT, report, request, signed
from bench.load import Server, serving
from gateway.bootstrap.key_files import log_keys
from gateway.bootstrap.keys import development_issuer
from gateway.settings import HOME, Settings
from ledger.pin import HeadPin
from ledger.sqlite.store import SqliteStore
from ledger.verify import verify
from tools.loopback import free_port


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
    with attacking(name, attack) as told:
        await asyncio.sleep(min(2.0, seconds / 4))
        during, failed = await victim.works(seconds)
    print(f"{name}: the attacker was told {dict(told)}, the victim {dict(victim.said)}", file=sys.stderr)
    return {
        f"{name}: failures of the victim": float(failed),
        f"{name}: failures alone": float(failed_alone),
        f"{name}: median alone, ms": statistics.median(alone) * 1000,
        f"{name}: median under attack, ms": statistics.median(during) * 1000,
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
