"""Stage, where the person was erased while the request was under way: what it kept of the person goes again."""

from gateway.model import Subject
from gateway.model.pseudonyms import mark
from gateway.ports.stores import Artifacts, Sessions


async def forget(person: Subject, *, sessions: Sessions, artifacts: Artifacts, secret: bytes) -> None:
    """
    Delete the turn and the artifacts that were kept.

    Raises:
        AsideError: they are not known to be gone.
    """
    name = mark(secret, person.sub)
    await sessions.forget(person.tenant, name)
    await artifacts.forget(mark(secret, person.tenant), name)
