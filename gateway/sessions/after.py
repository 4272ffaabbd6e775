"""What the next turn of a session starts from."""

from gateway.content.unique import unique
from gateway.model import Candidate, Selection
from gateway.model.registry import Library
from gateway.model.session import Segment, Session, SessionState
from gateway.prompt.layers import in_layer, prefix_of
from gateway.prompt.segments import segment_id


def state_after(selection: Selection, session: Session, library: Library) -> SessionState:
    """
    What the next turn starts from: the library as it stands, and after it what this turn brought, as it came in: what of it may
    be shown is decided anew in every turn.

    Args:
        selection: what fits.
        session: what the library held before.
        library: what it takes.
    """
    newer = {
        session.newer[piece.ruling.item.id]: piece.ruling.item
        for piece in selection.kept
        if piece.ruling.item.id in session.newer
    }
    held = [
        Segment(id=piece.segment, item=piece.ruling.item, form=piece.form, newer=newer.get(piece.segment))
        for piece in in_layer("L2", selection.kept)
    ]
    names = {segment.id for segment in held}
    # What was joined is kept in the chunks that it came in, by which the next turn knows it again; an override is kept with what
    # it replaces, and what stayed outside the pack is in no prompt that could be carried on.
    fresh = [
        _new(one.ruling.item, one.segment, names)
        for piece in in_layer("L3", selection.kept)
        for one in (piece, *piece.joined)
        if piece.form != "override" and piece.artifact is None and one.ruling.item.section in library.sections
    ]
    return SessionState(turn=session.turn, segments=(*held, *fresh)[: library.segments], prefix=prefix_of(selection))


def _new(item: Candidate, name: str, taken: set[str]) -> Segment:
    # Two chunks of one section have one name, and a segment is what later turns ask for by its name.
    free = unique(name or segment_id(item), taken, "'")
    taken.add(free)
    return Segment(id=free, item=item)
