"""Stage: which layer of the prompt does each piece stand in, and under which name?"""

from collections.abc import Sequence

from gateway.content.unique import unique
from gateway.model import Piece, Ruling, Selection
from gateway.model.envelope import SegmentReport
from gateway.model.registry import Library
from gateway.model.session import Session
from gateway.prompt.blocks import notice, stub
from gateway.prompt.segments import segment_id
from gateway.prompt.shorten import shortened


def layer(selection: Selection, rulings: Sequence[Ruling], session: Session, library: Library) -> Selection:
    """
    Name every piece for all turns of its session, put it in its layer, and add what stands around the items.

    Args:
        selection: what was ranked.
        rulings: all of them; what was quarantined is shown as a stub.
        session: what the library holds.
        library: how it shortens what it holds.
    """
    order = {segment.id: index for index, segment in enumerate(session.before.segments if session.before else ())}
    # From the start what the library has: a new chunk under the name of a carried one would be taken for it in the next turn.
    taken = {segment.id for segment in session.library.values()}
    kept = tuple(_placed(piece, session, order, taken, library) for piece in selection.kept)
    aside = [(number, one) for number, one in enumerate(rulings, 1) if one.outcome == "quarantined"]
    stubs = [stub(number, ruling.codes) for number, ruling in aside]
    return selection.model_copy(update={"kept": kept, "around": (*stubs, *notices(selection))})


def notices(selection: Selection) -> list[SegmentReport]:
    """What the model is told of warnings, each once; policy says of which."""
    told = {warning.code: warning for warning in selection.warnings if warning.code in selection.told.tell_the_model}
    return [notice(warning) for warning in told.values()]


def _placed(piece: Piece, session: Session, order: dict[str, int], taken: set[str], library: Library) -> Piece:
    item = piece.ruling.item
    if item.id in session.library:
        segment, attached = session.library[item.id], item.id in session.attached
        change = {"segment": segment.id, "layer": "L2", "carried": order[segment.id], "attached": attached}
        placed = piece.model_copy(update=change)
        return placed if attached or segment.form == "full" else shortened(placed, library)
    if item.id in session.newer:
        return piece.model_copy(update={"segment": session.newer[item.id], "form": "override"})
    name = unique(segment_id(item), taken, "'")
    taken.add(name)
    return piece.model_copy(update={"segment": name, "layer": piece.place.layer})
