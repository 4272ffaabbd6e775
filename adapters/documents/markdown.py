"""
Markdown (CommonMark with tables).

Rules held here: HTML in it is read as a page's, so that what hides there is hidden here too; of front matter only the title is read.
"""

import re

from collections.abc import Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from adapters.documents.html import add_html
from adapters.documents.limits import ReadingLimits
from adapters.documents.parts.draft import DocumentDraft
from adapters.documents.text import decoded
from gateway.model.knowledge.document import ReadDocument

_FRONT: Final = "---\n"
_LONGEST_FRONT: Final = 20_000
_TITLE: Final = re.compile(r"(?m)^title:[ \t]*[\"']?([^\n\"']{1,300})")


class MarkdownReader:
    """A `gateway.ports.knowledge.Reader` of Markdown."""

    def __init__(self, limits: ReadingLimits) -> None:
        """
        Args:
            limits: of one file.
        """
        self._limits = limits

    @property
    def media_types(self) -> frozenset[str]:
        return frozenset({"text/markdown"})

    def read(self, body: bytes) -> ReadDocument:
        text = decoded(body).replace("\r\n", "\n")
        front, text = _parted(text)
        title = _TITLE.search(front)
        draft = DocumentDraft(self._limits)
        _Tokens(draft).add(MarkdownIt("commonmark").enable("table").parse(text))
        return draft.done(title.group(1) if title else None)


def _parted(text: str) -> tuple[str, str]:
    """Front matter and what follows it; an empty text where there is none."""
    end = text.find("\n" + _FRONT, len(_FRONT) - 1, _LONGEST_FRONT) if text.startswith(_FRONT) else -1
    return (text[len(_FRONT) : end + 1], text[end + 1 + len(_FRONT) :]) if end >= 0 else ("", text)


class _Tokens:
    """Tokens made blocks, as they come."""

    def __init__(self, draft: DocumentDraft) -> None:
        self._draft = draft
        self._numbers: list[int | None] = []
        self._mark = ""
        self._heading = 0
        self._rows: list[list[str]] | None = None

    def add(self, tokens: Sequence[Token]) -> None:
        """Add all that they say."""
        for token in tokens:
            if token.type in {"fence", "code_block"}:
                self._draft.add("code", token.content)
            elif token.type == "html_block":
                add_html(self._draft, token.content)
            elif token.type == "inline":
                self._said(token)
            else:
                self._structure(token)

    def _structure(self, token: Token) -> None:
        match token.type:
            case "heading_open":
                self._heading = int(token.tag[1:])
            case "heading_close":
                self._heading = 0
            case "ordered_list_open":
                self._numbers.append(int(token.attrs.get("start", 1)))
            case "bullet_list_open":
                self._numbers.append(None)
            case "ordered_list_close" | "bullet_list_close":
                self._numbers.pop()
            case "list_item_open":
                self._mark = self._next_mark()
            case "table_open":
                self._rows = []
            case "tr_open" if self._rows is not None:
                self._rows.append([])
            case "table_close" if self._rows is not None:
                self._draft.table(self._rows, headed=True)
                self._rows = None

    def _next_mark(self) -> str:
        number = self._numbers[-1]
        if number is None:
            return "- "
        self._numbers[-1] = number + 1
        return f"{number}. "

    def _said(self, token: Token) -> None:
        text = _plain(token.children or ())
        if self._rows is not None:
            self._rows[-1].append(text)
            self._draft.count_cells(1)
        elif self._heading:
            self._draft.add("heading", text, level=self._heading)
        else:
            # The first paragraph of an item has its mark; what follows in the item belongs to the list all the same.
            self._draft.add("item" if self._numbers else "paragraph", self._mark + text)
            self._mark = ""


def _plain(tokens: Sequence[Token]) -> str:
    """What inline tokens show: text, code, what stands for pictures; no tags, no addresses."""
    said: list[str] = []
    for token in tokens:
        if token.type in {"text", "code_inline", "image"}:
            said.append(token.content)
        elif token.type in {"softbreak", "hardbreak"}:
            said.append(" " if token.type == "softbreak" else "\n")
    return "".join(said)
