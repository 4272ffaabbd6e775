"""
A small finder over the shipped documents: each section is a chunk, ranked by BM25 among what the real gate admits.

It implements the port, so that golden sets, figures and commands can be tried without an index; what forbids is the shipped bundle,
or a doctored one, asked for every chunk.
"""

import shutil

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any, Final

import yaml

from gateway.bootstrap.policies import compile_bundle
from gateway.knowledge.quality.evaluation import Figures, GoldenResult, JudgedQuestion
from gateway.knowledge.quality.golden import ReadGolden, read_golden
from gateway.model.knowledge.golden import Asker, GoldenSet
from gateway.model.knowledge.quality import QualityTable
from gateway.policy.bundle import Bundle, load_bundle
from gateway.policy.registry import registry_of
from gateway.ports.finding import Finder, FoundSection, Searchable
from gateway.ports.policy import PolicyEngine
from gateway.settings import HOME
from tests.support.policy_facts import BASE

FOLDER: Final = HOME / "examples/knowledge"
GOLDEN: Final = FOLDER / "golden.yaml"
TENANT: Final = "gfm"

_COMMON: Final = frozenset(
    "a an and are as at be by can do does for from go has have how i in is it may me must no not of on or our should so still that the "
    "then there they this to us was we what when where which who with".split()
)


@dataclass(frozen=True, slots=True)
class Section:
    """A chunk: a section of a document, with the labels of its document."""

    document: str
    path: tuple[str, ...]
    text: str
    labels: Mapping[str, Any]


def sections(folder: Path = FOLDER / "documents") -> list[Section]:
    """All sections of the shipped documents."""
    found = []
    for file in sorted(folder.rglob("*.md")):
        _, front, body = file.read_text().split("---\n", 2)
        labels = yaml.safe_load(front)
        title, *parts = body.split("\n## ")
        for part in parts:
            heading, _, text = part.partition("\n")
            path = (title.strip().removeprefix("# "), heading.strip())
            found.append(Section(labels["source_id"], path, " ".join(text.split()), labels))
    return found


def golden() -> ReadGolden:
    """The shipped golden set."""
    read = read_golden(GOLDEN, load_bundle(HOME / "policies"))
    assert isinstance(read, ReadGolden), read
    return read


def words(text: str) -> list[str]:
    """The words of a text that say something, without the commonest endings."""
    plain = "".join(one if one.isalnum() else " " for one in text.lower()).split()
    return [one.removesuffix("s").removesuffix("ed").removesuffix("ing") for one in plain if one not in _COMMON]


def bm25(question: str, texts: Sequence[str]) -> list[float]:
    """BM25 with k1 = 1.2 and b = 0.75 of each text among all of them (Robertson and Zaragoza, 2009)."""
    held = [Counter(words(text)) for text in texts]
    mean = sum(map(Counter.total, held)) / max(1, len(held))
    scores = [0.0] * len(held)
    for word in set(words(question)):
        having = sum(word in one for one in held)
        weight = log(1 + (len(held) - having + 0.5) / (having + 0.5))
        for at, one in enumerate(held):
            if one[word]:
                size = 1.2 * (0.25 + 0.75 * one.total() / mean)
                scores[at] += weight * one[word] * 2.2 / (one[word] + size)
    return scores


def plain(question: str, chunks: Sequence[Section]) -> list[float]:
    """BM25 of what stands in each section."""
    return bm25(question, [one.text for one in chunks])


def with_titles(question: str, chunks: Sequence[Section]) -> list[float]:
    """BM25 of the section below its titles, and of the section alone."""
    whole = bm25(question, [" ".join((*one.path, one.text)) for one in chunks])
    return [one + 0.5 * other for one, other in zip(whole, plain(question, chunks), strict=True)]


def table() -> QualityTable:
    """The shipped thresholds."""
    found = registry_of(load_bundle(HOME / "policies")).quality
    assert found is not None
    return found


def result_of(
    *, leaked: tuple[str, ...] = (), refused: int = 0, unranked: float | None = None, **figures: float
) -> GoldenResult:
    """What came of one question for which all is found, but for these figures."""
    whole: Figures = {"recall": 1.0, "precision": 0.1, "ndcg": 1.0, "map": 1.0, "mrr": 1.0, "hit_rate": 1.0}
    whole = {name: figures.get(name, value) for name, value in whole.items()}
    judged = JudgedQuestion("a", "d", whole, unranked, leaked, refused, ())
    searched = Searchable("i", "b", "e", None if unranked is None else "r")
    return GoldenResult("set", "d", 8, searched, (judged,))


GENEROUS: Final = {"alarm: 0.70}": "alarm: 0.2}", "alarm: 0.60}": "alarm: 0.2}", "alarm: 0.10}": "alarm: -0.9}"}
"""Alarms that the small finder stays within: it knows no synonyms, and most questions are put in other words."""


def generous_policies(folder: Path) -> Path:
    """The shipped bundle with those alarms, in a folder of its own."""
    shutil.copytree(HOME / "policies", folder)
    file = folder / "registry/quality/data.yaml"
    text = file.read_text()
    for old, new in GENEROUS.items():
        text = text.replace(old, new)
    file.write_text(text)
    return folder


Score = Callable[[str, Sequence[Section]], Sequence[float]]


class SmallFinder:
    """Finds sections among those that the mask's engine admits; the gate's engine is asked again of each."""

    def __init__(
        self,
        bundle: Bundle,
        *,
        gate: Bundle | None = None,
        chunks: Sequence[Section] | None = None,
        first: Score = plain,
        second: Score | None = with_titles,
        most: int = 8,
        name: str = "small",
    ) -> None:
        self._chunks = sections() if chunks is None else chunks
        self._registry = registry_of(bundle)
        self._mask: PolicyEngine = compile_bundle(bundle)
        self._gate: PolicyEngine = self._mask if gate is None else compile_bundle(gate)
        self._first, self._second, self._most = first, second, most
        self._admitted: dict[tuple[int, str], list[bool]] = {}
        self.searchable = Searchable("index-1", bundle.revision, name, "titles" if second else None)

    def documents(self, tenant: str) -> Iterable[str]:
        return {one.document for one in self._chunks} if tenant == TENANT else ()

    async def find(self, asker: Asker, question: str, *, reranked: bool) -> Sequence[FoundSection]:
        masked = await self._permitted(self._mask, asker)
        admitted = masked if self._gate is self._mask else await self._permitted(self._gate, asker)
        places = [at for at, one in enumerate(masked) if one]
        chunks = [self._chunks[at] for at in places]
        best = _best(self._first(question, chunks), 40 if reranked else self._most)
        if reranked and self._second is not None:
            again = self._second(question, [chunks[at] for at in best])
            best = [best[at] for at in _best(again, self._most)]
        return [
            FoundSection(chunks[at].document, str(chunks[at].labels["version"]), chunks[at].path, admitted[places[at]])
            for at in best
        ]

    async def _permitted(self, engine: PolicyEngine, asker: Asker) -> list[bool]:
        key = (id(engine), asker.model_dump_json())
        if key not in self._admitted:
            asked = [self._facts(asker, one) for one in self._chunks]
            self._admitted[key] = [bool(one["allow"]) for one in await engine.evaluate("context/admit", asked)]  # type: ignore[index]
        return self._admitted[key]

    def _facts(self, asker: Asker, chunk: Section) -> dict[str, Any]:
        agent = self._registry.agents[asker.agent]
        labels = {name: chunk.labels.get(name) for name in BASE["item"] if name in chunk.labels and name != "labels"}
        item = {**BASE["item"], **labels, "version": str(chunk.labels["version"]), "doc_section": chunk.path[-1][:200]}
        return {
            **{name: BASE[name] for name in ("now", "records", "exceptions")},
            "subject": asker.subject.facts(),
            "agent": {"id": agent.id, "archetype": agent.archetype, "domains": list(agent.domains)},
            "request": {
                "purpose": asker.purpose,
                "domain": agent.domains[0],
                "entity": None,
                "jurisdictions": list(asker.jurisdictions),
                "has_query": True,
                "historical": False,
            },
            "item": {**item, "labels": chunk.labels.get("labels", {})},
        }


class SmallFindable:
    """Such a finder, opened as the commands open the gateway's documents."""

    def __init__(
        self, finder: SmallFinder, tuned: Callable[[Path], Finder] | None = None, base: Mapping[str, Path] | None = None
    ) -> None:
        self.finder = finder
        self.base = base or {}
        self._tuned = tuned

    async def passages(self, asker: Asker) -> Sequence[str]:
        return [one.text for one in sections()]

    @asynccontextmanager
    async def with_embedder(self, weights: Path):
        assert self._tuned is not None
        yield self._tuned(weights)


def _best(scores: Sequence[float], most: int) -> list[int]:
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
    return [at for at in order if scores[at] > 0][:most]


class ToldFinder:
    """Finds for each question what it was told."""

    def __init__(
        self,
        found: Mapping[str, Sequence[FoundSection]],
        first: Mapping[str, Sequence[FoundSection]] | None = None,
        *,
        bundle: str = "bundle-1",
        index: str = "index-1",
    ) -> None:
        self._found, self._first = found, first
        self.searchable = Searchable(index, bundle, "told", "told" if first is not None else None)
        self.asked = 0

    def documents(self, tenant: str) -> Iterable[str]:
        told = [*self._found.values(), *(self._first or {}).values()]
        return {one.document for found in told for one in found}

    async def find(self, asker: Asker, question: str, *, reranked: bool) -> Sequence[FoundSection]:
        self.asked += 1
        source = self._found if reranked or self._first is None else self._first
        return source.get(question, ())


ASKER: Final[dict[str, Any]] = {
    "subject": {
        "sub": "golden",
        "tenant": TENANT,
        "role": "analyst",
        "department": "RMG",
        "jurisdictions": ["SG"],
        "agents": ["RISK"],
    },
    "agent": "RISK",
    "purpose": "risk_assessment",
    "jurisdictions": ["SG"],
}


def told_set(*questions: Mapping[str, Any]) -> ReadGolden:
    """A golden set of these questions, all by one asker."""
    made = GoldenSet.model_validate(
        {"askers": {"somebody": ASKER}, "questions": [{"asker": "somebody", **one} for one in questions]}
    )
    return ReadGolden("told", "digest", made.questions, made.askers)
