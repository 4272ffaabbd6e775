"""Stage, part of ranking: the same said twice is said once, with attribution of who else says it."""

import re

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gateway.model import Attribution, Budgets, Loss, Piece
from gateway.model.content import content_text
from gateway.model.pack import Relation
from gateway.model.session import Session
from gateway.ports.packing import Likeness

_FIGURE: Final = re.compile(r"(?<!\w)[^\W\d]*+\d[\w.,%-]*")
_NEGATION: Final = re.compile(r"\b(?:not|no|never|nor|none|without|cannot|except|unless|\w+n't)\b")

_ALIKE: Final = 8
"""Chunks with one beginning of which each text is held against the first, so that many alike cost no more than many."""

_TRIES: Final = 64
"""Places in a text at which another one may go on from it; where a beginning recurs more often, the text says little."""

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
    kept, repeats = _without(others, _same(others, session), "duplicate", session)
    alike, contrary = _alike(kept, budgets, likeness, session)
    kept, near = _without(kept, alike, "near_duplicate", session)
    # What the library holds stands in the prefix since an earlier turn, and joined to something it would have to move.
    held = [piece for piece in kept if piece.ruling.item.id in session.library]
    fresh = [piece for piece in kept if piece.ruling.item.id not in session.library]
    return [*_joined(fresh, budgets.overlap_characters), *held, *apart], [*repeats, *near], contrary


def comparable(piece: Piece) -> bool:
    """Whether the piece may be compared with others."""
    return not piece.place.in_order


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


def _same(pieces: Sequence[Piece], session: Session) -> Iterator[Pair]:
    """Of each content the strongest so far and the next: as many pairs as repeats."""
    best: dict[str, int] = {}
    for index, piece in enumerate(pieces):
        if not comparable(piece):
            continue
        digest = piece.ruling.item.digest
        if digest in best:
            yield best[digest], index
        best[digest] = min(best.get(digest, index), index, key=lambda place: _authority(pieces[place], session))


def _alike(
    pieces: Sequence[Piece], budgets: Budgets, likeness: Likeness, session: Session
) -> tuple[list[Pair], list[tuple[str, str]]]:
    # The strongest first: each text is held against so many of those before it, and among those must be what it yields to.
    indexes = [index for index, piece in enumerate(pieces) if comparable(piece)]
    indexes.sort(key=lambda index: _authority(pieces[index], session))
    texts = [content_text(pieces[index].ruling.item.content) for index in indexes]
    claims = [_claims(text) for text in texts]
    alike, contrary = [], []
    for near in likeness.alike(texts, budgets.near_duplicate):
        left, right = sorted(near, key=lambda place: indexes[place])
        if claims[left] == claims[right]:
            alike.append((indexes[left], indexes[right]))
        else:
            contrary.append((pieces[indexes[left]].ruling.item.id, pieces[indexes[right]].ruling.item.id))
    return sorted(alike), contrary


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
    """
    Each piece, in order, takes in those that go on from it, the first of them first, until none does.

    A beginning is looked up, and only in what a piece has gained: what did not go on from a text does not go on from a longer
    one at the same place, so that none before it need be asked again.
    """
    chunks = _Chunks(group, shortest, changed, defaultdict(list), set())
    for place, piece in enumerate(group):
        if len(str(piece.content)) >= shortest:
            chunks.heads[str(piece.content)[:shortest]].append(place)
    for place in range(len(group)):
        if place not in chunks.gone:
            chunks.take_in(place)


@dataclass(frozen=True, slots=True)
class _Chunks:
    """Chunks of one document while they are joined."""

    group: list[Piece]
    shortest: int
    changed: dict[int, Piece | None]
    heads: dict[str, list[int]]
    """Places by how the chunk there begins."""

    gone: set[int]
    """Places of chunks that another one took in."""

    def take_in(self, place: int) -> None:
        read, waiting = 0, set[int]()
        while True:
            text = str(self.group[place].content)
            waiting |= self._begun(text, read)
            waiting -= self.gone | {place}
            read = max(0, len(text) - self.shortest + 1)
            found = self._first_that_goes_on(text, sorted(waiting))
            if found is None:
                return
            right, joined = found
            self.gone.add(right)
            self.heads[str(self.group[right].content)[: self.shortest]].remove(right)
            self.changed[self.group[right].index] = None
            both = _both(self.group[place], self.group[right], joined)
            self.group[place] = self.changed[both.index] = both

    def _begun(self, text: str, start: int) -> set[int]:
        """Chunks whose beginning stands somewhere in a text from a place on."""
        found: set[int] = set()
        for at in range(start, len(text) - self.shortest + 1):
            if (head := text[at : at + self.shortest]) in self.heads:
                found.update(self.heads[head][:_ALIKE])
        return found

    def _first_that_goes_on(self, text: str, places: Iterable[int]) -> tuple[int, str] | None:
        for place in places:
            joined = overlap(text, str(self.group[place].content), self.shortest)
            if joined is not None:
                return place, joined
        return None


def _both(left: Piece, right: Piece, text: str) -> Piece:
    joined = (*left.joined, right, *right.joined)
    change = {"content": text, "score": max(left.score, right.score), "joined": joined}
    return attributed(left, right, "merged").model_copy(update=change)


def overlap(left: str, right: str, shortest: int) -> str | None:
    """Both texts as one, if the second begins where the first ends by at least so many characters, or within it."""
    if len(right) < shortest:
        return None
    head, start = right[:shortest], -1
    for _ in range(_TRIES):
        start = left.find(head, start + 1)
        if start < 0:
            return None
        shared = min(len(left) - start, len(right))
        # The end first: of a text that repeats itself the beginning fits everywhere.
        if left[start + shared - 1] == right[shared - 1] and left.startswith(right[:shared], start):
            return left[: start + shared] + (right[shared:] if start + shared == len(left) else left[start + shared :])
    return None
