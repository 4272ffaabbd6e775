"""Stage: keep what the next turn of the session starts from."""

from gateway.concurrency.apart import apart
from gateway.model import Case, Selection
from gateway.model.registry import Library
from gateway.model.session import Session
from gateway.ports.stores import Sessions
from gateway.sessions.after import state_after


async def keep_turn(
    selection: Selection, session: Session, case: Case, *, sessions: Sessions, library: Library
) -> None:
    """
    Keep what the next turn of the session starts from, if the request is a turn of one.

    Raises:
        StoreError: it is not durable, so nothing may be released.
    """
    if session.name is not None:
        state = await apart(lambda: state_after(selection, session, library))
        await sessions.keep(case.subject.tenant, session.name, state, case.at)
