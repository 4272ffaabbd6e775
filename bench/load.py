"""
The gateway under load over HTTP, beside an empty route and a published peer, by one generator in one run.

For each: how much a closed loop of four clients gets through, then an open loop at 60 % of that, whose latencies count from the
moment a request was due, so that a slow answer does not hide the ones that wait behind it.  20 items of 1.1 KB a request.

    python -m bench.load [--seconds N]
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import venv

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from bench.common import SUBJECT, report, request, signed
from gateway.bootstrap.keys import development_issuer
from gateway.settings import HOME, Settings
from tools.loopback import free_port, until_up

ITEMS, SIZE, CLIENTS = 20, 1100, 4
PEER = "contextwall==0.2.1"
FLOOR = "from fastapi import FastAPI; app = FastAPI(); app.post('/')(lambda: {})"

Make = Callable[[int], dict[str, Any]]


class Server:
    """A process under load."""

    def __init__(self, command: list[str], folder: Path, port: int, ready: str, **environment: str) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._log = (folder / f"{port}.log").open("wb")
        self.process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **environment}, stdout=self._log, stderr=self._log
        )
        until_up(self.process, self.url + ready, seconds=180)

    def usage(self) -> tuple[float, float]:
        """CPU seconds so far and resident megabytes, of the process and those it started."""
        seconds, pages = 0.0, 0
        for pid in (self.process.pid, *children(self.process.pid)):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            pages += int(fields[21])
        return seconds, pages * os.sysconf("SC_PAGE_SIZE") / 1e6

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            for pid in (*children(self.process.pid), self.process.pid):
                os.kill(pid, signal.SIGKILL)
            self.process.wait()
        self._log.close()


def children(pid: int) -> Iterator[int]:
    """Processes that a process started, and those that they did."""
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        yield child
        yield from children(child)


@contextmanager
def serving(*args: Any, **environment: Any) -> Iterator[Server]:
    server = Server(*args, **environment)
    try:
        yield server
    finally:
        server.stop()


async def loaded(
    server: Server, path: str, make: Make, headers: dict[str, str], seconds: float, *, most: float = 150
) -> dict[str, float]:
    """What a closed loop gets through, and how an open loop at 60 % of that waits; *limit* requests a second are ready."""
    # Made before: the generator shares the processors with the server.  Should they not be enough, the rest is made then.
    before = [json.dumps(make(number)) for number in range(int(most * seconds))]
    ready = itertools.chain(before, (json.dumps(make(number)) for number in itertools.count(len(before))))
    async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=120) as client:

        async def one() -> int:
            answer = await client.post(path, content=next(ready))
            return answer.status_code

        for _ in range(3):
            assert await one() == 200
        began, cpu, done = time.perf_counter(), server.usage()[0], 0

        async def worker() -> None:
            nonlocal done
            while time.perf_counter() - began < seconds:
                status = await one()
                done += status == 200

        await asyncio.gather(*(worker() for _ in range(CLIENTS)))
        rate = done / (time.perf_counter() - began)
        used = (server.usage()[0] - cpu) / max(1, done)
        waits, failed = await open_loop(one, rate * 0.6, seconds)
    cuts = statistics.quantiles(waits, n=100) if len(waits) > 1 else [waits[0] if waits else 0.0] * 99
    return {
        "closed loop, requests/s": rate,
        "closed loop, items/s": rate * ITEMS,
        "open loop at 60 %, p50 ms": cuts[49] * 1000,
        "open loop at 60 %, p95 ms": cuts[94] * 1000,
        "open loop at 60 %, p99 ms": cuts[98] * 1000,
        "not answered 200": float(failed),
        "CPU a request, ms": used * 1000,
        "memory, MB": server.usage()[1],
    }


async def open_loop(one: Callable[[], Any], rate: float, seconds: float) -> tuple[list[float], int]:
    """Waits of requests that are sent when they are due, whatever became of those before."""
    waits: list[float] = []
    failed = 0
    began = time.perf_counter()

    async def due(at: float) -> None:
        nonlocal failed
        status = await one()
        failed += status != 200
        waits.append(time.perf_counter() - began - at)

    tasks, at = [], 0.0
    while at < seconds:
        await asyncio.sleep(max(0.0, at - (time.perf_counter() - began)))
        tasks.append(asyncio.create_task(due(at)))
        at += random.expovariate(rate)
    await asyncio.gather(*tasks)
    return waits, failed


def bodies(share_seen: float, chosen: Settings) -> Make:
    """Requests, vouched for, whose items were seen before to a share; every request is another."""
    first = signed(request(ITEMS, SIZE, 1), chosen)
    seen = first["items"]

    def make(number: int) -> dict[str, Any]:
        # A seed of their own for the new ones, so that no two runs share them.
        kept = round(ITEMS * share_seen)
        fresh = signed(request(ITEMS, SIZE, random.getrandbits(48)), chosen)["items"][kept:] if kept < ITEMS else []
        return {**first, "items": [*seen[:kept], *fresh], "query": f"number {number} {random.random()}"}

    return make


def as_documents(make: Make) -> Make:
    """The same texts as the peer takes them."""

    def documents(number: int) -> dict[str, Any]:
        items = make(number)["items"]
        return {"source_id": "web", "documents": [{"content": item["content"], "url": item["id"]} for item in items]}

    return documents


def gateway(folder: Path, workers: int, seconds: float) -> dict[str, float]:
    state = folder / f"state-{workers}"
    port = free_port()
    chosen = Settings(state_dir=state)
    claims = {**SUBJECT, "iss": chosen.jwt_issuer, "aud": chosen.jwt_audience, "exp": int(time.time()) + 7200}
    headers = {"authorization": f"Bearer {development_issuer(chosen).token(claims)}"}
    command = [sys.executable, "-c", "from gateway.cli import main; main()", "serve", "--port", str(port)]
    given = {"PYTHONPATH": str(HOME), "CTXGATE_STATE_DIR": str(state), "CTXGATE_DETECTOR_WORKERS": str(workers)}
    figures: dict[str, float] = {}
    with serving(command, folder, port, "/readyz", **given) as server:
        for name, share in (("new", 0.0), ("90 % seen", 0.9), ("seen", 1.0)):
            found = asyncio.run(
                loaded(server, "/v1/packs", bodies(share, chosen), headers, seconds, most=200 if share else 40)
            )
            figures |= {f"gateway, {workers} screening workers, {name}: {key}": value for key, value in found.items()}
    return figures


def peer(folder: Path, seconds: float) -> dict[str, float]:
    cache = Path.home() / ".cache/ctxgate/peer-load"
    if not (cache / "bin/contextwall").exists():
        venv.create(cache, with_pip=True)
        subprocess.run([cache / "bin/python", "-m", "pip", "install", "-q", PEER], check=True)
    home = folder / "peer"
    home.mkdir()
    subprocess.run([cache / "bin/contextwall", "init"], cwd=home, check=True, capture_output=True)
    port = free_port()
    command = [str(cache / "bin/contextwall"), "daemon", "--port", str(port)]
    figures: dict[str, float] = {}
    with serving(command, home, port, "/docs") as server:
        for name, share in (("new", 0.0), ("90 % seen", 0.9), ("seen", 1.0)):
            make = as_documents(bodies(share, Settings(state_dir=home)))
            found = asyncio.run(
                loaded(server, "/v1/filter", make, {"content-type": "application/json"}, seconds, most=300)
            )
            figures |= {f"contextwall, {name}: {key}": value for key, value in found.items()}
    return figures


def floor(folder: Path, seconds: float) -> dict[str, float]:
    port = free_port()
    (folder / "floor.py").write_text(FLOOR.replace("; ", "\n"))
    command = [sys.executable, "-m", "uvicorn", "floor:app", "--port", str(port), "--log-level", "warning"]
    with serving(command, folder, port, "/openapi.json") as server:
        found = asyncio.run(
            loaded(server, "/", bodies(1.0, Settings(state_dir=folder / "floor")), {}, seconds, most=1500)
        )
    return {f"an empty FastAPI route (floor): {key}": value for key, value in found.items() if "items" not in key}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = floor(folder, seconds) | peer(folder, seconds)
        for workers in (1, 2):
            figures |= gateway(folder, workers, seconds)
    report("load", figures, "python -m bench.load")


if __name__ == "__main__":
    main()
