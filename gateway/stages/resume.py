"""Stage: the session that a request is a turn of, as its last turn left it."""

from gateway.concurrency.apart import weigh_also
from gateway.model import PackRequest, Subject
from gateway.model.pseudonyms import keyed_name
from gateway.model.session import Session
from gateway.ports.stores import Sessions


async def resume(request: PackRequest, subject: Subject, *, sessions: Sessions, secret: bytes) -> Session:
    """
    The session that a request is a turn of; an empty one for a request that is none.

    Raises:
        StoreError: it cannot be told.
    """
    if request.turn is None or request.session_id is None:
        return Session()
    person = keyed_name(secret, subject.sub)
    name = f"{person}:{keyed_name(secret, subject.sub, request.session_id, request.agent_id)}"
    before = await sessions.before(subject.tenant, name, request.turn)
    weigh_also(segment.item.content for segment in (before.segments if before else ()))
    return Session(name=name, turn=request.turn, before=before)
