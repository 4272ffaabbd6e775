"""
The whole way through, against what its parts cost alone, in one run.

Baselines: the same policy decisions over OPA's HTTP API, one by one; the detectors, the tokenizer and one
durable commit of the same items, each alone; the smallest HTTP answer of the same server.
"""

import asyncio
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from collections.abc import Awaitable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer
from adapters.policy.regorus import RegorusPolicyEngine
from bench.common import SUBJECT, admit_inputs, opa_server, report, request, signed, timed, timed_async
from gateway.bootstrap.gateway import Gateway, running
from gateway.bootstrap.keys import development_issuer
from gateway.content.leaves import leaves
from gateway.model import Candidate, ContextPack, PackRequest, Subject
from gateway.model.content import content_text
from gateway.pipeline import Asked
from gateway.policy.bundle import load_bundle
from gateway.policy.entrypoints import ADMIT
from gateway.settings import HOME, Settings
from ledger.lane import LaneWriter, Submission
from ledger.record import Draft, GatewayPart, ItemPart
from ledger.sqlite.store import SqliteStore
from tools.loopback import free_port, until_up

QUICK = "--quick" in sys.argv
ROUNDS = 3 if QUICK else 15
ITEMS, SIZE = 20, 1100
SEEDS = itertools.count(1)


async def policy() -> dict[str, float]:
    engine, inputs = RegorusPolicyEngine(load_bundle(HOME / "policies")), admit_inputs()
    embedded = statistics.median(await timed_async(lambda: engine.evaluate(ADMIT.name, inputs), ROUNDS * 3))
    same = statistics.median(await timed_async(lambda: engine.evaluate(ADMIT.name, inputs[:1] * 100), ROUNDS * 3))
    figures = {
        "policy: 100 items, all labels different, embedded, ms": embedded,
        "policy: 100 items, same labels, embedded, ms": same,
    }
    opa = shutil.which("opa")
    if opa:
        with opa_server(opa) as client:
            over_http = timed(
                lambda: [client.post("/v1/data/context/admit", json={"input": one}).json() for one in inputs], ROUNDS
            )
        figures["policy: the same 100 over OPA's HTTP API, one by one, ms"] = over_http
        figures["policy: OPA HTTP / embedded"] = over_http / embedded
    await engine.close()
    return figures


async def parts(gateway: Gateway) -> dict[str, float]:
    """What the detectors, the tokenizer and one commit cost alone, for new items."""

    def fresh() -> list[Candidate]:
        return [Candidate.model_validate(item) for item in request(ITEMS, SIZE, next(SEEDS))["items"]]

    async def detect(place: int) -> None:
        items = [leaves(item.content) for item in fresh()]
        await gateway.pipeline.detectors[place].detect(items[:1], ("pii/full", "injection")[place], "bench")
        await gateway.pipeline.detectors[place].detect(items[1:], ("pii/patterns", "injection")[place], "bench")

    tokens = [content_text(item.content) for _ in range(ROUNDS + 1) for item in fresh()]
    counter = iter(tokens)
    gateway.pipeline.tokenizer.count("warm", "o200k_base")
    return {
        "alone: Presidio, 20 new items, ms": statistics.median(await timed_async(lambda: detect(0), ROUNDS)),
        "alone: injection rules and encoder, ms": statistics.median(await timed_async(lambda: detect(1), ROUNDS)),
        "alone: tokenizer, ms": timed(
            lambda: [gateway.pipeline.tokenizer.count(next(counter), "o200k_base") for _ in range(ITEMS)], ROUNDS
        ),
        "alone: one durable commit of 21 records, ms": commit_alone(),
    }


def commit_alone() -> float:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "ledger.sqlite")
        part = GatewayPart(replica="00000000-0000-4000-8000-000000000001", build="bench")
        lane = LaneWriter(store, "bench", part, Ed25519Signer("bench", Ed25519PrivateKey.generate()))
        ids = (f"00000000-0000-7000-8000-{n:012x}" for n in itertools.count())

        def commit() -> None:
            part = ItemPart(id="x", commitment="0" * 64, bytes=SIZE, media_type="text/plain")
            drafts = [
                Draft(kind="item.ruled", decision_id=next(ids), trace_id="t", request_id=next(ids), tenant="bench",
                      item=part, outcome="released", at="2026-03-01T09:15:00.000000Z")
                for _ in range(21)
            ]  # fmt: skip
            lane.commit([Submission(drafts)])

        commit()
        median = timed(commit, ROUNDS * 3)
        store.close()
        return median


async def whole(gateway: Gateway) -> dict[str, float]:
    """The pipeline in process, for new and for seen content."""
    person = Subject.model_validate(SUBJECT)

    def assemble(document: dict[str, object]) -> Awaitable[ContextPack]:
        return gateway.pipeline.assemble(Asked(PackRequest.model_validate(document), person, datetime.now(UTC)))

    def fresh() -> dict[str, Any]:
        return signed(request(ITEMS, SIZE, next(SEEDS)), gateway.settings)

    await assemble(fresh())
    # Made before: signing is the work of the items' owners.
    new = iter([fresh() for _ in range(ROUNDS + 1)])
    cold = await timed_async(lambda: assemble(next(new)), ROUNDS)
    seen = fresh()
    await assemble(seen)
    warm = await timed_async(lambda: assemble(seen), ROUNDS * 3)
    return {
        "assemble: 20 new items, p50, ms": statistics.median(cold),
        "assemble: 20 seen items, p50, ms": statistics.median(warm),
    }


def over_http(folder: str) -> dict[str, float]:
    """The served gateway and one client."""
    port = free_port()
    environment = {**os.environ, "CTXGATE_STATE_DIR": folder, "PYTHONPATH": str(HOME)}
    server = subprocess.Popen(
        [sys.executable, "-c", "from gateway.cli import main; main()", "serve", "--port", str(port)],
        env=environment,
        stderr=subprocess.DEVNULL,
    )
    try:
        until_up(server, f"http://127.0.0.1:{port}/readyz")
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client:
            settings = Settings(state_dir=Path(folder))
            claims = {**SUBJECT, "iss": settings.jwt_issuer, "aud": settings.jwt_audience, "exp": time.time() + 3600}
            headers = {"authorization": f"Bearer {development_issuer(settings).token(claims)}"}

            def post(body: bytes) -> None:
                client.post("/v1/packs", content=body, headers=headers).raise_for_status()

            def fresh() -> bytes:
                return json.dumps(signed(request(ITEMS, SIZE, next(SEEDS)), settings)).encode()

            new = iter([fresh() for _ in range(ROUNDS + 1)])
            post(next(new))
            cold = timed(lambda: post(next(new)), ROUNDS)
            seen = fresh()
            post(seen)
            return {
                "http: floor (GET /healthz), ms": timed(lambda: client.get("/healthz"), ROUNDS * 3),
                "http: 20 new items, p50, ms": cold,
                "http: 20 seen items, p50, ms": timed(lambda: post(seen), ROUNDS * 3),
            }
    finally:
        server.terminate()
        server.wait()


async def main() -> None:
    figures = await policy()
    with tempfile.TemporaryDirectory() as folder:
        async with running(Settings(state_dir=Path(folder), detector_workers=2)) as gateway:
            figures |= await parts(gateway)
            figures |= await whole(gateway)
    with tempfile.TemporaryDirectory() as folder:
        figures |= over_http(folder)
    alone = sum(value for name, value in figures.items() if name.startswith("alone:"))
    commit, floor = figures["alone: one durable commit of 21 records, ms"], figures["http: floor (GET /healthz), ms"]
    figures["ratio: http new / sum of the parts alone (target 1.3)"] = figures["http: 20 new items, p50, ms"] / alone
    figures["ratio: http seen / (commit + floor) (target 2)"] = figures["http: 20 seen items, p50, ms"] / (
        commit + floor
    )
    report("pipeline", figures, "make bench" + (" (--quick)" if QUICK else ""))


if __name__ == "__main__":
    asyncio.run(main())
