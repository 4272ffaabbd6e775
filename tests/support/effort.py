"""
How much work something is, in passes of a plain pattern over two megabytes of prose.

A bound in seconds says how busy a machine is.  A bound in passes says how much is done: both are measured in the same
process and test, in CPU time, and a measurement over the bound is made twice more before it counts.
"""

import re
import time

from collections.abc import Callable
from typing import Final

PATTERN: Final = re.compile(r"\b[A-Za-z]+(?:[ -][A-Za-z]+){0,3}\b|\d{1,6}")
PROSE: Final = "The committee reviewed limit 4711 of desk A-12 on 3 March and asked for evidence. " * 24_000


def one_pass() -> int:
    """The calibration: every match of a pattern without surprises in plain prose."""
    return sum(1 for _ in PATTERN.finditer(PROSE))


def cpu(act: Callable[[], object]) -> float:
    """CPU seconds of this process for *act*."""
    started = time.process_time()
    act()
    return time.process_time() - started


class Effort:
    """Holds acts to a number of passes, calibrated when it is made."""

    def __init__(self) -> None:
        self._pass = cpu(one_pass)

    def within(self, passes: float, act: Callable[[], object], what: str = "this") -> None:
        """
        Nothing, if *act* takes at most so many passes in one of three measurements.

        Raises:
            AssertionError: it takes more.
        """
        took = cpu(act) / self._pass
        for _ in range(2):
            if took <= passes:
                break
            self._pass = cpu(one_pass)
            took = min(took, cpu(act) / self._pass)
        assert took <= passes, f"{what} took {took:.1f} passes; at most {passes} are allowed"
