"""
Presentations (Office Open XML).

Rules held here: a slide is a page, its title a heading, and its notes follow it; hidden slides are not read.
"""

import io

from collections.abc import Iterable, Iterator
from typing import Any, Final

import pptx

from pptx.shapes.group import GroupShape

from adapters.documents.limits import ReadingLimits
from adapters.documents.parts.draft import DocumentDraft
from adapters.documents.parts.packages import check_package
from gateway.model.knowledge.document import ReadDocument

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


class PptxReader:
    """A `gateway.ports.knowledge.Reader` of presentations."""

    def __init__(self, limits: ReadingLimits) -> None:
        """
        Args:
            limits: of one file.
        """
        self._limits = limits

    @property
    def media_types(self) -> frozenset[str]:
        return frozenset({"application/vnd.openxmlformats-officedocument.presentationml.presentation"})

    def read(self, body: bytes) -> ReadDocument:
        check_package(body, self._limits)
        shown = pptx.Presentation(io.BytesIO(body))
        draft = DocumentDraft(self._limits)
        for number, slide in enumerate(shown.slides, 1):
            draft.page(number)
            if slide.element.get("show") not in {"0", "false"}:
                _add_slide(draft, slide, number)
        return draft.done(shown.core_properties.title)


def _add_slide(draft: DocumentDraft, slide: Any, number: int) -> None:  # noqa: ANN401 - python-pptx has no types
    title = slide.shapes.title
    if title is not None:
        draft.add("heading", title.text_frame.text.replace("\v", " "), level=1, page=number)
    for shape in _shapes(slide.shapes):
        if title is None or shape.shape_id != title.shape_id:
            _add_shape(draft, shape, number)
    if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
        draft.add("paragraph", slide.notes_slide.notes_text_frame.text, page=number)


def _shapes(shapes: Iterable[Any]) -> Iterator[Any]:
    """All shapes in their order, those of groups too; hidden ones are none."""
    pending = [iter(shapes)]
    while pending:
        shape = next(pending[-1], None)
        if shape is None:
            pending.pop()
        elif isinstance(shape, GroupShape):
            pending.append(iter(shape.shapes))
        elif not any(one.get("hidden") in {"1", "true"} for one in shape.element.iter("{*}cNvPr")):
            yield shape


def _add_shape(draft: DocumentDraft, shape: Any, number: int) -> None:  # noqa: ANN401 - as above
    if shape.has_table:
        rows = [[cell.text for cell in row.cells] for row in shape.table.rows]
        draft.count_cells(sum(map(len, rows)))
        draft.table(rows, headed=bool(shape.table.first_row), page=number)
    elif shape.has_text_frame:
        body = shape.is_placeholder and shape.placeholder_format.type is not None
        for paragraph in shape.text_frame.paragraphs:
            bullet = body or any(paragraph._p.iter(f"{_A}buChar", f"{_A}buAutoNum"))  # noqa: SLF001 - has no other way
            draft.add("item" if bullet else "paragraph", paragraph.text.replace("\v", "\n"), page=number)
