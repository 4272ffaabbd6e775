"""
How well different figures for one thing are found, by family: on the pairs that the method was made looking at, and on others.

    python -m bench.conflicts [--quick] [--mistakes]
"""

import json
import sys

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

import yaml

from gateway.selection.disputes import contradict

DATA: Final = Path(__file__).with_name("data")
SETS: Final = {"seen": DATA / "conflicts.yaml", "held out": DATA / "conflicts.held_out.yaml"}
QUICK: Final = 4
"""Pairs of each label and family that a quick run takes."""


class Pair(NamedTuple):
    """A labelled pair, and whether it was found to conflict."""

    family: str
    conflict: bool
    found: bool
    passages: tuple[object, object]


def judged(path: Path, most: int | None = None) -> list[Pair]:
    """Every labelled pair of a set, judged; `most` of each label and family."""
    return [
        Pair(family["family"], label == "conflict", contradict(left, right), (left, right))
        for family in yaml.safe_load(path.read_text())
        for label in ("conflict", "none")
        for left, right in family[label][:most]
    ]


def measured(pairs: Iterable[Pair]) -> dict[str, float]:
    """Precision and recall of what is found."""
    pairs = list(pairs)
    found = [pair.conflict for pair in pairs if pair.found]
    right, all_right = sum(found), sum(pair.conflict for pair in pairs)
    return {
        "pairs": len(pairs),
        "precision": round(right / len(found), 3) if found else 1.0,
        "recall": round(right / max(all_right, 1), 3),
    }


def main() -> None:
    """Print the table by family, the mistakes where they are asked for, and the figures."""
    quick = "--quick" in sys.argv
    figures = {}
    for name, path in SETS.items():
        pairs = judged(path, QUICK if quick else None)
        for family in dict.fromkeys(pair.family for pair in pairs):
            row = measured(pair for pair in pairs if pair.family == family)
            print(f"{name:9} {family:22}", "  ".join(f"{what} {value:g}" for what, value in row.items()))
        if "--mistakes" in sys.argv:
            for pair in pairs:
                if pair.found is not pair.conflict:
                    print("missed" if pair.conflict else "wrong", *pair.passages, sep="\n    ")
        figures[name] = measured(pairs)
    command = "python -m bench.conflicts" + (" --quick" if quick else "")
    print(json.dumps({"bench": "conflicts", "figures": figures, "command": command}))


if __name__ == "__main__":
    main()
