"""Plain text and Markdown, read without any library."""

from collections.abc import Iterator, Sequence

from gateway.errors import DocumentUnreadableError
from gateway.model import Registry
from gateway.model.knowledge.document import BlockKind, Chunk, ReadDocument, TextBlock
from gateway.model.request import Provenance


class PlainReader:
    """`gateway.ports.knowledge.Reader` of text in UTF-8: blocks are what empty lines part, and titles lines that begin with `#`."""

    media_types = frozenset({"text/plain", "text/markdown"})

    def read(self, body: bytes) -> ReadDocument:
        try:
            text = body.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise DocumentUnreadableError("the file is no text in UTF-8") from error
        if "\0" in text:
            raise DocumentUnreadableError("the file holds bytes that no text has")
        blocks = tuple(_blocks(text))
        if not blocks:
            raise DocumentUnreadableError("the file holds no text")
        titles = (text[block.start : block.end].lstrip("# ") for block in blocks if block.kind == "heading")
        return ReadDocument(text, blocks, next(titles, None))


def _blocks(text: str) -> Iterator[TextBlock]:
    place = 0
    begun: int | None = None
    for line in text.splitlines(keepends=True):
        start, place = place, place + len(line)
        level = len(line) - len(line.lstrip("#"))
        is_title = 0 < level <= 6 and line[level : level + 1] == " "
        if (is_title or not line.strip()) and begun is not None:
            yield _block(text, begun, start, "paragraph", 0)
            begun = None
        if is_title:
            yield _block(text, start, place, "heading", level)
        elif line.strip() and begun is None:
            begun = start
    if begun is not None:
        yield _block(text, begun, place, "paragraph", 0)


def _block(text: str, start: int, end: int, kind: BlockKind, level: int) -> TextBlock:
    inside = text[start:end]
    left = len(inside) - len(inside.lstrip())
    return TextBlock(start + left, start + len(inside.rstrip()), kind, level)


LONGEST = 2000
"""Characters of a chunk that `by_blocks` makes, unless one block is longer."""


def by_blocks(document: ReadDocument, labels: Provenance, registry: Registry) -> Sequence[Chunk]:
    """Chunks of whole blocks, each within one section; of no table, so that it stands in where there is no chunker."""
    del labels, registry
    made: list[Chunk] = []
    path: list[str] = []
    run: list[tuple[int, int]] = []

    def close() -> None:
        if run:
            start, end = run[0][0], run[-1][1]
            text = document.text[start:end]
            made.append(Chunk(len(made), text, start, end, 0, tuple(path), max(1, len(text) // 4)))
            run.clear()

    for block in document.blocks:
        if block.kind == "heading":
            close()
            path[block.level - 1 :] = [document.text[block.start : block.end].lstrip("# ").strip()]
        elif run and block.end - run[0][0] > LONGEST:
            close()
        run.append((block.start, block.end))
    close()
    return made
