"""Stage, where the person was erased while the request was under way: what it kept of the person goes again."""

from gateway.model import Subject
from gateway.model.pseudonyms import keyed_name
from gateway.ports.stores import Artifacts, Sessions


async def forget(person: Subject, *, sessions: Sessions, artifacts: Artifacts, secret: bytes) -> None:
    """
    Delete the turn and the artifacts that were kept.

    Raises:
        StoreError: they are not known to be gone.
    """
    name = keyed_name(secret, person.sub)
    await sessions.forget(person.tenant, name)
    await artifacts.forget(keyed_name(secret, person.tenant), name)
