"""
Taking documents back.

Rules held here: what is taken back is not found by the very next request; its text is deleted at once where that is asked for, or
once the corpus keeps it no longer.
"""

import asyncio

from collections.abc import Callable, Sequence
from datetime import timedelta

from gateway.audit.drafts import DocumentTold, document_purged, document_withdrawn
from gateway.audit.parts import Act
from gateway.errors import DocumentUnknownError
from gateway.knowledge.records import act_of, said_of_kept, told_of
from gateway.knowledge.room import KnowledgeRoom
from gateway.model import Subject, utc_text
from gateway.ports.documents import KeptVersion
from ledger.record import Draft


async def withdraw(room: KnowledgeRoom, corpus: str, document: str, officer: Subject, *, purge: bool = False) -> int:
    """
    Take a document back, what was set aside of it too; with *purge* all that is kept of its texts is deleted.

    Returns:
        How many versions were taken back or deleted.

    Raises:
        DocumentUnknownError: there is nothing to take back or to delete.

        RecordError, StoreError, IndexUnavailableError: it is not known whether it is done; do it again.
    """

    async def act() -> int:
        async with room.writing():
            kept = await asyncio.to_thread(room.store.versions, officer.tenant, corpus, document, history=True)
            held = [one for one in kept if one.version.status in {"accepted", "set_aside"}]
            texts = [one for one in kept if not one.purged] if purge else []
            if not held and not texts:
                raise DocumentUnknownError("there is no such document")
            await withdraw_kept(room, held, officer)
            await purge_kept(room, texts, officer)
            return len({one.version.id for one in (*held, *texts)})

    return await asyncio.shield(asyncio.ensure_future(act()))


async def withdraw_kept(room: KnowledgeRoom, held: Sequence[KeptVersion], officer: Subject) -> None:
    """Take versions back; by whoever holds the store."""
    for one in held:
        await _record(room, document_withdrawn, one, officer)
    if held:
        ids = [one.version.id for one in held]
        gone = await asyncio.to_thread(room.store.withdraw, ids, utc_text(room.clock()))
        await asyncio.to_thread(room.index.replace, gone, ())


async def purge_kept(room: KnowledgeRoom, texts: Sequence[KeptVersion], officer: Subject) -> int:
    """Delete texts of versions that are not found any more; by whoever holds the store."""
    for one in texts:
        await _record(room, document_purged, one, officer)
    return await asyncio.to_thread(room.store.purge, [one.version.id for one in texts]) if texts else 0


async def purge_overdue(room: KnowledgeRoom, corpus: str, days: int, officer: Subject) -> int:
    """Delete the texts of versions that a corpus keeps no longer; how many there were."""
    before = utc_text(room.clock() - timedelta(days=days))
    due = set(await asyncio.to_thread(room.store.over, officer.tenant, corpus, before))
    if not due:
        return 0
    kept = await asyncio.to_thread(room.store.versions, officer.tenant, corpus, history=True)
    return await purge_kept(room, [one for one in kept if one.version.id in due], officer)


async def _record(
    room: KnowledgeRoom, draft: Callable[[Act, DocumentTold], Draft], kept: KeptVersion, officer: Subject
) -> None:
    act, _ = await act_of(room.ledger, officer, room.clock())
    # Under the salt of the version itself, so that all records of it commit to the same.
    told = told_of(said_of_kept(kept), kept.proof, room.pinned().policy.version)
    await room.ledger.append([draft(act, told)])
