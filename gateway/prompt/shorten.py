"""What the library of a session holds, in less room."""

from typing import Final

from pydantic import JsonValue

from gateway.content.extract import GAP, extract, sentences
from gateway.model import Piece
from gateway.model.content import content_bytes, content_text
from gateway.model.registry import Library
from gateway.prompt.fence import fenced, quoted

_BEGIN: Final = "[extract of "
_END: Final = " characters]"


def shortened(piece: Piece, library: Library) -> Piece:
    """
    What the library holds, in less room: a digest that says how to fetch the whole, or of what cannot be fetched again a
    bounded extract; short texts that cannot be fetched again stay verbatim.
    """
    text = content_text(piece.content)
    if recoverable(piece, library):
        body, form = f"{digest_head(piece)}\n{extract(text, library.extract_characters)}", "digest"
    elif len(text) <= library.verbatim_characters:
        return piece
    else:
        body, form = f"{_BEGIN}{len(text)}{_END}\n{extract(text, library.verbatim_characters)}", "extract"
    shorter = piece.model_copy(update={"content": body, "form": form})
    return shorter if keeps_what_it_must(shorter, piece) else piece


def extract_heads(text: str, most: int) -> list[str]:
    """Lines as they stand above extracts, wherever they stand in a text: at most so many."""
    after = (part.partition(_END)[:2] for part in text.split(_BEGIN)[1 : most + 1])
    return [f"{_BEGIN}{count}{end}" for count, end in after if end and count.isascii() and count.isdigit()]


def digest_head(piece: Piece) -> str:
    """The line above a digest: how the whole is fetched again."""
    how = ", ".join(f"{name} {quoted(value)}" for name, value in _found_by(piece))
    return f"[digest; fetch again: {how}]"


def outside_head(piece: Piece, whole: JsonValue) -> str:
    """The line above an extract of what stays outside the pack, with the handle of the piece to the whole."""
    size = len(content_bytes(fenced(whole, piece.ruling.fence)))
    return f"[extract of {size} bytes; the whole: artifact {piece.artifact}]"


def keeps_what_it_must(shorter: Piece, whole: Piece) -> bool:
    """
    Whether what was shortened may stand for the whole: it is shorter, has the same name and fence, says how the whole is found
    again if it says that it can be, and everything else in it stands in the whole.
    """
    text, content = content_text(whole.content), content_text(shorter.content)
    # Looked at in the result and not left to whoever made it: an extract with a word that is not the source's own would be
    # cited as the source.
    head, _, body = content.partition("\n")
    hints = shorter.form != "digest" or all(quoted(value) in head for _, value in _found_by(whole))
    said = all(part in text for part in sentences(body.replace(GAP.strip(), "\n")))
    same = (shorter.segment, shorter.ruling.fence) == (whole.segment, whole.ruling.fence)
    return len(content) < len(text) and same and hints and said


def _found_by(piece: Piece) -> list[tuple[str, str]]:
    source = piece.ruling.item.provenance
    named = (("source", source.source_id), ("version", source.version), ("section", source.doc_section))
    return [(name, value) for name, value in named if value is not None]


def recoverable(piece: Piece, library: Library) -> bool:
    """Whether the item can be fetched again, by its source and version."""
    source = piece.ruling.item.provenance
    known = source.source_id is not None and source.version is not None
    return known and piece.ruling.source_type in library.recoverable_sources
