"""Stage: what the library of the session holds comes in again as candidates, beside those that the turn brings."""

from collections.abc import Sequence

from gateway.model import Candidate
from gateway.model.registry import Library
from gateway.model.session import Session
from gateway.sessions.carry import LibraryUpdates, carried_into


def carry_over(
    session: Session, candidates: Sequence[Candidate], updates: LibraryUpdates, library: Library
) -> tuple[Session, list[Candidate]]:
    """
    The session with the candidates of its library, and all candidates of the turn with them.

    Args:
        session: as it was resumed.
        candidates: what the turn brings.
        updates: what becomes of content that changed.
        library: which sections it takes.
    """
    carried = carried_into(session, candidates, updates, library.sections)
    return carried, [*candidates, *carried.carried]
