"""
What a golden set came to when somebody was content with it, and how far things have moved since.

Rule held here: only questions that stand in both as they are are compared, so that a question which was added, changed or taken
out moves no figure; a baseline of another depth is none.
"""

import json
import os

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError

from gateway.errors import FieldInvalidError
from gateway.knowledge.quality.evaluation import Figures, GoldenResult, JudgedQuestion, figures_of
from gateway.model.base import Model
from gateway.model.knowledge.golden import MOST_QUESTIONS, QuestionId
from gateway.model.knowledge.quality import FEWER_IS_BETTER, QualityFigure, QualityTable

FORMAT: Final = "ctxgate.quality/1"
_MOST_BYTES: Final = 20_000_000


class _Question(Model):
    id: QuestionId
    digest: str
    figures: dict[QualityFigure, float]
    unranked_ndcg: float | None


class Baseline(Model):
    """A file of one measurement."""

    format: Literal["ctxgate.quality/1"] = FORMAT
    golden: str
    golden_digest: str
    depth: Annotated[int, Field(strict=True, ge=1)]
    index: str
    bundle: str
    embedder: str
    reranker: str | None
    questions: Annotated[tuple[_Question, ...], Field(max_length=MOST_QUESTIONS)]


@dataclass(frozen=True, slots=True)
class Movement:
    """How a measurement differs from a baseline."""

    compared: int
    """Questions that stand in both as they are."""

    left_out: int
    """Questions of the golden set that the baseline does not have as they are."""

    before: Figures
    now: Figures
    """Both of the questions that are compared."""

    drifted: tuple[QualityFigure, ...]
    """Figures that fell further than the bundle allows."""

    worse: tuple[str, ...]
    """Questions whose nDCG fell, the furthest first."""

    changed: tuple[str, ...]
    """What is another than it was: `index`, `bundle`, `embedder`, `reranker`."""


def baseline_of(evaluation: GoldenResult) -> Baseline:
    """A measurement as a baseline."""
    questions = tuple(
        _Question(id=one.id, digest=one.digest, figures=one.figures, unranked_ndcg=one.unranked_ndcg)
        for one in evaluation.questions
    )
    return Baseline(
        golden=evaluation.golden,
        golden_digest=evaluation.golden_digest,
        depth=evaluation.depth,
        **asdict(evaluation.searchable),
        questions=questions,
    )


def store(evaluation: GoldenResult, file: Path) -> None:
    """
    Keep a measurement as the baseline, in the place of an earlier one, whole or not at all.

    Raises:
        OSError: it cannot be written.
    """
    written = file.with_name(f".{file.name}.{os.getpid()}")
    written.write_text(json.dumps(baseline_of(evaluation).model_dump(mode="json"), indent=1, sort_keys=True) + "\n")
    written.replace(file)


def load(file: Path) -> Baseline:
    """
    The baseline of a file.

    Raises:
        FieldInvalidError: it is none.
    """
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise FieldInvalidError("the baseline is too large", fields=[("--baseline", "is too large")])
        return Baseline.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        raise FieldInvalidError(
            "the baseline cannot be read", fields=[("--baseline", "is no file that `ctxgate kb eval --store` wrote")]
        ) from error


def movement(baseline: Baseline, evaluation: GoldenResult, table: QualityTable) -> Movement:
    """
    How a measurement differs from a baseline.

    Raises:
        FieldInvalidError: they were measured to another depth, or have no question in common.
    """
    if baseline.depth != evaluation.depth:
        raise FieldInvalidError(
            f"the baseline counts the best {baseline.depth} and the bundle {evaluation.depth}",
            fields=[("--baseline", "was measured to another depth: store it anew")],
        )
    earlier = {one.id: one for one in baseline.questions}
    pairs = [(earlier[one.id], one) for one in evaluation.questions if one.id in earlier]
    same = [(was, one) for was, one in pairs if was.digest == one.digest]
    if not same:
        raise FieldInvalidError(
            "the baseline has none of these questions", fields=[("--baseline", "is of another golden set")]
        )
    # Both means are of the same questions, so that what the set has more or less of since moves neither.
    before = figures_of(_judged(was for was, _ in same))
    now = figures_of(one for _, one in same)
    fallen = {one.id: was.figures["ndcg"] - one.figures["ndcg"] for was, one in same if was.figures and one.figures}
    was_searched = baseline.model_dump()
    return Movement(
        compared=len(same),
        left_out=len(evaluation.questions) - len(same),
        before={name: value for name, value in before.items() if name not in FEWER_IS_BETTER},
        now=now,
        drifted=tuple(
            name for name, most in table.falls.items() if name in before and before[name] - now.get(name, 0.0) > most
        ),
        worse=tuple(sorted((one for one in fallen if fallen[one] > 0), key=lambda one: (-fallen[one], one))),
        changed=tuple(name for name, value in asdict(evaluation.searchable).items() if was_searched[name] != value),
    )


def _judged(questions: Iterable[_Question]) -> list[JudgedQuestion]:
    return [JudgedQuestion(one.id, one.digest, one.figures, one.unranked_ndcg, (), 0, ()) for one in questions]
