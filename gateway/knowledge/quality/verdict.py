"""Whether what was measured is good enough, figure by figure."""

from dataclasses import dataclass
from typing import Final, Literal

from gateway.knowledge.quality.baseline import Movement
from gateway.knowledge.quality.evaluation import GoldenResult
from gateway.model.knowledge.quality import FEWER_IS_BETTER, QualityFigure, QualityTable

Standing = Literal["reached", "below target", "alarm", "not measured", "no room"]
"""*no room*: the first stage is so good that no reranker could improve it as much as is asked."""

IMPROVEMENT: Final[QualityFigure] = "reranker_improvement"


@dataclass(frozen=True, slots=True)
class Line:
    """One figure beside its thresholds."""

    figure: QualityFigure
    value: float | None
    target: float
    alarm: float
    standing: Standing


@dataclass(frozen=True, slots=True)
class QualityVerdict:
    """What became of a measurement."""

    lines: tuple[Line, ...]
    drifted: tuple[QualityFigure, ...]

    @property
    def leaks(self) -> bool:
        """Whether anything was found that must not be, or that the gate refuses."""
        return any(one.standing == "alarm" and one.figure in FEWER_IS_BETTER for one in self.lines)

    @property
    def poor(self) -> bool:
        """Whether any other figure is beyond its alarm."""
        return any(one.standing == "alarm" and one.figure not in FEWER_IS_BETTER for one in self.lines)


def verdict(evaluation: GoldenResult, table: QualityTable, moved: Movement | None = None) -> QualityVerdict:
    """
    Hold a measurement against the bundle's thresholds.

    Args:
        evaluation: what was measured.
        table: of the bundle.
        moved: how it differs from the baseline; None without one.
    """
    figures = evaluation.figures
    lines = []
    for name, threshold in table.thresholds.items():
        value = figures.get(name)
        standing = _standing(name, value, threshold.target, threshold.alarm)
        # With a first stage of .95 no reranker can gain ten percent: only that it makes things worse is told then.
        if (
            name == IMPROVEMENT
            and standing == "alarm"
            and (evaluation.headroom or 0) < threshold.alarm
            and (value or 0) >= 0
        ):
            standing = "no room"
        lines.append(Line(name, value, threshold.target, threshold.alarm, standing))
    return QualityVerdict(tuple(lines), moved.drifted if moved else ())


def _standing(name: QualityFigure, value: float | None, target: float, alarm: float) -> Standing:
    if value is None:
        return "not measured"
    if name in FEWER_IS_BETTER:
        return "alarm" if value > alarm else "reached" if value <= target else "below target"
    return "alarm" if value < alarm else "reached" if value >= target else "below target"
