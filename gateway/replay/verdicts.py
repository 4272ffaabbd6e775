"""What became of decisions that were made again: one verdict each, and what is no verdict said beside them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

ReplayVerdict = Literal["MATCH", "MISMATCH", "ERASED", "DAMAGED", "UNAVAILABLE"]

MATCH: Final = "MATCH"
"""Made again it is the same."""

MISMATCH: Final = "MISMATCH"
"""Made again it is another."""

ERASED: Final = "ERASED"
"""It cannot be made again: what was kept is gone, by an erasure that is on record."""

DAMAGED: Final = "DAMAGED"
"""It cannot be made again: what was kept is gone without an erasure, does not open, or is not what the record commits to."""

UNAVAILABLE: Final = "UNAVAILABLE"
"""It cannot be made again here: the bundle, the engine or a key is not here or does not answer; or policy was not asked at all."""

REFUSED: Final = "request.refused"
"""Stands for the kind of a `request.opened` that was refused as a whole."""

VERDICTS: Final[tuple[ReplayVerdict, ...]] = ("MATCH", "MISMATCH", "ERASED", "DAMAGED", "UNAVAILABLE")


class ReplayError(Exception):
    """Why a decision is not seen to be the same; never leaves this room."""

    def __init__(self, verdict: ReplayVerdict, why: str) -> None:
        super().__init__(why)
        self.verdict = verdict
        self.why = why


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of one decision."""

    decision_id: str
    verdict: ReplayVerdict
    why: str = ""
    kind: str = "item.ruled"
    notes: tuple[str, ...] = ()
    """What differs between then and now, and could have made a difference: versions of engines and detectors."""

    undecided: bool = False
    """Whether policy decided nothing here, so that there is nothing to be made again anywhere: the gateway itself refused."""

    contents: bool = False
    """Whether what was released was made again too, and not only decided again."""


@dataclass(slots=True)
class Replay:
    """What became of all of them."""

    counts: Counter[ReplayVerdict] = field(default_factory=Counter)
    """Of rulings."""

    around: Counter[tuple[str, ReplayVerdict]] = field(default_factory=Counter)
    """Of requests, refusals and packs, by kind of record."""

    contents: int = 0
    """Rulings and packs whose contents were kept, so that what was released was made again too."""

    wrong: list[Replayed] = field(default_factory=list)
    """Those that neither match nor are erased, in order; without refusals of the gateway itself, of which `notes` tells."""

    notes: Counter[str] = field(default_factory=Counter)
    """What differs between then and now, by how many decisions."""

    def add(self, some: Iterable[Replayed]) -> None:
        """Count decisions in."""
        for one in some:
            if one.kind == "item.ruled":
                self.counts[one.verdict] += 1
            else:
                self.around[one.kind, one.verdict] += 1
            self.contents += one.contents
            self.notes.update(one.notes)
            if one.verdict not in {MATCH, ERASED} and not one.undecided:
                self.wrong.append(one)

    @property
    def mismatches(self) -> list[Replayed]:
        """Those that are another decision now."""
        return [one for one in self.wrong if one.verdict == MISMATCH]

    @property
    def unavailable(self) -> list[Replayed]:
        """Those that policy decided, and that cannot be made again here."""
        return [one for one in self.wrong if one.verdict == UNAVAILABLE]

    def total(self, *verdicts: ReplayVerdict) -> int:
        """How many decisions of any kind have one of these verdicts."""
        return sum(self.counts[one] for one in verdicts) + sum(
            count for (_, verdict), count in self.around.items() if verdict in verdicts
        )
