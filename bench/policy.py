"""
Policy decisions: the embedded engine against OPA over HTTP, one by one and in one round trip.

Baselines in the same run: the same hundred decisions over OPA's Data API one by one; OPA's own evaluation
time of the batch, from its metrics; the interpreter of the same embedded engine; simulation of decisions.
"""

import asyncio
import json
import shutil
import statistics
import sys
import uuid

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import regorus

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from adapters.policy.opa import OpaPolicyEngine, batch
from adapters.policy.regorus import RegorusPolicyEngine
from bench.common import admit_inputs, opa_server, report, timed, timed_async
from gateway.model import utc_text
from gateway.policy.bundle import Bundle, load_bundle
from gateway.policy.entrypoints import ADMIT
from gateway.settings import HOME
from gateway.workbench.simulate import simulate
from ledger.canonical import jcs
from ledger.lane import LaneWriter, Submission
from ledger.query import Filter
from ledger.record import Draft, GatewayPart, PolicyPart
from ledger.sequencer import Sequencer
from ledger.sqlite.store import SqliteStore

QUICK = "--quick" in sys.argv
ROUNDS = 5 if QUICK else 30


async def main() -> None:
    bundle, inputs = load_bundle(HOME / "policies"), admit_inputs()
    engine = RegorusPolicyEngine(bundle)
    embedded = statistics.median(await timed_async(lambda: engine.evaluate(ADMIT.name, inputs), ROUNDS))
    figures = {
        "100 items, all labels different, embedded, ms": embedded,
        "decisions per second, embedded": 100_000 / embedded,
        "100 items, interpreter of the same engine, ms": interpreted(bundle.modules, bundle.data, inputs),
        "compiling the bundle, ms": timed(lambda: RegorusPolicyEngine(bundle), ROUNDS),
    }
    opa = shutil.which("opa")
    if opa is None:
        print("opa is not on the PATH: no figures over HTTP", file=sys.stderr)
    else:
        with opa_server(opa) as client:
            one_by_one = timed(
                lambda: [client.post("/v1/data/context/admit", json={"input": one}).json() for one in inputs],
                max(3, ROUNDS // 5),
            )
            metrics = [
                client.post("/v1/data/context/batch/admit?metrics=true", json={"input": batch(inputs)}).json()[
                    "metrics"
                ]
                for _ in range(ROUNDS)
            ]
            own = statistics.median(one["timer_rego_query_eval_ns"] / 1e6 for one in metrics)
            server = OpaPolicyEngine(str(client.base_url), revision=bundle.revision, timeout_seconds=30)
            await server.start()
            in_one = statistics.median(await timed_async(lambda: server.evaluate(ADMIT.name, inputs), ROUNDS))
            await server.close()
        figures |= {
            "100 items, OPA over HTTP, one by one, ms": one_by_one,
            "100 items, OPA over HTTP, one round trip, ms": in_one,
            "100 items, OPA's own evaluation time, ms": own,
            "ratio: OPA one by one / embedded (target at least 10)": one_by_one / embedded,
            "ratio: OPA one round trip / its own evaluation (target under 2)": in_one / own,
        }
    await engine.close()
    figures |= simulated(bundle)
    report("policy", figures, "python -m bench.policy" + (" --quick" if QUICK else ""))


def simulated(bundle: Bundle) -> dict[str, float]:
    """Decisions a second of a simulation over a ledger on disk: in packs of twenty, of four kinds of label each."""
    packs = 50 if QUICK else 500
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder, "ledger.sqlite"))
        signer = Ed25519Signer("bench", Ed25519PrivateKey.generate())
        writer = LaneWriter(store, "bench", GatewayPart(replica=str(uuid.uuid4()), build="bench"), signer)
        kinds = admit_inputs()
        inputs: dict[str, bytes] = {}
        for pack in range(packs):
            now = utc_text(datetime(2026, 3, 1, tzinfo=UTC) + timedelta(seconds=pack))
            asked = [jcs({**kinds[(pack + place % 4) % len(kinds)], "now": now}) for place in range(20)]
            drafts = [_ruling(bundle, now) for _ in asked]
            writer.commit([Submission(drafts)])
            inputs |= {draft.decision_id: one for draft, one in zip(drafts, asked, strict=True)}
        Sequencer(store, "bench", [signer], lambda: [Ed25519Verifier(signer.key)]).run()
        engine = RegorusPolicyEngine(bundle)

        def opened(ids: Sequence[str]) -> Mapping[str, bytes]:
            return {one: inputs[one] for one in ids}

        decided = simulate(store, opened, engine, Filter()).decisions
        assert decided == packs * 20, f"{decided} of {packs * 20} decisions were simulated"
        took = timed(lambda: simulate(store, opened, engine, Filter()), 3)
        store.close()
    return {"decisions simulated per second, ledger on disk (target 20,000)": packs * 20 / took * 1000}


def _ruling(bundle: Bundle, now: str) -> Draft:
    return Draft(
        kind="item.ruled",
        decision_id=str(uuid.uuid4()),
        trace_id="bench",
        request_id=str(uuid.uuid4()),
        tenant="bench",
        policy=PolicyPart(revision=bundle.revision, engine="regorus", engine_version="0", entrypoint=ADMIT.name),
        outcome="denied",
        at=now,
    )


def interpreted(modules: dict[str, str], data: dict[str, object], inputs: list[dict[str, object]]) -> float:
    interpreter = regorus.Engine()
    for name, rego in modules.items():
        interpreter.add_policy(name, rego)
    interpreter.add_data_json(json.dumps(data))

    def evaluate() -> None:
        for facts in inputs:
            interpreter.set_input_json(json.dumps(facts))
            json.loads(interpreter.eval_rule_as_json("data.context.admit"))

    return timed(evaluate, 3)


if __name__ == "__main__":
    asyncio.run(main())
