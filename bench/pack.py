"""
Ranking, budgeting and assembling 200 items into a window of 128,000 tokens, against tiktoken alone and against greedy choices.

Time is that of the stages themselves: what was ruled on before is given.
"""

import argparse
import asyncio
import gc
import random
import statistics
import time

from dataclasses import dataclass

from adapters.packing.rensa import MinHashLikeness
from adapters.packing.tiktoken import TiktokenTokenizer, _encoding
from adapters.policy.regorus import RegorusPolicyEngine
from bench.common import report
from gateway.bootstrap.process import system_clock
from gateway.model import Candidate, Case, PackRequest, PolicyVersion, Ruling, ScopeAnswer, Subject
from gateway.model.session import Session
from gateway.policy.bundle import load_bundle
from gateway.policy.registry import registry_of
from gateway.prompt.blocks import block, marked, pack_item
from gateway.selection.knapsack import best
from gateway.settings import HOME
from gateway.sourcing.calling import Gathered
from gateway.stages.assemble import Ruled, assemble
from gateway.stages.budget import budget
from gateway.stages.classify import classify
from gateway.stages.layer import layer
from gateway.stages.rank import KnownOfSet, rank
from gateway.stages.report import report as reported

WORDS = (
    "limit exposure netting settlement counterparty collateral threshold review approval notice clause desk margin currency"
    " derivative option swap notional maturity obligation evidence control residual inherent assessment committee quarterly"
).split()
REGISTRY = registry_of(load_bundle(HOME / "policies"))


@dataclass(frozen=True)
class Given:
    """What the stages start from."""

    case: Case
    rulings: list[Ruling]


def given(items: int, words: int, budget_tokens: int, seed: int) -> Given:
    """A request with a record, and knowledge of ten documents, all of it released."""
    rng = random.Random(seed)
    subject = {
        "sub": "s",
        "tenant": "t",
        "role": "analyst",
        "department": "RMG",
        "jurisdictions": ["SG"],
        "agents": ["RISK"],
    }
    body = {
        "agent_id": "RISK",
        "purpose": "risk_assessment",
        "query": "What applies?",
        "jurisdictions": ["SG"],
        "model": "gpt-4o",
        "token_budget": budget_tokens,
        "allow_truncation": True,
    }
    case = classify(
        PackRequest.model_validate(body),
        Subject.model_validate(subject),
        registry=REGISTRY,
        policy=PolicyVersion(revision="r", engine="e", engine_version="1"),
        detectors={},
        now=system_clock(),
        trace_id=None,
        secret=b"bench",
        call="packs",
    )
    return Given(case, [_ruling(number, rng, words) for number in range(items)])


def _ruling(number: int, rng: random.Random, words: int) -> Ruling:
    entity = number % 20 == 0
    source = {
        "source_id": f"DOC-{number % 10}",
        "source_type": "system_of_record" if entity else "bank_sop",
        "version": "1",
        "effective_date": "2025-01-01",
        "jurisdiction": "GLOBAL",
        "doc_section": str(number),
    }
    content = " ".join(
        rng.choice(WORDS) + (f" {rng.randint(1, 999)}" if rng.random() < 0.1 else "") for _ in range(words)
    )
    item = {
        "id": f"i{number}",
        "section": "entity" if entity else "knowledge",
        "content": content,
        "score": round(rng.uniform(0.2, 1.0), 3),
        "provenance": source,
    }
    return Ruling(
        item=Candidate.model_validate(item),
        outcome="released",
        content=content,
        authority_tier=1 if entity else 2,
        trust_class="TRUSTED",
        decision_id=f"d{number}",
    )


async def stages(
    some: Given, policy: RegorusPolicyEngine, tokenizer: TiktokenTokenizer, likeness: MinHashLikeness
) -> dict[str, float]:
    """Milliseconds of each stage."""
    took, scoped = {}, ScopeAnswer(allow=True, denials=(), filters={}, release_mode="durable")
    began = time.perf_counter()
    selection = await rank(
        some.rulings,
        some.case,
        Session(),
        known=KnownOfSet(Gathered(), ()),
        policy=policy,
        budgets=REGISTRY.budgets,
        likeness=likeness,
    )
    took["rank"] = time.perf_counter() - began
    began = time.perf_counter()
    selection = layer(selection, some.rulings, Session(), REGISTRY.budgets.library)
    selection = budget(selection, some.case, budgets=REGISTRY.budgets, tokenizer=tokenizer)
    took["budget"] = time.perf_counter() - began
    began = time.perf_counter()
    ruled = Ruled(some.case, scoped, some.rulings, [], [], Session())
    verdict = reported(some.rulings, some.case, lost=selection.lost)
    assemble(selection, ruled, verdict, budgets=REGISTRY.budgets, tokenizer=tokenizer)
    took["assemble"] = time.perf_counter() - began
    return {name: seconds * 1000 for name, seconds in took.items()}


async def timed(some: Given, runs: int) -> dict[str, float]:
    """Medians once everything is counted, and the first run's share of it that is tokenization."""
    policy = RegorusPolicyEngine(load_bundle(HOME / "policies"))
    tokenizer, likeness = TiktokenTokenizer(), MinHashLikeness()
    _encoding("o200k_base")
    texts = await _blocks(some, policy, likeness)
    alone = _seconds(lambda: [len(_encoding("o200k_base").encode_ordinary(text)) for text in texts], 5) * 1000
    ours = _seconds(lambda: [TiktokenTokenizer().count(text, "o200k_base") for text in texts], 5) * 1000
    again = _seconds(lambda: [tokenizer.count(text, "o200k_base") for text in texts], 5) * 1000
    cold = await stages(some, policy, tokenizer, likeness)
    gc.collect()
    runs_ = [await stages(some, policy, tokenizer, likeness) for _ in range(runs)]
    medians = {name: statistics.median(run[name] for run in runs_) for name in runs_[0]}
    return {
        **{f"{name}_ms": round(value, 2) for name, value in medians.items()},
        "all_ms": round(sum(medians.values()), 2),
        "first_time_ms": round(sum(cold.values()), 1),
        "tiktoken_alone_ms": round(alone, 1),
        "tokenization_ratio": round(ours / alone, 3),
        "tokenization_again_ms": round(again, 2),
    }


async def _blocks(some: Given, policy: RegorusPolicyEngine, likeness: MinHashLikeness) -> list[str]:
    selection = await rank(
        some.rulings,
        some.case,
        Session(),
        known=KnownOfSet(Gathered(), ()),
        policy=policy,
        budgets=REGISTRY.budgets,
        likeness=likeness,
    )
    key = some.case.tenant_key
    sections = [(pack_item(piece), piece.ruling.item.section) for piece in selection.kept]
    return [block(marked(item, section, key), section) for item, section in sections]


def _seconds(act: object, times: int) -> float:
    best_of = []
    for _ in range(times):
        began = time.perf_counter()
        act()  # type: ignore[operator]
        best_of.append(time.perf_counter() - began)
    return min(best_of)


def choices(cases: int) -> dict[str, float]:
    """How much more than greedy choices is kept where items compete, and how near to the bound."""
    rng, gains, near, better, micro = random.Random(7), [], [], 0, []
    for _ in range(cases):
        count = rng.randint(5, 60)
        weights = [rng.randint(20, 900) for _ in range(count)]
        values = [round(rng.uniform(0.1, 1.0), 4) for _ in range(count)]
        room = int(sum(weights) * rng.uniform(0.1, 0.8))
        began = time.perf_counter()
        packed = best(values, weights, room)
        micro.append((time.perf_counter() - began) * 1000)
        greedy = max(_greedy(values, weights, room, key) for key in (lambda v, w: -v / w, lambda v, _: -v))
        gains.append(packed.value / greedy if greedy else 1.0)
        near.append(packed.value / packed.bound if packed.bound else 1.0)
        better += packed.value > greedy + 1e-9
    return {
        "cases": cases,
        "better_than_greedy": round(better / cases, 3),
        "mean_gain": round(statistics.mean(gains), 4),
        "most_gain": round(max(gains), 3),
        "least_of_bound": round(min(near), 4),
        "median_ms": round(statistics.median(micro), 3),
    }


def _greedy(values: list[float], weights: list[int], room: int, key: object) -> float:
    worth = 0.0
    for index in sorted(range(len(values)), key=lambda index: key(values[index], weights[index])):  # type: ignore[operator]
        if weights[index] <= room:
            room -= weights[index]
            worth += values[index]
    return worth


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    quick = parser.parse_args().quick
    runs = 5 if quick else 40
    measured = {
        "fits": asyncio.run(timed(given(200, 330, 128_000, 1), runs)),
        "does_not_fit": asyncio.run(timed(given(200, 900, 128_000, 2), runs)),
        "choices": choices(50 if quick else 500),
    }
    figures = {f"{name}.{what}": value for name, values in measured.items() for what, value in values.items()}
    report("pack", figures, "python -m bench.pack" + (" --quick" if quick else ""))


if __name__ == "__main__":
    main()
