"""
HTML pages.

Rules held here: what a page hides is not read: scripts, styles, templates, comments, and elements that say so themselves (`hidden`,
`display: none`, `visibility: hidden`, a font or an opacity of nothing); what a style sheet hides cannot be known.  The tree is walked
without recursion, however deep it is.
"""

import re

from collections.abc import Iterator
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from adapters.documents.limits import ReadingLimits
from adapters.documents.parts.draft import DocumentDraft
from adapters.documents.text import decoded
from gateway.model.knowledge.document import BlockKind, ReadDocument

_UNREAD: Final = frozenset(
    "script style template noscript head iframe object embed svg math canvas audio video select datalist noframes".split()
)
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_BLOCKS: Final = frozenset(
    "address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer form header"
    " hr html legend li main nav ol p pre section summary table tbody td tfoot th thead tr ul h1 h2 h3 h4 h5 h6".split()
)
_KINDS: Final[dict[str, BlockKind]] = {"li": "item", "dt": "item", "dd": "item", "pre": "code"}
_HIDDEN: Final = re.compile(
    r"(?i)display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?!\.\d*[1-9]|\d)"
)
_CHARSET: Final = re.compile(rb"(?i)\bcharset\s{0,5}=\s{0,5}[\"']?([a-z0-9_-]{1,20})")
_HEAD: Final = 2_048
_NEAR: Final = 3
"""So many elements around a text may say what it is: more stand around the paragraphs of an item than of the item's own."""

_DIGITS: Final = 6


class HtmlReader:
    """A `gateway.ports.knowledge.Reader` of HTML."""

    def __init__(self, limits: ReadingLimits) -> None:
        """
        Args:
            limits: of one file.
        """
        self._limits = limits

    @property
    def media_types(self) -> frozenset[str]:
        return frozenset({"text/html", "application/xhtml+xml"})

    def read(self, body: bytes) -> ReadDocument:
        said = _CHARSET.search(body[:_HEAD])
        draft = DocumentDraft(self._limits)
        return draft.done(add_html(draft, decoded(body, said.group(1).decode("ascii") if said else None)))


def add_html(draft: DocumentDraft, text: str) -> str | None:
    """Add a page to a document; its title, None where it has none."""
    tree = LexborHTMLParser(text)
    title = tree.css_first("title")
    if tree.body is not None:
        _Page(draft).walk(tree.body)
    return title.text() if title is not None else None


class _Page:
    """A page being read: inline text gathers until a block begins or ends."""

    def __init__(self, draft: DocumentDraft) -> None:
        self._draft = draft
        self._text: list[str] = []
        self._open: list[str] = []
        """Tags of blocks that are open."""

        self._numbers: list[int | None] = []
        """Of open lists the number of the next item; None of those without numbers."""

        self._mark = ""
        self._tables: list[_Table] = []

    def walk(self, root: LexborNode) -> None:
        """Read a tree."""
        for node, enters in _steps(root):
            tag = node.tag or ""
            if tag == "-text":
                self._text.append(node.text_content or "")
            elif tag == "br":
                self._text.append("\n")
            elif tag in _BLOCKS:
                self._enter(node, tag) if enters else self._leave(tag)
        self._flush()

    def _enter(self, node: LexborNode, tag: str) -> None:
        if not self._in_cell():
            self._flush()
        self._open.append(tag)
        if tag in {"ol", "ul"}:
            self._numbers.append(_start(node) if tag == "ol" else None)
        elif tag == "li":
            self._mark = self._next_mark()
        elif tag == "table":
            self._end_rows()
            self._tables.append(_Table())
        elif self._tables:
            self._text.append(" ")
            self._tables[-1].enter(tag)

    def _leave(self, tag: str) -> None:
        if tag in {"td", "th"} and self._in_cell():
            self._tables[-1].rows[-1].append("".join(self._text))
            self._tables[-1].in_cell = False
            self._text.clear()
            self._draft.count_cells(1)
        elif tag == "table" and self._tables:
            self._end_rows()
            self._tables.pop()
        elif not self._in_cell():
            self._flush()
        self._open.pop()
        if tag in {"ol", "ul"}:
            self._numbers.pop()

    def _in_cell(self) -> bool:
        return bool(self._tables) and self._tables[-1].in_cell

    def _end_rows(self) -> None:
        """A table ends, or one begins within a cell: what there is so far is added."""
        if self._tables:
            table = self._tables[-1]
            self._draft.table(table.rows, headed=table.headed)
            table.rows, table.in_cell = [], False
        self._flush()

    def _next_mark(self) -> str:
        if not self._numbers or self._numbers[-1] is None:
            return "- "
        number = self._numbers[-1]
        self._numbers[-1] = number + 1
        return f"{number}. "

    def _flush(self) -> None:
        said = "".join(self._text)
        self._text.clear()
        if not said.strip():
            return
        inner = self._open[-_NEAR:]
        level = next((_HEADINGS[tag] for tag in reversed(inner) if tag in _HEADINGS), None)
        if level is not None:
            self._draft.add("heading", said, level=level)
            return
        kind: BlockKind = next((_KINDS[tag] for tag in reversed(inner) if tag in _KINDS), "paragraph")
        # Line breaks of the source are spaces to who reads the page.
        self._draft.add(kind, said if kind == "code" else self._mark + " ".join(said.split()))
        self._mark = ""


class _Table:
    """A table being read."""

    def __init__(self) -> None:
        self.rows: list[list[str]] = []
        self.in_cell = False
        self.headed = False
        """Whether its first row has headers alone."""

    def enter(self, tag: str) -> None:
        if tag == "tr" or (tag in {"td", "th"} and not self.rows):
            self.rows.append([])
        if tag in {"td", "th"}:
            self.in_cell = True
            if len(self.rows) == 1:
                self.headed = tag == "th" and (self.headed or not self.rows[0])


def _start(node: LexborNode) -> int:
    said = node.attributes.get("start") or "1"
    return int(said) if said.isdecimal() and len(said) <= _DIGITS else 1


def _steps(root: LexborNode) -> Iterator[tuple[LexborNode, bool]]:
    """All elements and texts that are seen, in order; elements as they are entered and as they are left."""
    pending: list[tuple[LexborNode, bool]] = [(root, True)]
    while pending:
        node, enters = pending.pop()
        yield node, enters
        if not enters or node.tag == "-text":
            continue
        pending.append((node, False))
        children: list[tuple[LexborNode, bool]] = []
        child = node.child
        while child is not None:
            if child.tag == "-text" or not _is_hidden(child):
                children.append((child, True))
            child = child.next
        pending += reversed(children)


def _is_hidden(node: LexborNode) -> bool:
    if node.tag is None or node.tag in _UNREAD or node.tag.startswith("-"):
        return True
    said = node.attributes
    return "hidden" in said or _HIDDEN.search(said.get("style") or "") is not None
