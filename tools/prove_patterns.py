"""
Proves that patterns are linear: `python -m tools.prove_patterns` looks for the worst text of each that is not yet proved.

What is proved stands with its worst text in `tests/meta/patterns.json`; a test measures every pattern on that text, and refuses one
that does not stand there.  `--all` looks anew for all of them.
"""

import json
import re
import sys

from collections.abc import Callable
from typing import Any, Final

from tests.support.effort import cpu, one_pass
from tools.patterns import PROVED, every
from tools.worst import Worst, worst

BOUND: Final = 25.0
"""What a pattern may cost on a text, against what a plain one costs on prose of the same length."""

KILOBYTES: Final = 1_968.0
"""Of the prose of one pass."""

_FLAGS: Final = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE


def everywhere(pattern: Any) -> Callable[[str], None]:
    """Looks for a pattern everywhere in a text."""
    bytes_ = isinstance(pattern.pattern, bytes)

    def find(text: str) -> None:
        given = text.encode("latin-1", "replace") if bytes_ else text
        for _ in pattern.finditer(given):
            pass
        pattern.fullmatch(given)

    return find


def proved() -> dict[str, tuple[str, str]]:
    """The worst text of each pattern that was proved, as a beginning and what is repeated, by how it is written."""
    return {text: (start, pump) for text, (start, pump) in json.loads(PROVED.read_text()).items()}


def prove(pattern: Any, enough: float) -> Worst:
    """The worst text for a pattern; *enough* seconds for a thousand characters are too much."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    return worst(text, pattern.flags & int(_FLAGS), everywhere(pattern), enough)


def main() -> int:
    """Prove what is not proved; how many patterns are not linear."""
    known = {} if "--all" in sys.argv else proved()
    found, wrong = {}, 0
    unit = cpu(one_pass) / KILOBYTES
    for one in every():
        if one.key in known:
            found[one.key] = known[one.key]
            continue
        result = prove(one.pattern, BOUND * unit)
        cost = result.seconds_per_kb / unit
        print(f"{cost:8.1f}  {one.where}")
        if cost > BOUND:
            wrong += 1
            print(f"          on {result.start!r} and then {result.pump!r}, again and again: {one.text}")
        else:
            found[one.key] = (result.start, result.pump)
    PROVED.write_text(json.dumps(dict(sorted(found.items())), indent=1) + "\n")
    return wrong


if __name__ == "__main__":
    sys.exit(min(main(), 1))
