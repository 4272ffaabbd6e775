"""
What a session carries over from turn to turn, and the port to where it is kept.

Rules held here: what is carried over comes in again as a candidate and is decided on, screened and recorded like every other
item; a turn is named by the caller, so that asking for it again gives the same bytes; nothing here reads a clock.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from gateway.content.unique import unique
from gateway.model import Candidate
from gateway.model.session import Segment, Session
from gateway.prompt.segments import segment_id

LibraryUpdates = Literal["fresh", "stable"]
"""When something carried over is attached again with other content: change it in place, or keep the prefix and add it."""

CARRIED = "@library"


def carried_into(
    session: Session, items: Sequence[Candidate], updates: LibraryUpdates, sections: Sequence[str]
) -> Session:
    """
    The session with the candidates of its library, among those that a turn brings.

    Args:
        session: as it was opened.
        items: what the turn brings.
        updates: what becomes of content that changed.
        sections: of items that the library takes.
    """
    if session.before is None:
        return session
    taken = {item.id for item in items}
    found_for = _matches(session.before.segments, [item for item in items if item.section in sections])
    carried: list[Candidate] = []
    library: dict[str, Segment] = {}
    attached, newer = set[str](), dict[str, str]()
    for segment in session.before.segments:
        found = found_for.get(segment.id)
        if found is not None and (updates == "fresh" or _same(found, segment.item)):
            library[found.id] = segment.model_copy(update={"item": found, "newer": None})
            attached.add(found.id)
            continue
        # It stays as it was, and so does the prefix; a newer version comes in beside it and is shown to replace it.
        item = _named(segment.item, taken)
        carried.append(item)
        library[item.id] = segment
        if found is not None:
            newer[found.id] = segment.id
        elif segment.newer is not None:
            # Replaced in an earlier turn and not mentioned in this one: without it the model would read the outdated one alone.
            again = _named(segment.newer, taken)
            carried.append(again)
            newer[again.id] = segment.id
    return Session(
        name=session.name,
        turn=session.turn,
        before=session.before,
        carried=tuple(carried),
        library=library,
        attached=frozenset(attached),
        newer=newer,
    )


def _matches(segments: Sequence[Segment], items: Sequence[Candidate]) -> dict[str, Candidate]:
    """
    By segment, the item of this turn that is attached again: the one with the same content, else the only one of its name where
    it is the only segment of that name.  Chunks of one section have one name, so a name alone is not enough.
    """
    found: dict[str, Candidate] = {}
    left = {item.id: item for item in items}
    # Contents of all segments before any name: by its name one could take what another one has word for word.
    for segment in segments:
        same = next((item for item in left.values() if _same(item, segment.item)), None)
        if same is not None:
            found[segment.id] = left.pop(same.id)
    named = Counter(segment_id(item) for item in left.values())
    waiting = Counter(segment_id(segment.item) for segment in segments if segment.id not in found)
    by_name = {segment_id(item): item for item in left.values()}
    for segment in segments:
        name = segment_id(segment.item)
        if segment.id not in found and named[name] == waiting[name] == 1:
            found[segment.id] = by_name[name]
    return found


def _same(left: Candidate, right: Candidate) -> bool:
    return left.digest == right.digest


def _named(item: Candidate, taken: set[str]) -> Candidate:
    """The item under an id that no other item of the turn has."""
    name = unique(item.id, taken, CARRIED)
    taken.add(name)
    return item if name == item.id else item.model_copy(update={"id": name})
