"""Stage: what the library of the session holds comes in again as candidates, beside those that the turn brings."""

import asyncio

from collections.abc import Sequence
from dataclasses import replace

from gateway.model import Candidate
from gateway.model.registry import Library
from gateway.model.session import Segment, Session
from gateway.ports.knowledge import Documents
from gateway.sessions.carry import LibraryUpdates, carried_into


async def carry_over(
    session: Session,
    candidates: Sequence[Candidate],
    updates: LibraryUpdates,
    library: Library,
    *,
    tenant: str,
    documents: Documents | None = None,
) -> tuple[Session, list[Candidate]]:
    """
    The session with the candidates of its library, and all candidates of the turn with them; nothing of a document that was taken
    back, or replaced, since an earlier turn.

    Args:
        session: as it was resumed.
        candidates: what the turn brings.
        updates: what becomes of content that changed.
        library: which sections it takes.
        tenant: whose documents these may be.
        documents: the gateway's own; None where it keeps none.

    Raises:
        StoreError: whether a document is still in use cannot be told.
    """
    carried = carried_into(await _in_use(session, tenant, documents), candidates, updates, library.sections)
    return carried, [*candidates, *carried.carried]


async def _in_use(session: Session, tenant: str, documents: Documents | None) -> Session:
    if documents is None or session.before is None or not session.before.segments:
        return session
    segments = session.before.segments
    asked = [_named(item) for segment in segments for item in (segment.item, segment.newer or segment.item)]
    gone = await asyncio.to_thread(documents.withdrawn, tenant, asked)
    left = [
        _without(segment, newer_gone=gone[2 * place + 1])
        for place, segment in enumerate(segments)
        if not gone[2 * place]
    ]
    return replace(session, before=session.before.model_copy(update={"segments": tuple(left)}))


def _without(segment: Segment, *, newer_gone: bool) -> Segment:
    return segment.model_copy(update={"newer": None}) if segment.newer is not None and newer_gone else segment


def _named(item: Candidate) -> tuple[str, str | None]:
    return item.provenance.source_id or "", item.provenance.version
