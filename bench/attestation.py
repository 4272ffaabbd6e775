"""
What it costs to find out who vouches for an item: processor time by kind of key, cold, seen before, and forged.

`python -m bench.attestation [--quick]`.  Cold is with no signature seen before, and the content's digest not yet taken, which
the ledger needs as well.  The target is 0.15 ms an item, cold.
"""

import statistics
import sys
import time

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from joserfc.jwk import ECKey, OKPKey

from adapters.attestation.jws_labels import JwsLabelVerifier, sign
from bench.common import report, request
from gateway.model import Candidate, SourceEntry

ITEMS: Final = 500
SIZE: Final = 2000
"""Characters of each item."""


def new_key(kind: str) -> OKPKey | ECKey:
    """A key for an algorithm."""
    if kind == "ES256":
        return ECKey.generate_key("P-256", {"kid": "k"})
    return OKPKey.generate_key("Ed25519", {"kid": "k"})


def sources(key: OKPKey | ECKey) -> dict[str, SourceEntry]:
    """A registry's sources with one key."""
    jwk = {name: value for name, value in key.as_dict(private=False).items() if name in {"kty", "crv", "x", "y"}}
    entry = {"id": "s", "kind": "brought", "keys": [{"kid": "k", "jwk": jwk, "valid_from": "2026-01-01"}]}
    return {"s": SourceEntry.model_validate(entry)}


def spent(
    verifier: JwsLabelVerifier, items: Sequence[Candidate], known: dict[str, SourceEntry], *, holds: bool
) -> float:
    """Milliseconds of processor time for each item."""
    now = datetime.now(UTC)
    started = time.process_time()
    for item in items:
        facts = verifier.verify(item, known, now)
        if facts is None or facts["verified"] is not holds:
            raise AssertionError("a signature was read wrongly")
    return (time.process_time() - started) * 1000 / len(items)


def measured(kind: str, seed: int) -> dict[str, float]:
    """One round over items that nobody has seen."""
    key, now = new_key(kind), datetime.now(UTC)
    known, verifier = sources(key), JwsLabelVerifier()
    bodies = request(ITEMS, SIZE, seed)["items"]
    marks = [sign(Candidate.model_validate(body), key, issuer="s", at=now, algorithm=kind) for body in bodies]
    # Made anew, so that the digest of no content is known yet.
    good = [Candidate.model_validate({**body, "attestation": mark}) for body, mark in zip(bodies, marks, strict=True)]
    forged = [Candidate.model_validate({**body, "attestation": marks[0]}) for body in bodies[1:]]
    broken = [Candidate.model_validate({**body, "attestation": "A" * 1900 + "..AA"}) for body in bodies]
    return {
        f"{kind}, cold, ms an item": spent(verifier, good, known, holds=True),
        f"{kind}, seen before, ms an item": spent(verifier, good, known, holds=True),
        f"{kind}, forged, ms an item": spent(verifier, forged, known, holds=False),
        f"{kind}, forged and seen before, ms an item": spent(verifier, forged, known, holds=False),
        f"{kind}, no signature at all, ms an item": spent(verifier, broken, known, holds=False),
    }


def main() -> None:
    """Print the medians of some rounds."""
    quick = "--quick" in sys.argv[1:]
    rounds = [measured(kind, seed) for seed in range(1 if quick else 9) for kind in ("Ed25519", "ES256")]
    names = dict.fromkeys(name for figures in rounds for name in figures)
    medians = {name: statistics.median(figures[name] for figures in rounds if name in figures) for name in names}
    report("attestation", medians, f"python -m bench.attestation{' --quick' if quick else ''}")


if __name__ == "__main__":
    main()
