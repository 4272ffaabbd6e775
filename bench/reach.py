"""
What may be found against what the gate says: `python -m bench.reach [--quick]`.

Draws combinations of labels, callers, exceptions and moments, with the shipped rules and with changed ones, and asks the gate about
each combination by itself at each moment: the masks must say the same.  The control is a mask that is kept for ever; where it is
never wrong, the comparison says nothing.  Then it measures what a mask costs.
"""

import asyncio
import random
import sys
import time

from dataclasses import replace
from datetime import timedelta
from typing import Any

from adapters.attestation.json_schema import JsonSchemaChecker
from gateway.errors import GatewayError, IndexUnavailableError
from gateway.knowledge.reading.deciding import deciding
from gateway.policy.vouching import Verifiers
from gateway.ports.knowledge import LabelTuple
from tests.support.bundles import SHIPPED
from tests.support.clock import NOW
from tests.support.knowledge_fakes import FakeDocuments
from tests.support.reaching import (
    TENANT,
    Compared,
    Comparing,
    Nobody,
    aged,
    drawn_labels,
    drawn_moments,
    drawn_shared,
    drawn_tuples,
)
from tests.support.seeded_mutants import seeded

_AREAS = (
    "attestation",
    "classification",
    "entitlement",
    "entity",
    "exceptions",
    "freshness",
    "jurisdiction",
    "sections",
    "trust",
)


def main(*, quick: bool) -> None:
    """Print what came of it."""
    asyncio.run(_main(quick=quick))


async def _main(*, quick: bool) -> None:
    drawn, shipped = random.Random(20261123), Compared()
    comparing = Comparing(SHIPPED, FakeDocuments(drawn_tuples(drawn, 100)), _verifiers())
    for number in range(10 if quick else 110):
        await comparing.compare(drawn_shared(drawn), drawn_moments(drawn, 6), shipped, f"caller {number}")
    await comparing.close()
    _tell("shipped rules", shipped)
    changed, refused = Compared(), 0
    for one in _mutants(10 if quick else 150):
        bundle = replace(SHIPPED, modules={**SHIPPED.modules, one.file: one.text}, revision=f"{SHIPPED.revision}:{one}")
        try:
            other = Comparing(bundle, FakeDocuments(drawn_tuples(drawn, 40)), _verifiers())
        except GatewayError:
            continue
        try:
            for number in range(2):
                await other.compare(drawn_shared(drawn), drawn_moments(drawn, 4), changed, f"{one}: caller {number}")
        except IndexUnavailableError:
            refused += 1
        finally:
            await other.close()
    _tell("changed rules", changed)
    print(f"changed bundles under which nothing is searched: {refused}")
    await _cost(500 if quick else 5_000)


def _mutants(count: int) -> list[Any]:
    drawn: list[Any] = seeded(count * 3)  # type: ignore[no-untyped-call]
    wanted = [one for one in drawn if one.file.split("/")[1] in _AREAS]
    return wanted[:count]


def _verifiers() -> Verifiers:
    return Verifiers(Nobody(), Nobody(), JsonSchemaChecker())


def _tell(name: str, said: Compared) -> None:
    print(
        f"{name}: {said.pairs:,} pairs, {said.permitted:,} permitted, {len(said.different)} different; "
        f"kept for ever {said.careless:,} would be; {said.asked:,} questions for the masks"
    )
    for line in said.different[:20]:
        print("  ", line)


async def _cost(count: int) -> None:
    drawn = random.Random(7)
    began = time.process_time()
    deciding(replace(SHIPPED, revision="read anew"))
    print(f"reading the rules, once a bundle: {(time.process_time() - began) * 1000:.0f} ms CPU")
    documents = FakeDocuments(_distinct(drawn, count))
    comparing, shared = (
        Comparing(SHIPPED, documents, _verifiers()),
        drawn_shared(random.Random(3)) | {"records": [], "exceptions": []},
    )
    for name, later in (("cold, dictionary included", 0.0), ("the same moment", 0.0), ("a minute later", 61.0)):
        await _timed(comparing, shared, name, later)
    await _timed(
        comparing, drawn_shared(random.Random(4)) | {"records": [], "exceptions": []}, "another class, cold", 61.0
    )
    documents.change(*(LabelTuple(count + 1 + at, TENANT, drawn_labels(drawn)) for at in range(50)))
    await _timed(comparing, shared, "50 combinations more", 61.0)
    await comparing.close()


def _distinct(drawn: random.Random, count: int) -> list[LabelTuple]:
    """No two of which rules could not tell apart."""
    tuples = drawn_tuples(drawn, count)
    return [replace(one, labels=one.labels.model_copy(update={"version": f"v{one.id}"})) for one in tuples]


async def _timed(comparing: Comparing, shared: dict[str, Any], name: str, later: float) -> None:
    now = NOW + timedelta(seconds=later)
    facts = aged(shared, later, now)
    wall, cpu = time.perf_counter(), time.process_time()
    mask = await comparing.reach.mask(comparing.question(facts, now))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    each = f", {cpu / mask.decided * 1e6:.0f} µs each" if mask.decided else ""
    print(
        f"{mask.tuples:,} combinations, {name}: {mask.decided:,} questions, {len(mask.permitted):,} permitted, "
        f"{cpu * 1000:.0f} ms CPU{each}, {wall * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main(quick="--quick" in sys.argv[1:])
