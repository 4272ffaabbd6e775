"""
Turns of a conversation as people saw them: without the blocks of context that a prompt put around them.

Rules held here: a block goes only if its mark is the gateway's own, so that nobody else can make words vanish from between
others; one scan from the front, and at most twice the turn's length is ever hashed, whatever stands in it.
"""

import hmac

from collections import defaultdict, deque
from collections.abc import Iterator
from typing import Final, NamedTuple

from gateway.prompt.blocks import MARK, mark_of

_SIGN: Final = " mark="
_TAIL: Final = len(_SIGN) + MARK + len(">")


class _Tag(NamedTuple):
    """A line that looks like a tag of a block."""

    start: int
    end: int
    """Of the line, without its line break."""

    head: str
    """What stands in it before its mark."""

    mark: str

    @property
    def closes(self) -> str:
        """The section whose block it ends; empty for a tag that begins one."""
        return self.head[1:] if self.head.startswith("/") else ""


def displayed(text: str, key: bytes) -> str:
    """
    What was said in a turn.

    Args:
        text: the turn, as it came in.
        key: of the tenant, with which blocks are marked.
    """
    if _SIGN not in text:
        return text.strip("\n")
    parts, done = [], 0
    for start, end in _blocks(text, key):
        parts.append(text[done:start])
        done = end
    return "".join([*parts, text[done:]]).strip("\n")


def _blocks(text: str, key: bytes) -> Iterator[tuple[int, int]]:
    """Where blocks begin and end that the gateway made, in order and apart."""
    tags = list(_tags(text))
    closing: dict[tuple[str, str], deque[_Tag]] = defaultdict(deque)
    for tag in tags:
        if tag.closes:
            closing[tag.closes, tag.mark].append(tag)
    # Blocks stand side by side, so that real ones are hashed once; tags put one within the other would be hashed again and again.
    done, left = 0, 2 * len(text)
    for tag in tags:
        if tag.closes or tag.start < done:
            continue
        ends = closing[tag.head.partition(" ")[0], tag.mark]
        while ends and ends[0].start <= tag.end:
            ends.popleft()
        if not ends:
            continue
        left -= ends[0].start - tag.end
        if left < 0:
            return
        if _made_here(tag, text[tag.end + 1 : ends[0].start - 1], key):
            done = min(ends[0].end + 1, len(text))
            yield tag.start, done


def _made_here(tag: _Tag, text: str, key: bytes) -> bool:
    return hmac.compare_digest(tag.mark.encode(), mark_of(tag.head, text, key).encode())


def _tags(text: str) -> Iterator[_Tag]:
    start = 0
    for line in text.split("\n"):
        if line[:1] == "<" and line[-1:] == ">" and line[-_TAIL : -MARK - 1] == _SIGN:
            yield _Tag(start, start + len(line), line[1:-_TAIL], line[-MARK - 1 : -1])
        start += len(line) + 1
