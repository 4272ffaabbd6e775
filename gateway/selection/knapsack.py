"""The most worth that fits: a 0/1 knapsack by branch and bound, with a bound on what was missed."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

EFFORT = 5_000
"""Nodes that are looked at before the best answer so far is taken."""


@dataclass(frozen=True, slots=True)
class Packed:
    """What goes in."""

    chosen: tuple[int, ...]
    """Places, ascending."""

    value: float
    bound: float
    """No choice is worth more than this."""


def best(values: Sequence[float], weights: Sequence[int], room: int, *, effort: int = EFFORT) -> Packed:
    """
    Choose what is worth most and fits.

    Depth first in order of value per weight, cut off by the fractional bound (G. B. Dantzig, "Discrete-Variable Extremum
    Problems", 1957; E. Horowitz and S. Sahni, 1974).  The first leaf is the greedy answer, so that no answer is worse than it.

    Args:
        values: what each is worth; not negative.
        weights: what room each takes; not negative.
        room: what there is.
        effort: nodes to look at before giving up on a better answer.
    """
    # The densest first makes the bound tight from the start; of two that are as dense, the one that came first.
    order = sorted(range(len(values)), key=lambda index: (-values[index] / (weights[index] or 1e-9), index))
    value, weight = [values[index] for index in order], [weights[index] for index in order]
    things = _Things(value, weight)
    top = things.fractional(0, room)
    found, taken, left_over = _search(things, room, effort)
    chosen = tuple(sorted(order[index] for index in taken))
    return Packed(chosen, found, top if left_over else found)


class _Things:
    """Things in order of value per weight, with running sums."""

    def __init__(self, value: list[float], weight: list[int]) -> None:
        self.value, self.weight = value, weight
        self._worth = [0.0, *accumulate(value)]
        self._weigh = [0, *accumulate(weight)]

    def fractional(self, index: int, left: int) -> float:
        """What could be had at most from here on if things could be cut."""
        end = bisect_right(self._weigh, self._weigh[index] + left) - 1
        worth = self._worth[end] - self._worth[index]
        if end == len(self.value):
            return worth
        return worth + self.value[end] * (left - self._weigh[end] + self._weigh[index]) / self.weight[end]


def _search(things: _Things, room: int, effort: int) -> tuple[float, list[int], bool]:
    """The best value, the places in it, and whether something was not looked at."""
    value, weight = things.value, things.weight
    best_value, best_taken = -1.0, list[int]()
    pending: list[tuple[int, int, float, tuple[int, ...] | None]] = [(0, room, 0.0, None)]
    while pending:
        if effort == 0:
            return best_value, best_taken, True
        effort -= 1
        index, left, worth, taken = pending.pop()
        if worth + things.fractional(index, left) <= best_value + 1e-12:
            continue
        if index == len(value):
            best_value, best_taken = worth, _unrolled(taken)
            continue
        # Pushed first and so looked at last: what fits is taken before it is tried without.
        pending.append((index + 1, left, worth, taken))
        if weight[index] <= left:
            pending.append((index + 1, left - weight[index], worth + value[index], (index, taken)))  # type: ignore[arg-type]
    return best_value, best_taken, False


def _unrolled(taken: object) -> list[int]:
    indexes = []
    while isinstance(taken, tuple):
        indexes.append(taken[0])
        taken = taken[1]
    return indexes
