"""
What survives of what matters as the context grows: needles among distractors, through the gateway and past it.

Generated candidates (needles, their outdated versions, copies of them in weaker sources, distractors; shuffled) go through the real
pipeline with a budget that holds ever less of them, and through three baselines that fill the same budget: in the order given, newest
first, by relevance alone.  Measured: the part of the needles kept, where they stand, what the distractors take, outdated needles kept,
tokens, and time.  With `--endpoint` an OpenAI-compatible server answers a question about each needle as well.

    python -m bench.context_rot [--quick] [--out artifacts] [--endpoint URL --model NAME]

Writes `context_rot.json` and `context_rot.png`.
"""

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx

from adapters.packing.tiktoken import TiktokenTokenizer
from bench.common import SUBJECT, report, signed
from gateway.bootstrap.gateway import Gateway, running
from gateway.bootstrap.process import system_clock
from gateway.model import Candidate, PackRequest, Subject
from gateway.pipeline import Asked
from gateway.settings import Settings

BUDGET: Final = 4000
NEEDLES: Final = 6
TOPICS: Final = ("settlement", "margin", "netting", "fixing", "collateral", "valuation", "confirmation", "reporting")
FILLER: Final = (
    "The committee reviewed the procedure and noted that owners are named in the register.",
    "Evidence of each control is kept by the desk and sampled by the second line.",
    "Requests that arrive late are handled on the next business day.",
    "Changes are announced to all desks and recorded with a reference.",
    "The form is completed by the requester and checked by a colleague.",
)


@dataclass(frozen=True)
class Needle:
    """A fact that must survive."""

    topic: str
    number: int
    value: str

    @property
    def question(self) -> str:
        return f"At what time does window {self.number} of {self.topic} close? Answer with the time alone."

    def text(self, value: str) -> str:
        return f"Window {self.number} of {self.topic} closes at {value} Singapore time."


@dataclass(frozen=True)
class World:
    """Candidates, and which of them are what."""

    items: list[dict[str, Any]]
    needles: dict[str, Needle]
    outdated: frozenset[str]


def world(size: int, seed: int) -> World:
    """So many candidates: six needles, an outdated version and a weaker copy of some, and distractors."""
    rng = random.Random(seed)
    needles, outdated, items = {}, set(), []
    for place in range(NEEDLES):
        needle = Needle(rng.choice(TOPICS), 100 * seed + place, f"{rng.randint(10, 21)}:{rng.randint(10, 59)}")
        needles[f"needle-{place}"] = needle
        section = f"{needle.topic} {needle.number}"
        sop: dict[str, Any] = {"relevance": 0.75, "kind": "bank_sop", "section": section}
        items.append(_item(rng, f"needle-{place}", needle.text(needle.value), **sop, day="2026-01-15"))
        if place % 2:
            outdated.add(f"old-{place}")
            items.append(_item(rng, f"old-{place}", needle.text("09:05"), **sop, day="2024-01-15"))
        else:
            weaker = {**sop, "relevance": 0.8, "kind": "industry_standard"}
            items.append(_item(rng, f"copy-{place}", needle.text(needle.value), **weaker, day="2026-01-20"))
    while len(items) < size:
        text = f"Window {rng.randint(10_000, 99_999)} of {rng.choice(TOPICS)} is described elsewhere."
        day = f"{rng.choice((2025, 2026))}-{rng.randint(1, 2):02}-{rng.randint(1, 28):02}"
        noise: dict[str, Any] = {"relevance": 0.45, "kind": "industry_standard", "section": str(len(items))}
        items.append(_item(rng, f"noise-{len(items)}", text, **noise, day=day))
    rng.shuffle(items)
    return World(items[: max(size, len(needles))], needles, frozenset(outdated))


def _item(
    rng: random.Random, name: str, text: str, *, relevance: float, kind: str, section: str, day: str
) -> dict[str, Any]:
    around = [f"{rng.choice(FILLER)} ({rng.randint(1, 9999)})" for _ in range(3)]
    around.insert(rng.randint(0, 3), text)
    source = {
        "source_id": "SOP-Windows" if kind == "bank_sop" else f"STD-{name}",
        "source_type": kind,
        "version": day,
        "effective_date": day,
        "owner": "Operations",
        "fetched_at": system_clock().isoformat(),
        "ttl_seconds": 86400,
        "data_classification": "INTERNAL",
        "jurisdiction": "GLOBAL",
        "domain": "NPA",
        "doc_section": section,
        **({} if kind == "bank_sop" else {"corpus": "product_taxonomy"}),
    }
    score = min(max(rng.gauss(relevance, 0.15), 0.16), 1.0)
    return {"id": name, "section": "knowledge", "content": " ".join(around), "score": score, "provenance": source}


@dataclass(frozen=True)
class Kept:
    """What stands in a prompt, in order, with what each takes."""

    names: list[str]
    tokens: list[int]
    milliseconds: float
    prompt: str


Order = Callable[[Sequence[dict[str, Any]]], list[dict[str, Any]]]

BASELINES: Final[dict[str, Order]] = {
    "in the order given": list,
    "newest first": lambda items: sorted(items, key=lambda item: item["provenance"]["effective_date"], reverse=True),
    "relevance alone": lambda items: sorted(items, key=lambda item: -float(item["score"])),
}


def filled(some: World, order: Order, tokenizer: TiktokenTokenizer, room: int) -> Kept:
    """A baseline: whole items in an order, until one does not fit."""
    began = time.perf_counter()
    names: list[str] = []
    sizes: list[int] = []
    texts: list[str] = []
    for item in order(some.items):
        size = tokenizer.count(item["content"], "o200k_base") + 20
        if sum(sizes) + size > room:
            break
        names.append(item["id"])
        sizes.append(size)
        texts.append(item["content"])
    return Kept(names, sizes, (time.perf_counter() - began) * 1000, "\n".join(texts))


async def governed(some: World, gateway: Gateway) -> Kept:
    """The same through the gateway, every item ruled on and on record."""
    body = {
        "agent_id": "RISK",
        "purpose": "risk_assessment",
        "query": "When do the windows close?",
        "entity": {"type": "project", "id": "NPA-1"},
        "jurisdictions": ["SG"],
        "model": "gpt-4o",
        "token_budget": BUDGET,
        "allow_truncation": True,
        "render": "openai",
        "items": [*some.items, _record()],
    }
    document = signed(body, gateway.settings)
    asked = Asked(PackRequest.model_validate(document), Subject.model_validate(SUBJECT), system_clock())
    began = time.perf_counter()
    pack = await gateway.pipeline.assemble(asked)
    took = (time.perf_counter() - began) * 1000
    items = {item.id: item for section in pack.sections for item in section.items}
    order = [s.item_id for layer in pack.envelope.layers for s in layer.segments if s.item_id in items]
    shown = [name for name in order if name and name != "record"]
    prompt = "\n".join(message["content"] for message in (pack.messages or {})["messages"])
    return Kept(shown, [items[name].tokens for name in shown], took, prompt)


def _record() -> dict[str, Any]:
    source = {
        "source_id": "SoR:npa_projects",
        "entity_id": "NPA-1",
        "source_type": "system_of_record",
        "version": "live",
        "fetched_at": system_clock().isoformat(),
        "ttl_seconds": 300,
        "data_classification": "INTERNAL",
        "jurisdiction": "SG",
        "domain": "NPA",
        "owner": "Operations",
    }
    content = {"calendar": "SG", "open": True}
    fixed = Candidate.model_validate({"id": "record", "section": "entity", "content": content, "provenance": source})
    return {**fixed.model_dump(), "media_type": "application/json"}


def figures_of(some: World, kept: Kept) -> dict[str, float]:
    """What a prompt is worth."""
    places = [kept.names.index(name) / max(len(kept.names) - 1, 1) for name in some.needles if name in kept.names]
    spoken = {name for name in some.needles if name in kept.names or some.needles[name].value in kept.prompt}
    noise = sum(size for name, size in zip(kept.names, kept.tokens, strict=True) if name.startswith("noise"))
    return {
        "recall": len(spoken) / len(some.needles),
        "position": statistics.mean(places) if places else 1.0,
        "distractor_share": noise / max(sum(kept.tokens), 1),
        "outdated_kept": len(some.outdated & set(kept.names)) / max(len(some.outdated), 1),
        "tokens": float(sum(kept.tokens)),
        "milliseconds": kept.milliseconds,
    }


async def answered(some: World, kept: Kept, endpoint: str, model: str, client: httpx.AsyncClient) -> float:
    """The part of the questions about needles that a model answers rightly with a prompt."""
    right = 0
    for needle in some.needles.values():
        messages = [{"role": "system", "content": kept.prompt}, {"role": "user", "content": needle.question}]
        body = {"model": model, "messages": messages, "temperature": 0}
        answer = await client.post(f"{endpoint.rstrip('/')}/chat/completions", json=body, timeout=120)
        right += needle.value in answer.raise_for_status().json()["choices"][0]["message"]["content"]
    return right / len(some.needles)


async def measured(
    sizes: Sequence[int], seeds: Sequence[int], endpoint: str | None = None, model: str = ""
) -> dict[str, dict[int, dict[str, float]]]:
    """By method and number of candidates, the means over all seeds."""
    tokenizer, room = TiktokenTokenizer(), BUDGET * 88 // 100
    found: dict[str, dict[int, list[dict[str, float]]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(state_dir=Path(folder), detector_workers=0, request_seconds=600)
        async with running(settings) as gateway, httpx.AsyncClient() as client:
            for size in sizes:
                for seed in seeds:
                    some = world(size, seed)
                    kept = {name: filled(some, order, tokenizer, room) for name, order in BASELINES.items()}
                    kept["ctxgate"] = await governed(some, gateway)
                    for name, one in kept.items():
                        figures = figures_of(some, one)
                        if endpoint:
                            figures["answers"] = await answered(some, one, endpoint, model, client)
                        found.setdefault(name, {}).setdefault(size, []).append(figures)
    return {name: {size: _means(runs) for size, runs in by_size.items()} for name, by_size in found.items()}


def _means(runs: list[dict[str, float]]) -> dict[str, float]:
    return {name: round(statistics.mean(run[name] for run in runs), 4) for name in runs[0]}


def draw(curves: dict[str, dict[int, dict[str, float]]], out: Path) -> None:
    """The curves as one picture."""
    import matplotlib as mpl  # noqa: PLC0415 - only where something is drawn

    mpl.use("Agg")
    from matplotlib import pyplot as plt  # noqa: PLC0415

    names = list(next(iter(next(iter(curves.values())).values())))
    figure, axes = plt.subplots(2, (len(names) + 1) // 2, figsize=(14, 7), squeeze=False)
    for axis, name in zip(axes.flat, names, strict=False):
        for method, by_size in curves.items():
            width = 2.5 if method == "ctxgate" else 1.2
            axis.plot(
                list(by_size), [figures[name] for figures in by_size.values()], marker="o", lw=width, label=method
            )
        axis.set_title(name.replace("_", " "))
        axis.set_xlabel("candidates")
    axes.flat[0].legend(fontsize=8)
    figure.suptitle(f"What survives in {BUDGET} tokens as candidates grow")
    figure.tight_layout()
    figure.savefig(out / "context_rot.png", dpi=110)
    plt.close(figure)


def main() -> None:
    """Measure, write the curves, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few sizes and seeds")
    parser.add_argument("--out", type=Path, default=Path("artifacts"))
    parser.add_argument("--endpoint", help="base URL of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1")
    parser.add_argument("--model", default="local", help="the model that it is asked for")
    given = parser.parse_args()
    sizes, seeds = ((20, 60, 120), (1, 2)) if given.quick else ((20, 40, 80, 120, 160, 190), (1, 2, 3, 4, 5))
    curves = asyncio.run(measured(sizes, seeds, given.endpoint, given.model))
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "context_rot.json").write_text(json.dumps({"budget": BUDGET, "curves": curves}, indent=2) + "\n")
    draw(curves, given.out)
    last = {method: by_size[max(by_size)] for method, by_size in curves.items()}
    figures = {f"{method}.{name}": value for method, of in last.items() for name, value in of.items()}
    report("context_rot", figures, "python -m bench.context_rot" + (" --quick" if given.quick else ""))


if __name__ == "__main__":
    main()
