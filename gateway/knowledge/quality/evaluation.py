"""
Measuring a finder with a golden set.

Rules held here: what is measured is what a request would be given, of chunks that stand for a document more than once the first;
what must not be found is looked for in all that is found and not among the best alone, with the reranker and without; a question
that says only what must not be found counts for leaks and for nothing else; no question's text and no document's is kept.
"""

import asyncio

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from gateway.knowledge.quality import metrics
from gateway.knowledge.quality.golden import ReadGolden, digest_of
from gateway.model.knowledge.golden import GoldenQuestion, Target
from gateway.model.knowledge.quality import QualityFigure
from gateway.ports.finding import Finder, FoundSection, Searchable

Figures = dict[QualityFigure, float]
"""What could be measured."""


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """What came of one question."""

    id: str
    digest: str
    """Of the question as it stands in its set, its asker included."""

    figures: Figures
    """Empty where it says only what must not be found."""

    unranked_ndcg: float | None
    """nDCG of the first stage alone; None where nothing is reranked, or nothing must be found."""

    leaked: tuple[str, ...]
    """Documents that were found and must not be, sorted."""

    refused_by_gate: int
    """Sections that were found and that the gate refuses."""

    missed: tuple[str, ...]
    """Documents that should be among the first and are not, in the set's order."""


@dataclass(frozen=True, slots=True)
class GoldenResult:
    """What came of a golden set."""

    golden: str
    golden_digest: str
    depth: int
    searchable: Searchable
    questions: tuple[JudgedQuestion, ...]

    @property
    def figures(self) -> Figures:
        """Means over the questions; counts of what must not happen."""
        return figures_of(self.questions)

    @property
    def headroom(self) -> float | None:
        """The most that any reranker could improve on the first stage; None where nothing is reranked."""
        without = _without(self.questions)
        return (1 - without) / without if without else None


def figures_of(questions: Iterable[JudgedQuestion]) -> Figures:
    """
    The figures of some questions together.

    The reranker's improvement is the mean nDCG with it less that without, as a share of that without.
    """
    judged = list(questions)
    found: Figures = {
        "leaked": float(sum(len(one.leaked) for one in judged)),
        "refused_by_gate": float(sum(one.refused_by_gate for one in judged)),
    }
    ranked = [one for one in judged if one.figures]
    # A mean over questions and not over targets: a question that wants much would count for many otherwise.
    for name in ranked[0].figures if ranked else ():
        found[name] = fmean(one.figures[name] for one in ranked)
    without = _without(judged)
    if without:
        found["reranker_improvement"] = (found["ndcg"] - without) / without
    return found


def _without(questions: Iterable[JudgedQuestion]) -> float | None:
    measured = [one.unranked_ndcg for one in questions if one.unranked_ndcg is not None]
    return fmean(measured) if measured else None


async def evaluate(
    golden: ReadGolden,
    finder: Finder,
    depth: int,
    *,
    rest: float = 0.0,
    progress: Callable[[int], None] = lambda _: None,
) -> GoldenResult:
    """
    Ask every question of a golden set, one after the other.

    Args:
        golden: the set.
        finder: to measure.
        depth: how many of what is found count.
        rest: seconds between two questions, for requests that wait.
        progress: is told how many questions are done.

    Raises:
        PolicyError, KnowledgeError: a question could not be asked, so nothing was measured.
    """
    searchable = finder.searchable
    judged: list[JudgedQuestion] = []
    for done, one in enumerate(golden.questions, 1):
        asker = golden.askers[one.asker]
        best = await finder.find(asker, one.question, reranked=searchable.reranker is not None)
        first = await finder.find(asker, one.question, reranked=False) if searchable.reranker is not None else None
        digest = digest_of([one.model_dump(mode="json"), asker.model_dump(mode="json")])
        judged.append(judge(one, digest, best, first, depth))
        progress(done)
        await asyncio.sleep(rest)
    return GoldenResult(golden.name, golden.digest, depth, searchable, tuple(judged))


def judge(
    question: GoldenQuestion,
    digest: str,
    best: Sequence[FoundSection],
    first_stage: Sequence[FoundSection] | None,
    depth: int,
) -> JudgedQuestion:
    """
    What came of one question.

    Args:
        question: what was asked.
        digest: of the question with its asker.
        best: what was found, as a request would be given it.
        first_stage: the same before reranking; None where nothing is reranked.
        depth: how many count.
    """
    every = [*best, *(first_stage or ())]
    leaked = {one.document for one in every} & {*question.must_not_find}
    gains, met = gains_of(best, question.must_find)
    unranked = None
    if first_stage is not None and question.must_find:
        unranked = metrics.ndcg(gains_of(first_stage, question.must_find)[0], _grades(question), depth)
    return JudgedQuestion(
        question.id,
        digest,
        _figures(gains, _grades(question), depth) if question.must_find else {},
        unranked,
        tuple(sorted(leaked)),
        len({(one.document, one.version, one.path) for one in every if not one.admitted}),
        tuple(one.document for at, one in enumerate(question.must_find) if met.get(at, depth) >= depth),
    )


def gains_of(found: Sequence[FoundSection], wanted: Sequence[Target]) -> tuple[list[float], dict[int, int]]:
    """
    The grade at each rank, and the rank from 0 of each target that was met, by its place among the targets.

    A chunk meets the first target that it fits and that no chunk before it met.  One that meets none takes up a rank only where
    its document takes up none yet, so that a long document does not count as many mistakes.
    """
    gains: list[float] = []
    met: dict[int, int] = {}
    seen: set[str] = set()
    for one in found:
        at = next((at for at, target in enumerate(wanted) if at not in met and _fits(one, target)), None)
        if at is not None:
            met[at] = len(gains)
            gains.append(float(wanted[at].grade))
        elif one.document not in seen:
            gains.append(0.0)
        seen.add(one.document)
    return gains, met


def _fits(found: FoundSection, target: Target) -> bool:
    return (
        found.document == target.document
        and (target.version is None or found.version == target.version)
        and (target.section is None or target.section in found.path)
    )


def _grades(question: GoldenQuestion) -> list[float]:
    return [float(target.grade) for target in question.must_find]


def _figures(gains: list[float], wanted: list[float], depth: int) -> Figures:
    return {
        "recall": metrics.recall(gains, wanted, depth),
        "precision": metrics.precision(gains, depth),
        "ndcg": metrics.ndcg(gains, wanted, depth),
        "map": metrics.average_precision(gains, wanted, depth),
        "mrr": metrics.reciprocal_rank(gains, depth),
        "hit_rate": metrics.hit(gains, depth),
    }
