"""What a shadow has seen: since when, how many requests, and where it would have decided otherwise, by rule and by group."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

_MOST: Final = 500
"""So many values of one group are told apart: labels are whatever a caller writes."""

_OTHERS: Final = "(others)"
_LONGEST: Final = 100

_GROUPS: Final = {
    "role": ("subject", "role"),
    "department": ("subject", "department"),
    "agent": ("agent", "id"),
    "jurisdiction": ("item", "jurisdiction"),
    "source_type": ("item", "source_type"),
}
"""What disagreements are counted by, and where in the facts that stands."""


@dataclass(slots=True)
class Watching:
    """Counts of one shadow, from its beginning."""

    since: str | None = None
    requests: int = 0
    """Calls that asked policy at least once while it watched."""

    questions: int = 0
    disagreements: int = 0
    by_code: Counter[str] = field(default_factory=Counter)
    """By the code of each refusal that one of the two gives and the other does not."""

    by_group: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in _GROUPS})

    def disagreed(self, facts: Mapping[str, Any], codes: Sequence[str]) -> None:
        """Count one question that the shadow answered otherwise."""
        self.disagreements += 1
        for code in codes:
            _count(self.by_code, code)
        for name, (part, label) in _GROUPS.items():
            within = facts.get(part)
            if isinstance(within, Mapping):
                _count(self.by_group[name], str(within.get(label)))

    def told(self) -> dict[str, Any]:
        """As the desk shows it; what disagrees most first."""
        return {
            "since": self.since,
            "requests": self.requests,
            "questions": self.questions,
            "disagreements": self.disagreements,
            "by_code": dict(self.by_code.most_common()),
            "by_group": {name: dict(counts.most_common()) for name, counts in self.by_group.items()},
        }


def _count(counts: Counter[str], value: str) -> None:
    name = value[:_LONGEST]
    counts[name if name in counts or len(counts) < _MOST else _OTHERS] += 1
