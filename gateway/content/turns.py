"""Turns of a conversation, read together: an instruction may be split so that no turn alone says it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gateway.model import Finding, Ruling
from gateway.model.content import content_text

TOGETHER: Final = 4
"""How many of a role's last turns are read as one text."""

CLEARLY: Final = 0.1
"""By how much a sign must be stronger in the turns together than in any of them alone to count."""


@dataclass(frozen=True, slots=True)
class Join:
    """The last turns of one role, up to one of them."""

    turns: tuple[Ruling, ...]

    @property
    def last(self) -> Ruling:
        """The turn that what is found counts against."""
        return self.turns[-1]

    @property
    def text(self) -> str:
        """The turns as one text."""
        return " ".join(content_text(turn.item.content) for turn in self.turns)


def joined_turns(rulings: Sequence[Ruling]) -> list[Join]:
    """For every turn of a conversation but a role's first: that turn with the ones before it, whoever it says it is from."""
    by_role: dict[bool, list[Ruling]] = defaultdict(list)
    for ruling in rulings:
        if ruling.item.section == "conversation":
            # By what policy takes it as: what a caller calls the author is a name, and each turn may have another.
            by_role[ruling.source_type == "agent_output"].append(ruling)
    return [
        Join(tuple(turns[max(0, end - TOGETHER) : end]))
        for turns in by_role.values()
        for end in range(2, len(turns) + 1)
    ]


def found_only_joined(
    join: Join, found: Sequence[Finding], alone: Mapping[str, Sequence[Finding]]
) -> tuple[Finding, ...]:
    """What is clearly stronger in the turns together than in any of them, as findings of the last one."""
    strongest = max((finding.score for turn in join.turns for finding in alone[turn.decision_id]), default=0.0)
    size = len(content_text(join.last.item.content))
    return tuple(
        finding.model_copy(update={"start": 0, "end": size, "via": "turns", "path": ""})
        for finding in found
        if finding.score > strongest + CLEARLY
    )
