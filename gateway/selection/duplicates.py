"""Stage, part of ranking: the same said twice is said once, with attribution of who else says it."""

import re

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Final

from gateway.model import Attribution, Budgets, Loss, Piece
from gateway.model.content import content_text
from gateway.model.pack import Relation
from gateway.model.session import Session
from gateway.ports.packing import Likeness
from gateway.prompt.sections import FACTS

_FIGURE: Final = re.compile(r"(?<!\w)[^\W\d]*+\d[\w.,%-]*")
_NEGATION: Final = re.compile(r"\b(?:not|no|never|nor|none|without|cannot|except|unless|\w+n't)\b")

Pair = tuple[int, int]


def distinct(
    pieces: Sequence[Piece], budgets: Budgets, likeness: Likeness, session: Session
) -> tuple[list[Piece], list[Loss], list[tuple[str, str]]]:
    """
    Leave out repeats and near repeats in favour of the highest authority, and join overlapping chunks of one document.

    Texts that are nearly the same but name other figures or deny what the other says are no repeats: they contradict.

    Args:
        pieces: what may go into the pack.
        budgets: how alike is alike, and how long an overlap is.
        likeness: finds texts that are nearly the same.
        session: what it carries over stays as it is: of equals it is kept, and nothing is joined with it; newer versions of it are
            not compared.

    Returns:
        What stays, what goes, and pairs of ids of items that nearly say the same and contradict.
    """
    apart = [piece for piece in pieces if piece.ruling.item.id in session.newer]
    others = [piece for piece in pieces if piece.ruling.item.id not in session.newer]
    kept, repeats = _without(others, _same(others), "duplicate", session)
    alike, contrary = _alike(kept, budgets, likeness)
    kept, near = _without(kept, alike, "near_duplicate", session)
    # What the library holds stands in the prefix since an earlier turn, and joined to something it would have to move.
    held = [piece for piece in kept if piece.ruling.item.id in session.library]
    fresh = [piece for piece in kept if piece.ruling.item.id not in session.library]
    return [*_joined(fresh, budgets.overlap_characters), *held, *apart], [*repeats, *near], contrary


def comparable(piece: Piece) -> bool:
    """Whether the piece may be compared with others."""
    return FACTS[piece.ruling.item.section].in_sequence is None


def attributed(piece: Piece, other: Piece, relation: Relation) -> Piece:
    """The piece, saying that the other one, and those it speaks for, say it too."""
    source = other.ruling.item.provenance
    also = Attribution(
        item_id=other.ruling.item.id,
        decision_id=other.ruling.decision_id,
        relation=relation,
        source_id=source.source_id,
        version=source.version,
        doc_section=source.doc_section,
    )
    return piece.model_copy(update={"attributions": (*piece.attributions, also, *other.attributions)})


def _authority(piece: Piece, session: Session) -> tuple[int, bool, float, int]:
    return piece.ruling.authority_tier, piece.ruling.item.id not in session.library, -piece.score, piece.index


def _same(pieces: Sequence[Piece]) -> Iterator[Pair]:
    groups: dict[str, list[int]] = defaultdict(list)
    for index, piece in enumerate(pieces):
        if comparable(piece):
            groups[piece.ruling.item.digest].append(index)
    for indexes in groups.values():
        yield from combinations(indexes, 2)


def _alike(pieces: Sequence[Piece], budgets: Budgets, likeness: Likeness) -> tuple[list[Pair], list[tuple[str, str]]]:
    indexes = [index for index, piece in enumerate(pieces) if comparable(piece)]
    texts = [content_text(pieces[index].ruling.item.content) for index in indexes]
    alike, contrary = [], []
    for left, right in likeness.alike(texts, budgets.near_duplicate):
        if _claims(texts[left]) == _claims(texts[right]):
            alike.append((indexes[left], indexes[right]))
        else:
            contrary.append((pieces[indexes[left]].ruling.item.id, pieces[indexes[right]].ruling.item.id))
    return alike, contrary


def _claims(text: str) -> tuple[Counter[str], int]:
    """What must not differ between two wordings of one thing: figures, dates, references, and how often is denied."""
    plain = text.casefold()
    return Counter(figure.rstrip(".,-") for figure in _FIGURE.findall(plain)), len(_NEGATION.findall(plain))


def _without(
    pieces: Sequence[Piece], pairs: Iterator[Pair] | Sequence[Pair], relation: Relation, session: Session
) -> tuple[list[Piece], list[Loss]]:
    """One of each pair goes, in favour of one that stays."""
    kept = dict(enumerate(pieces))
    gone: dict[int, int] = {}
    for pair in pairs:
        if pair[0] in gone or pair[1] in gone:
            continue
        winner, loser = sorted(pair, key=lambda index: _authority(pieces[index], session))
        gone[loser] = winner
        kept[winner] = attributed(kept[winner], kept.pop(loser), relation)
    lost = [
        Loss(piece=pieces[loser], reason=relation, in_favour_of=pieces[_final(winner, gone)].ruling.item.id)
        for loser, winner in sorted(gone.items())
    ]
    return list(kept.values()), lost


def _final(index: int, gone: dict[int, int]) -> int:
    while index in gone:
        index = gone[index]
    return index


def _joined(pieces: Sequence[Piece], shortest: int) -> list[Piece]:
    """Chunks of one document where the end of one is the beginning of the next become one."""
    groups: dict[tuple[str | None, ...], list[Piece]] = defaultdict(list)
    for piece in pieces:
        source = piece.ruling.item.provenance
        if _joinable(piece):
            groups[source.source_id, source.version, piece.ruling.item.section].append(piece)
    changed: dict[int, Piece | None] = {}
    for group in groups.values():
        _join_all(group, shortest, changed)
    return [joined for piece in pieces if (joined := changed.get(piece.index, piece)) is not None]


def _joinable(piece: Piece) -> bool:
    source = piece.ruling.item.provenance
    fenced = piece.ruling.fence is not None
    return source.source_id is not None and isinstance(piece.content, str) and comparable(piece) and not fenced


def _join_all(group: list[Piece], shortest: int, changed: dict[int, Piece | None]) -> None:
    # From the start after every join: what was joined may now overlap a chunk that neither of the two did.
    while found := _first_overlap(group, shortest):
        left, right, text = found
        both = _both(left, right, text)
        group[:] = [both if one is left else one for one in group if one is not right]
        changed[right.index], changed[left.index] = None, both


def _first_overlap(group: Sequence[Piece], shortest: int) -> tuple[Piece, Piece, str] | None:
    """The first two pieces, in order, where the second goes on from the first, and both as one text."""
    for left, right in permutations(group, 2):
        text = overlap(str(left.content), str(right.content), shortest)
        if text is not None:
            return left, right, text
    return None


def _both(left: Piece, right: Piece, text: str) -> Piece:
    joined = (*left.joined, right, *right.joined)
    change = {"content": text, "score": max(left.score, right.score), "joined": joined}
    return attributed(left, right, "merged").model_copy(update=change)


def overlap(left: str, right: str, shortest: int) -> str | None:
    """Both texts as one, if the second begins where the first ends by at least so many characters, or within it."""
    if len(right) < shortest:
        return None
    start = left.find(right[:shortest])
    while start >= 0:
        shared = min(len(left) - start, len(right))
        if left[start : start + shared] == right[:shared]:
            return left[: start + shared] + (right[shared:] if start + shared == len(left) else left[start + shared :])
        start = left.find(right[:shortest], start + 1)
    return None
