"""
A document cut into chunks.

Rules held here: a chunk never has more tokens than its rule says, with all that it repeats; its text is what it repeats and then its
own part, letter for letter; the own parts are all of the document but white space, each once.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count as numbers
from typing import Final

from gateway.knowledge.chunking.grouping import groups
from gateway.knowledge.chunking.headers import Headers, overlap_before
from gateway.knowledge.chunking.outline import Outline, outline_of
from gateway.knowledge.chunking.spans import WIDEST_GAP, Fineness, TokenCount, Unit, fits, units
from gateway.model.knowledge.chunking import ChunkMethod, ChunkRule
from gateway.model.knowledge.document import Chunk, ReadDocument
from gateway.ports.packing import Tokenizer

_FINENESS: Final[Mapping[ChunkMethod, Fineness]] = {"sliding_window": "sentence", "fixed_size": "word"}
"""What windows are filled with; everything else with whole blocks."""

_SEAM: Final = 2
"""Tokens that two texts may have more together than each alone."""


def chunk(document: ReadDocument, rule: ChunkRule, tokenizer: Tokenizer, *, encoding: str) -> tuple[Chunk, ...]:
    """
    The chunks of a document, in order; none of a document without text.

    Takes time in proportion to the document, about 1 s for each million characters: to be called off the event loop.

    Args:
        document: as it was read.
        rule: how it is cut.
        tokenizer: counts tokens.
        encoding: that they are counted in.
    """
    return tuple(_Cut(document, rule, partial(tokenizer.count, encoding=encoding)).chunks())


class _Cut:
    """One document being cut."""

    def __init__(self, document: ReadDocument, rule: ChunkRule, count: TokenCount) -> None:
        self._document = document
        self._rule = rule
        self._count = count
        self._outline: Outline = outline_of(document)
        self._headers = Headers(self._outline, rule.method, rule.tokens, count)
        self._numbers = numbers()

    def chunks(self) -> Iterator[Chunk]:
        for group in groups(self._outline, self._rule.method):
            yield from self._whole(group) or self._parts(group)

    def _whole(self, group: range) -> list[Chunk]:
        """The group as one chunk; none where it is too long for one, or is windows."""
        if not self._rule.method.startswith("by_"):
            return []
        blocks = self._document.blocks
        start, end = blocks[group.start].start, blocks[group.stop - 1].end
        header = self._headers.of(group, group.start)
        if not fits(header + self._document.text[start:end], self._rule.tokens, self._count) or self._has_gap(group):
            return []
        return [self._made(header, start, end, group)]

    def _has_gap(self, group: range) -> bool:
        blocks = self._document.blocks
        return any(blocks[place].start - blocks[place - 1].end > WIDEST_GAP for place in group[1:])

    def _parts(self, group: range) -> Iterator[Chunk]:
        room = self._rule.tokens - max(self._rule.overlap, self._headers.most) - _SEAM
        fineness = _FINENESS.get(self._rule.method, "block")
        blocks = ((place, self._document.blocks[place]) for place in group)
        found = list(units(self._document.text, blocks, room, self._count, fineness))
        begun = 0
        while begun < len(found):
            before = self._before(found, begun, group)
            end, before = self._filled(found, begun, before)
            first, last = found[begun], found[end - 1]
            yield self._made(before, first.start, last.end, range(first.block, last.block + 1))
            begun = end

    def _before(self, found: Sequence[Unit], begun: int, group: range) -> str:
        """What a chunk repeats that begins with a unit."""
        lowest, start = found[0].start, found[begun].start
        return overlap_before(self._document.text, start, lowest, self._rule.overlap, self._count) or self._headers.of(
            group, found[begun].block
        )

    def _filled(self, found: Sequence[Unit], begun: int, before: str) -> tuple[int, str]:
        """Up to which unit a chunk goes, and what it repeats."""
        room = self._rule.tokens - self._count(before) - _SEAM
        end, spent = begun + 1, found[begun].tokens
        while end < len(found) and found[end].start - found[end - 1].end <= WIDEST_GAP:
            spent += found[end].tokens
            if spent > room:
                break
            end += 1
        end = self._without_last_headings(found, begun, end)
        # Texts are counted alone and together: what tokens make of a seam is known only when it is made.
        while (over := self._tokens(found, begun, end, before)) > 0:
            if end - begun > 1:
                end -= max(1, (end - begun) * over // (self._rule.tokens + over))
            else:
                before = ""
        return end, before

    def _tokens(self, found: Sequence[Unit], begun: int, end: int, before: str) -> int:
        """How many tokens a chunk would have too many; not positive where it fits."""
        made = before + self._document.text[found[begun].start : found[end - 1].end]
        return self._count(made) - self._rule.tokens

    def _without_last_headings(self, found: Sequence[Unit], begun: int, end: int) -> int:
        """A heading is left to the chunk of what stands under it, if anything is left of this one without it."""
        kept = end
        while kept > begun and end < len(found) and self._document.blocks[found[kept - 1].block].kind == "heading":
            kept -= 1
        return kept if kept > begun else end

    def _made(self, before: str, start: int, end: int, places: range) -> Chunk:
        blocks, text = self._document.blocks, before + self._document.text[start:end]
        told = next((place for place in places if blocks[place].kind != "heading"), places[-1])
        pages = [page for place in (places[0], places[-1]) if (page := blocks[place].page) is not None]
        return Chunk(
            number=next(self._numbers),
            text=text,
            start=start,
            end=end,
            repeats=len(before),
            path=self._outline.path(told),
            tokens=self._count(text),
            first_page=pages[0] if pages else None,
            last_page=pages[-1] if pages else None,
        )
