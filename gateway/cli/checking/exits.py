"""With which status the commands on policies and on how well documents are found end; docs/commands.md lists them all."""

from typing import Final

DIFFERS: Final = 4
"""Decisions that differ: flips of a simulation; or figures that fell too far below their baseline."""

MAY_NOT_DECIDE: Final = 7
"""The bundle is not well formed, does not compile, or says what cannot be meant."""

FAILS: Final = 8
"""A case or a test does not hold, or a figure is beyond its alarm."""

NOT_HELD: Final = 9
"""Every case holds, and there is a change of a rule that none of them would notice."""

LEAKS: Final = 10
"""Something was found that must not be."""
