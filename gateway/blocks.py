"""
Pieces of context as the text that a model reads.

Rules held here: a block begins with `<` and ends with a line break, and after a line break no tokenizer of ours joins
what follows, so that tokens of blocks add up to those of the message; the mark in a block's tags is taken from its
content, which cannot hold its own hash; the same item gives the same bytes in every turn.
"""

import hashlib
import json

from collections.abc import Sequence
from typing import Final

from gateway.content import content_text
from gateway.digest import GAP, extract, sentences
from gateway.model import PackItem, Piece
from gateway.model.envelope import Layer, SegmentReport
from gateway.model.pack import PackProvenance, PackWarning
from gateway.model.registry import Library
from gateway.model.request import Provenance

LAYER_OF: Final[dict[str, Layer]] = {
    "system": "L1",
    "tool_schema": "L1",
    "few_shot": "L1",
    "knowledge": "L3",
    "entity": "L3",
    "tool_result": "L3",
    "prior_result": "L3",
    "memory": "L3",
    "upload": "L3",
    "conversation": "L4",
    "task": "L5",
    "user": "L5",
}
"""Where the items of a section stand when they come in; what the library carries over stands in L2."""

_CARRIED: Final = tuple(Provenance.model_fields.keys() & PackProvenance.model_fields.keys())
"""Labels that the caller's provenance and the tag have in common."""

_OVERRIDE: Final = '<notice code="OVERRIDE">What follows replaces its version in the library above.</notice>\n'


def block(item: PackItem, section: str) -> str:
    """An item between tags that its content cannot forge; untrusted content has marks of its own."""
    before = _OVERRIDE if item.form == "override" else ""
    text = content_text(item.content)
    if item.fenced:
        return f"{before}{text}\n"
    mark = hashlib.sha256(f"{item.segment}\x00{text}".encode()).hexdigest()[:12]
    return f"{before}<{section} {_labels(item)} mark={mark}>\n{text}\n</{section} mark={mark}>\n"


def _labels(item: PackItem) -> str:
    source = item.provenance
    named = {
        "id": item.segment,
        "source": source.source_id,
        "version": source.version,
        "tier": source.authority_tier,
        "trust": source.trust_class,
    }
    return " ".join(f"{name}={quoted(value)}" for name, value in named.items() if value is not None)


quoted: Final = json.JSONEncoder(ensure_ascii=False).encode
"""A label in one line, between quotation marks where it is text."""


def around(report: SegmentReport) -> str:
    """What stands in a prompt beside items."""
    name = quoted(report.segment)
    if report.form == "reference":
        return f"<attached id={name}>see the library above</attached>\n"
    if report.form == "stub":
        return f"<quarantined id={name}>{report.text}</quarantined>\n"
    return f"<notice code={name}>{report.text}</notice>\n"


def stub(item_id: str, codes: Sequence[str]) -> SegmentReport:
    """What is said of an item that was set aside for review."""
    text = f"set aside for review: {', '.join(codes)}"
    return SegmentReport(segment=item_id, item_id=None, form="stub", text=text)


def notice(warning: PackWarning) -> SegmentReport:
    """A warning that the model is to know of."""
    return SegmentReport(segment=warning.code, item_id=None, form="notice", text=warning.message)


def shortened(piece: Piece, library: Library) -> Piece:
    """
    What the library holds, in less room: a digest that says how to fetch the whole, or of what cannot be fetched again a
    bounded extract; short texts that cannot be fetched again stay verbatim.
    """
    before, text, after = inside(piece)
    if recoverable(piece, library):
        how = ", ".join(f"{name} {quoted(value)}" for name, value in _found_by(piece))
        body, form = f"[digest; fetch again: {how}]\n{extract(text, library.extract_characters)}", "digest"
    elif len(text) <= library.verbatim_characters:
        return piece
    else:
        body, form = f"[extract of {len(text)} characters]\n{extract(text, library.verbatim_characters)}", "extract"
    shorter = piece.model_copy(update={"content": before + body + after, "form": form})
    return shorter if keeps_what_it_must(shorter, piece) else piece


def inside(piece: Piece) -> tuple[str, str, str]:
    """The text of a piece, between the beginning and the end of its fence, which are empty where it has none."""
    text = content_text(piece.content)
    if not is_fenced(piece):
        return "", text, ""
    mark, label, *body, end = text.split("\n")
    return f"{mark}\n{label}\n", "\n".join(body), f"\n{end}"


def keeps_what_it_must(shorter: Piece, whole: Piece) -> bool:
    """
    Whether what was shortened may stand for the whole: it is shorter, has the same name and fence, says how the whole is found
    again if it says that it can be, and everything else in it stands in the whole.
    """
    (begin, text, end), (start, content, stop) = inside(whole), inside(shorter)
    head, _, body = content.partition("\n")
    hints = shorter.form != "digest" or all(quoted(value) in head for _, value in _found_by(whole))
    said = all(part in text for part in sentences(body.replace(GAP.strip(), "\n")))
    same = shorter.segment == whole.segment and (begin, end) == (start, stop)
    return len(content) < len(text) and same and hints and said


def _found_by(piece: Piece) -> list[tuple[str, str]]:
    source = piece.ruling.item.provenance
    named = (("source", source.source_id), ("version", source.version), ("section", source.doc_section))
    return [(name, value) for name, value in named if value is not None]


def recoverable(piece: Piece, library: Library) -> bool:
    """Whether the item can be fetched again, by its source and version."""
    source = piece.ruling.item.provenance
    known = source.source_id is not None and source.version is not None
    return known and source.source_type in library.recoverable_sources


def is_fenced(piece: Piece) -> bool:
    """Whether policy wants the content between marks of untrusted data."""
    return any(duty.type == "fence" for duty in piece.ruling.obligations)


def provenance_of(piece: Piece, digest: str) -> PackProvenance:
    """The provenance tag of a piece."""
    ruling = piece.ruling
    source = ruling.item.provenance
    return PackProvenance(
        **{name: getattr(source, name) for name in _CARRIED},
        authority_tier=ruling.authority_tier,
        trust_class=ruling.trust_class,
        chunk_hash=f"sha256:{digest}",
    )
