"""
Whether all that a piece of a pack says was released: looked at in the result, by none of the steps that made it.

A piece says what was released of its item, or what was released of several where one goes on from the other, or less of that: only
members that stand there, or only passages, under a head that the gateway writes itself.
"""

from typing import Final

from pydantic import JsonValue

from gateway.content.extract import GAP
from gateway.model import Piece
from gateway.model.content import content_bytes, content_text
from gateway.prompt.fence import shown
from gateway.prompt.shorten import digest_head, extract_heads, outside_head
from gateway.selection.duplicates import overlap

_GAP: Final = GAP.strip()
_HEADS: Final = 2


def derives(piece: Piece, shortest: int) -> bool:
    """
    Whether a piece, as the caller gets it, says nothing that was not released of its item and of those joined with it.

    Args:
        piece: counted, so that it is as the caller gets it.
        shortest: characters by which chunks must overlap to be joined.
    """
    whole = _whole(piece, shortest)
    handed_over = piece.item is not None and content_bytes(piece.item.content) == content_bytes(shown(piece))
    return handed_over and whole is not None and _said_in(piece, whole)


def _whole(piece: Piece, shortest: int) -> JsonValue:
    """What was released of a piece's item and of those joined with it, joined again; None where they do not go on from each other."""
    if not piece.joined:
        return piece.ruling.content
    texts: dict[int, str] = {}
    # Each stands before those that it took in, so that from the end every text is whole before it is needed.
    for one in reversed((piece, *piece.joined)):
        text, place = content_text(one.ruling.content), 0
        while place < len(one.joined):
            right = one.joined[place]
            both = overlap(text, texts[right.index], shortest)
            if both is None:
                return None
            text, place = both, place + 1 + len(right.joined)
        texts[one.index] = text
    return texts[piece.index]


def _said_in(piece: Piece, whole: JsonValue) -> bool:
    content = piece.content
    if content_bytes(content) == content_bytes(whole):
        return True
    if isinstance(content, dict):
        return isinstance(whole, dict) and all(
            name in whole and content_bytes(value) == content_bytes(whole[name]) for name, value in content.items()
        )
    text, said = content_text(whole), content_text(content)
    # What was shortened may be shortened again, with the head that it had before as one of its passages.
    heads = [digest_head(piece), outside_head(piece, whole), *extract_heads(said, _HEADS)]
    known = [_plain(text), *(_plain(f"{head}\n{below}") for head in heads for below in (text, *heads))]
    return all(any(_plain(part) in one for one in known) for part in said.split(_GAP))


def _plain(text: str) -> str:
    # Passages are joined by a blank where lines met, so blanks and ends of lines are one thing here.
    return " ".join(text.split())
