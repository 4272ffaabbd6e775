"""The table `quality`: how well documents must be found, and how far that may fall."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from gateway.model.base import Model

QualityFigure = Literal[
    "recall", "precision", "ndcg", "map", "mrr", "hit_rate", "reranker_improvement", "leaked", "refused_by_gate"
]
"""What is measured with a golden set."""

FEWER_IS_BETTER: frozenset[QualityFigure] = frozenset({"leaked", "refused_by_gate"})

_Amount = Annotated[float, Field(ge=-1, le=1_000_000)]


class Threshold(Model):
    """What a figure should be, and where it is an alarm."""

    target: _Amount
    alarm: _Amount
    """Beyond it: below for figures that should be high, above for counts of what must not happen."""


class QualityTable(Model):
    """How well documents must be found."""

    depth: Annotated[int, Field(strict=True, ge=1, le=100)]
    """How many of what is found count: as many as a search gives after reranking."""

    thresholds: dict[QualityFigure, Threshold]
    falls: dict[QualityFigure, Annotated[float, Field(gt=0, le=1)]]
    """How far a figure may fall below the baseline, absolutely."""

    label_tuples: Annotated[int, Field(strict=True, ge=1)]
    """From how many combinations of labels in one corpus of documents deciding them all becomes slow."""

    @model_validator(mode="after")
    def _nothing_forbidden_is_tolerated(self) -> "QualityTable":
        if any(self.thresholds[one].alarm > 0 for one in FEWER_IS_BETTER & self.thresholds.keys()):
            msg = "nothing that must not be found is tolerated: its alarm is 0"
            raise ValueError(msg)
        missing = FEWER_IS_BETTER - self.thresholds.keys()
        if missing:
            msg = f"there is no threshold for {', '.join(sorted(missing))}"
            raise ValueError(msg)
        return self
