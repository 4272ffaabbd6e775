"""
Documents of word processors (Office Open XML).

Rules held here: paragraphs and tables come in the order of the body, footnotes after it; what is not shown is not read: hidden text,
deleted and moved-away text of tracked changes, comments, codes of fields; headers and footers of pages are not read.
"""

import io

from collections.abc import Iterator
from typing import Any, Final

import docx

from docx.oxml import parse_xml

from adapters.documents.limits import ReadingLimits
from adapters.documents.parts.draft import DocumentDraft
from adapters.documents.parts.numbers import ParagraphNumbers, value_of
from adapters.documents.parts.packages import check_package
from gateway.model.knowledge.document import ReadDocument

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_PART: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_UNREAD: Final = frozenset(
    {f"{_W}del", f"{_W}moveFrom", f"{_W}instrText", f"{_W}delText", f"{_W}txbxContent", f"{_MC}Fallback"}
)
_OFF: Final = frozenset({"0", "false", "off", "none"})
_CHARACTERS: Final = {
    f"{_W}tab": "\t",
    f"{_W}br": "\n",
    f"{_W}cr": "\n",
    f"{_W}noBreakHyphen": "-",
}
_BODY_LEVEL: Final = 9
"""An outline level from which a paragraph is text."""


class DocxReader:
    """A `gateway.ports.knowledge.Reader` of word processors' documents."""

    def __init__(self, limits: ReadingLimits) -> None:
        """
        Args:
            limits: of one file.
        """
        self._limits = limits

    @property
    def media_types(self) -> frozenset[str]:
        return frozenset({"application/vnd.openxmlformats-officedocument.wordprocessingml.document"})

    def read(self, body: bytes) -> ReadDocument:
        check_package(body, self._limits)
        document = docx.Document(io.BytesIO(body))
        roots = {
            relation.reltype.removeprefix(_PART): relation.target_part
            for relation in document.part.rels.values()
            if not relation.is_external and relation.reltype.startswith(_PART)
        }
        draft = DocumentDraft(self._limits)
        _Body(draft, _root(roots.get("styles")), ParagraphNumbers(_root(roots.get("numbering")))).read(
            document.element.body, _root(roots.get("footnotes"))
        )
        return draft.done(document.core_properties.title)


def _root(part: Any) -> Any:  # noqa: ANN401 - parts and elements have no types
    if part is None:
        return None
    return part.element if hasattr(part, "element") else parse_xml(part.blob)


class _Body:
    """A body being read."""

    def __init__(self, draft: DocumentDraft, styles: Any, numbering: ParagraphNumbers) -> None:  # noqa: ANN401 - as above
        self._draft = draft
        found = styles.findall(f"{_W}style") if styles is not None else []
        self._styles = {style.get(f"{_W}styleId"): style for style in found}
        self._default = next((one.get(f"{_W}styleId") for one in found if _is_default(one)), None)
        self._numbering = numbering

    def read(self, body: Any, footnotes: Any) -> None:  # noqa: ANN401 - as above
        """Add all that is shown of a body, and then its footnotes."""
        for element in _shown_blocks(body):
            self._block(element)
        for note in footnotes.findall(f"{_W}footnote") if footnotes is not None else ():
            if note.get(f"{_W}type") in {None, "normal"}:
                for element in _shown_blocks(note):
                    self._block(element)

    def _block(self, element: Any) -> None:  # noqa: ANN401 - as above
        if element.tag == f"{_W}tbl":
            rows = list(self._rows(element))
            self._draft.table(rows, headed=element.find(f".//{_W}tblHeader") is not None)
        else:
            self._paragraph(element)

    def _rows(self, table: Any) -> Iterator[list[str]]:  # noqa: ANN401 - as above
        for row in _shown_blocks(table, f"{_W}tr"):
            if row.find(f"{_W}trPr/{_W}del") is not None:
                continue
            cells = [self._cell(cell) for cell in _shown_blocks(row, f"{_W}tc")]
            self._draft.count_cells(len(cells))
            yield cells

    def _cell(self, cell: Any) -> str:  # noqa: ANN401 - as above
        return " ".join(self._text(one) for one in cell.iter(f"{_W}p") if not _is_left_out(one, cell))

    def _paragraph(self, paragraph: Any) -> None:  # noqa: ANN401 - as above
        # Text boxes are anchored in a paragraph, and are read after it.
        boxes = [box for box in paragraph.iter(f"{_W}txbxContent") if not _is_left_out(box, paragraph)]
        text = self._text(paragraph)
        mark = self._mark(paragraph) if text.strip() else None
        said = f"{mark} {text}" if mark else text
        level = self._level(paragraph)
        if level is not None:
            self._draft.add("heading", said, level=level)
        else:
            self._draft.add("paragraph" if mark is None else "item", said)
        for box in boxes:
            for element in _shown_blocks(box):
                self._block(element)

    def _text(self, paragraph: Any) -> str:  # noqa: ANN401 - as above
        said: list[str] = []
        pending = [paragraph]
        while pending:
            element = pending.pop()
            if element.tag == f"{_W}t":
                said.append(element.text or "")
            elif element.tag in _CHARACTERS:
                said.append(_CHARACTERS[element.tag])
            elif element.tag not in _UNREAD and not self._is_hidden(element):
                pending += [one for one in reversed(element) if one.tag != f"{_W}pPr"]
        return "".join(said)

    def _is_hidden(self, element: Any) -> bool:  # noqa: ANN401 - as above
        if element.tag == f"{_W}p":
            return any(map(_vanishes, self._with_bases(value_of(element, "pPr", "pStyle") or self._default)))
        if element.tag != f"{_W}r":
            return False
        own = element.find(f"{_W}rPr/{_W}vanish")
        if own is not None:
            return own.get(f"{_W}val") not in _OFF
        return any(map(_vanishes, self._with_bases(value_of(element, "rPr", "rStyle"))))

    def _level(self, paragraph: Any) -> int | None:  # noqa: ANN401 - as above
        """Level of a heading by its own outline level or its style's; the title of the document is the highest."""
        own = value_of(paragraph, "pPr", "outlineLvl")
        styles = list(self._with_bases(value_of(paragraph, "pPr", "pStyle")))
        said = [own, *(value_of(style, "pPr", "outlineLvl") for style in styles)]
        level = next((int(one) for one in said if one is not None and one.isdecimal() and len(one) == 1), None)
        if level is not None:
            return level + 1 if level < _BODY_LEVEL else None
        names = [(value_of(style, "name") or "").casefold() for style in styles]
        return 1 if "title" in names else None

    def _mark(self, paragraph: Any) -> str | None:  # noqa: ANN401 - as above
        """Number or bullet of an item; None of a paragraph that is none."""
        for owner in (paragraph, *self._with_bases(value_of(paragraph, "pPr", "pStyle"))):
            number = value_of(owner, "pPr", "numPr", "numId")
            if number is not None:
                return self._numbering.next(number, value_of(owner, "pPr", "numPr", "ilvl")) or None
        return None

    def _with_bases(self, style: str | None) -> Iterator[Any]:
        """A style and those that it is based on."""
        seen: set[str] = set()
        while style is not None and style in self._styles and style not in seen:
            seen.add(style)
            yield self._styles[style]
            style = value_of(self._styles[style], "basedOn")


def _shown_blocks(parent: Any, *tags: str) -> Iterator[Any]:  # noqa: ANN401 - as above
    """Blocks in order, those within controls and insertions too."""
    wanted = tags or (f"{_W}p", f"{_W}tbl")
    pending = list(reversed(parent))
    while pending:
        element = pending.pop()
        if element.tag in wanted:
            yield element
        elif element.tag in {f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}moveTo", f"{_W}customXml"}:
            pending += reversed(element)


def _is_left_out(element: Any, top: Any) -> bool:  # noqa: ANN401 - as above
    """Whether something between an element and the one it is looked for in leaves it out."""
    above = element.getparent()
    while above is not None and above is not top:
        if above.tag in _UNREAD:
            return True
        above = above.getparent()
    return False


def _is_default(style: Any) -> bool:  # noqa: ANN401 - as above
    return style.get(f"{_W}type") == "paragraph" and style.get(f"{_W}default") in {"1", "true"}


def _vanishes(style: Any) -> bool:  # noqa: ANN401 - as above
    hidden = style.find(f"{_W}rPr/{_W}vanish")
    return hidden is not None and hidden.get(f"{_W}val") not in _OFF
