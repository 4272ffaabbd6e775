"""
What a text would do where it is rendered: speak to a chat template, fetch, link or run.

Rules held here: what is looked for is a table of the bundle; a Markdown link is known by where its target begins, and a tag by
its first characters, so that nothing within them hides it; what is neutralised is still there to be read, in other brackets.
Every pattern is linear: what it looks ahead for ends at the next bracket or is bounded.
"""

import hashlib
import re

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from gateway.concurrency.apart import apart
from gateway.model import Finding
from gateway.model.content import Leaf, Rendering

SCREENING: Final = "rendering"
RULES_VERSION: Final = "1"
"""Raised whenever the patterns change; the table has a hash of its own."""

CHAT_TOKEN: Final = "chat_token"  # noqa: S105 - of a chat template
LINK: Final = "link"
MARKUP: Final = "markup"

_SECONDS: Final = 1e-7
"""For a character, about."""

_SCHEME: Final = r"[A-Za-z][A-Za-z0-9+.-]{1,31}:"
_PATTERNS: Final = (
    # The target of an inline link or image: whatever stands in the brackets before it, and wherever it leads.
    (LINK, r"\](?=\()"),
    # The definition of one by reference, with its target on the same line or the next.
    (LINK, rf"\](?=:[ \t]*+\n?[ \t]*+<?(?:{_SCHEME}|[/\\.]|www\.))"),
    (LINK, rf"<(?=(?:{_SCHEME}//|(?:mailto|data|javascript|vbscript|file|tel|blob|cid):|//|www\.)[^\s<>]*+>)"),
    (MARKUP, r"<(?=[A-Za-z?!][\w:-]{0,40}[\s/][^<>=]*+=)"),
    (MARKUP, rf"\burl(?=\(\s{{0,9}}['\"]?\s{{0,9}}(?:{_SCHEME}|/))"),
    (MARKUP, r"@(?=import\b)"),
)
_HTTPS: Final = re.compile(r"(?:[:(]\s{0,9}<?|<)https://([A-Za-z0-9.-]{1,253})(?=[/?#)\s>\"']|$)", re.IGNORECASE)
_OTHER: Final = {"<": "‹", ">": "›", "[": "(", "]": ")"}  # noqa: RUF001 - meant to look alike
_BEGINNINGS: Final = "<[]u@"
"""Characters that something acting begins with, beside those of the tokens in the table."""


class _Spot(NamedTuple):
    """Something in a text that would act."""

    start: int
    end: int
    kind: str
    instead: str


class RenderingDetector:
    """A `gateway.ports.Detector` for what acts where it is rendered."""

    name = SCREENING
    reads_across = False

    def __init__(self, table: Rendering) -> None:
        self._table = table
        self._version = f"{RULES_VERSION}+{hashlib.sha256(table.model_dump_json().encode()).hexdigest()[:12]}"

    @property
    def version(self) -> str:
        return self._version

    def serves(self, screening: str) -> bool:
        return screening == SCREENING

    def cost(self, item: Sequence[Leaf], screening: str) -> float:
        return _SECONDS * sum(len(leaf.text) for leaf in item)

    async def detect(self, items: Sequence[Sequence[Leaf]], screening: str, tenant: str) -> list[list[Finding]]:
        # Apart, since a request may hold megabytes and others wait on the event loop.
        return await apart(lambda: [[one for leaf in item for one in self._found(leaf)] for item in items])

    def _found(self, leaf: Leaf) -> Iterator[Finding]:
        for spot in _spots(leaf.text, self._table):
            yield Finding(
                kind="rendering",
                type=spot.kind,
                score=1.0,
                start=spot.start,
                end=spot.end,
                detector=self.name,
                path=leaf.path,
            )


def neutralised(text: str, kinds: Collection[str], table: Rendering) -> str:
    """The text, in which nothing of these kinds acts any more."""
    parts, done = [], 0
    for spot in _spots(text, table):
        if spot.kind in kinds:
            parts += [text[done : spot.start], spot.instead]
            done = spot.end
    return "".join([*parts, text[done:]])


def _spots(text: str, table: Rendering) -> Iterator[_Spot]:
    patterns = _compiled(table)
    for match in patterns.finditer(text):
        start, end, found = match.start(), match.end(), match.group()
        if match.lastgroup == "token":
            yield _Spot(start, end, CHAT_TOKEN, "".join(_OTHER.get(letter, letter) for letter in found))
        elif match.lastgroup == "tag":
            yield _Spot(start, end, MARKUP, _OTHER["<"])
        else:
            kind = _PATTERNS[int((match.lastgroup or "p0")[1:])][0]
            if kind != LINK or not _leads_home(text, end if found == "]" else start, table.hosts):
                yield _Spot(start, end, kind, _OTHER["<"] if found == "<" else f"{found} ")


def _leads_home(text: str, start: int, hosts: Sequence[str]) -> bool:
    """Whether a link leads to a host that it may lead to."""
    target = _HTTPS.match(text, start)
    if target is None:
        return False
    host = target[1].lower()
    return any(host == one or (one.startswith(".") and host.endswith(one)) for one in hosts)


@lru_cache(maxsize=8)
def _compiled(table: Rendering) -> re.Pattern[str]:
    tokens = [re.escape(token) for token in sorted(table.tokens, key=len, reverse=True)]
    tokens += [rf"{re.escape(first)}[^\s<>]{{1,64}}?{re.escape(last)}" for first, last in table.token_brackets]
    parts = [f"(?P<token>{'|'.join(tokens)})"] if tokens else []
    if table.tags:
        parts.append(f"(?P<tag><(?=(?i:{'|'.join(map(re.escape, table.tags))})(?![A-Za-z0-9-])))")
    parts += [f"(?P<p{index}>{pattern})" for index, (_, pattern) in enumerate(_PATTERNS)]
    # Most characters begin nothing, and should cost one look.
    first = re.escape(
        "".join(sorted({*_BEGINNINGS, *(one[0] for one in table.tokens), *(one[0] for one, _ in table.token_brackets)}))
    )
    return re.compile(f"(?=[{first}])(?:{'|'.join(parts)})")
