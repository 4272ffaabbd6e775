"""The layers of a prompt, what became of its prefix since the turn before, and what the next turn starts from."""

import hashlib

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from gateway.model import Piece, Ruling, Selection
from gateway.model.envelope import Envelope, Layer, LayerReport, PrefixReport, SegmentReport
from gateway.model.session import Prefix, PrefixEntry, Session
from gateway.prompt.blocks import around, reference
from gateway.prompt.meter import Meter, speaker

LAYERS: Final[tuple[Layer, ...]] = ("L1", "L2", "L3", "L4", "L5")

Change = Literal["first", "same", "extended", "broken"]


def envelope(
    selection: Selection, rulings: Sequence[Ruling], session: Session, meter: Meter, conversation: str | None
) -> Envelope:
    """
    How the pieces of a selection stand in the prompt.

    Args:
        selection: what fits, each piece in its layer.
        rulings: all of them, to tell why something is gone.
        session: what the library held before this turn.
        meter: counts the layers.
        conversation: the session that the request names.
    """
    layers = tuple(_report(layer, selection, meter) for layer in LAYERS)
    return Envelope(
        session_id=conversation,
        turn=session.turn if session.name else None,
        layers=tuple(one for one in layers if one.segments),
        prefix=_prefix_report(selection, rulings, session),
    )


def in_layer(layer: Layer, kept: Iterable[Piece]) -> list[Piece]:
    """The pieces of a layer in the order in which they are read."""
    mine = [piece for piece in kept if piece.layer == layer]
    if layer == "L2":
        return sorted(mine, key=lambda piece: piece.carried or 0)
    if layer == "L4":
        return mine
    return sorted(mine, key=lambda piece: piece.place.reading_order)


def _report(layer: Layer, selection: Selection, meter: Meter) -> LayerReport:
    pieces = in_layer(layer, selection.kept)
    segments = [SegmentReport(segment=p.segment, item_id=p.ruling.item.id, form=p.form) for p in pieces]
    beside: list[SegmentReport] = []
    if layer == "L3":
        # What is attached again stays in the library, since moving it would break the prefix: this turn points to it.
        library = in_layer("L2", selection.kept)
        beside = [*(found for piece in library if (found := reference(piece))), *selection.around]
    texts = [*(piece.text for piece in pieces), *map(around, beside)]
    tokens = sum(map(meter.text, texts))
    if layer == "L4":
        tokens += sum(meter.message(speaker(piece)) for piece in pieces if piece.text)
    digest = hashlib.sha256("\x00".join(texts).encode()).hexdigest()
    return LayerReport(layer=layer, digest=digest, tokens=tokens, segments=(*segments, *beside))


def prefix_of(selection: Selection) -> Prefix:
    """The part of the prompt that providers can cache, as digests."""
    system = "".join(piece.text for piece in in_layer("L1", selection.kept))
    library = tuple(
        PrefixEntry(
            segment=piece.segment,
            content=piece.ruling.item.digest,
            block=_sha256(piece.text),
            form=piece.form,
        )
        for piece in in_layer("L2", selection.kept)
    )
    return Prefix(system=_sha256(system), library=library)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _prefix_report(selection: Selection, rulings: Sequence[Ruling], session: Session) -> PrefixReport:
    now = prefix_of(selection)
    before = session.before.prefix if session.before else None
    text = "".join(piece.text for layer in LAYERS[:2] for piece in in_layer(layer, selection.kept))
    # An erasure took what there was to compare with; left unsaid, the turn would pass for a first one.
    reasons = set() if before is None else _reasons(before, now, selection, rulings, session)
    if session.before is not None and session.before.erased:
        reasons.add("erasure")
    return PrefixReport(digest=_sha256(text), change=_change(before, now, session), reasons=tuple(sorted(reasons)))


def _change(before: Prefix | None, now: Prefix, session: Session) -> Change:
    if before is None:
        return "broken" if session.before is not None and session.before.erased else "first"
    if before == now:
        return "same"
    known = len(before.library)
    # Providers cache from the first byte up to the first that differs: one block that moved is as bad as one that changed.
    blocks = [mark.block for mark in now.library[:known]]
    kept = before.system == now.system and blocks == [mark.block for mark in before.library]
    return "extended" if kept else "broken"


def _reasons(
    before: Prefix, now: Prefix, selection: Selection, rulings: Sequence[Ruling], session: Session
) -> set[str]:
    reasons = {"settings"} if before.system != now.system else set()
    marks = {mark.segment: mark for mark in now.library}
    known = {mark.segment for mark in before.library}
    if marks.keys() - known:
        reasons.add("attach")
    # What is new stands behind what was there and only extends the prefix; each of the others may break it for its own reason,
    # and whoever pays for the cache wants to know them all.
    for mark in before.library:
        found = marks.get(mark.segment)
        if found is None:
            reasons.add(_why_gone(mark.segment, selection, rulings, session))
        elif found.block != mark.block:
            reasons.add(_why_other(mark, found))
    return reasons


def _why_gone(segment: str, selection: Selection, rulings: Sequence[Ruling], session: Session) -> str:
    # Rulings and losses know an item by its id of this turn, the prefix knows it by a name that outlasts turns.
    names = {item for item, held in session.library.items() if held.id == segment}
    # Policy before budget: what may not be shown would be gone however much room there was.
    for ruling in rulings:
        if ruling.item.id in names and not ruling.usable:
            return "policy"
    cut = {loss.piece.ruling.item.id for loss in selection.lost if loss.reason == "budget"}
    return "budget" if names & cut else "content"


def _why_other(before: PrefixEntry, now: PrefixEntry) -> str:
    if before.form != now.form:
        return "compaction"
    return "policy" if before.content == now.content else "content"
