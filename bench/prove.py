"""How long proofs take: `python -m bench.prove [--quick]`."""

import copy
import sys
import time

from dataclasses import replace

from adapters.policy.proving import ProofEngines
from gateway.policy.bundle import Bundle, load_bundle
from gateway.settings import HOME
from gateway.workbench.proving.exact import exact_diff
from gateway.workbench.proving.prove import prove


def main() -> None:
    bundle = load_bundle(HOME / "policies")
    engines = ProofEngines(with_opa=False).engines()
    began = time.perf_counter()
    proof = prove(bundle, engines)
    held = sum(one.verdict == "holds" for one in proof.shown)
    print(f"prove: {held} of {len(proof.shown)} invariants hold, {time.perf_counter() - began:.1f} s (bar: 120 s)")
    for name, changed in (cleared(bundle), live(bundle))[: 1 if "--quick" in sys.argv else 2]:
        began = time.perf_counter()
        found = exact_diff(bundle, changed, engines)
        rows = sum(len(one.rows) for one in found.changes)
        print(f"diff --exact, {name}: {rows} rows, {time.perf_counter() - began:.1f} s (bar: 60 s)")


def cleared(bundle: Bundle) -> tuple[str, Bundle]:
    data = copy.deepcopy(bundle.data)
    data["context"]["entitlement"]["clearance"]["analyst"] = "RESTRICTED"
    return "a clearance", replace(bundle, data=data)


def live(bundle: Bundle) -> tuple[str, Bundle]:
    data = copy.deepcopy(bundle.data)
    data["context"]["freshness"]["live_within_seconds"]["system_of_record"] = 600
    return "a threshold", replace(bundle, data=data)


if __name__ == "__main__":
    main()
