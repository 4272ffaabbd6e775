"""
What a module may be so that its tree can be read.

The parser writes its tree as JSON that is indented, so that a chain such as `a.b.c…` or `1 + 1 + …` costs the square of its
length: 3,000 of them make 400 MB.  Links and brackets are counted here before it is asked.
"""

import re

from typing import Final

from gateway.errors import RegoTooDeepError

DEEPEST: Final = 100
"""Brackets and links of a chain within each other, at most."""

MOST_WORK: Final = 1_000_000
"""Sum over the links of a module of how deep each stands; the largest that is shipped has 3,000."""

_TOKEN: Final = re.compile(
    r'"(?:\\.|[^"\\\n])*"?|`[^`]*`?|(?P<comment>#[^\n]*)|(?P<open>[\[({])|(?P<close>[\])}])'
    r"|(?P<link>[.+\-*/%&|<>=!]|\bin\b)|(?P<end>[,;])|(?P<line>\n\s*)"
)
"""What a text does to the depth; a text that does not end is taken as well, so that no character is looked at twice."""

_LINKS: Final = frozenset(".+-*/%&|<>=!")


def require_readable(file: str, text: str) -> None:
    """
    Refuse a module whose tree would cost more than its length says.

    Raises:
        RegoTooDeepError: it has too much within each other; the message names the line.
    """
    chains, links, work, linked = [0], 0, 0, -1
    for found in _TOKEN.finditer(text):
        kind, start, end = found.lastgroup, found.start(), found.end()
        if kind == "open":
            chains.append(0)
        elif kind == "end" or (kind == "line" and not _goes_on(text, linked, start, end)):
            links -= chains[-1]
            chains[-1] = 0
        elif kind in {"link", "close"}:
            if kind == "close" and len(chains) > 1:
                links -= chains.pop()
            # What was in brackets is looked into by what follows: `a[x][y]`.
            chains[-1], links = chains[-1] + 1, links + 1
            work += links + len(chains)
        linked = end if kind == "link" or (kind == "comment" and text[linked:start].isspace()) else linked
        if links + len(chains) > DEEPEST or work > MOST_WORK:
            line = text.count("\n", 0, start) + 1
            raise RegoTooDeepError(f"{file}:{line}: a chain, or brackets within each other, are too deep to be read")


def _goes_on(text: str, linked: int, start: int, end: int) -> bool:
    """Whether a chain goes on behind the end of a line: a link stands before it, or after it."""
    before = 0 <= linked <= start and (linked == start or text[linked:start].isspace())
    return before or text[end : end + 1] in _LINKS
