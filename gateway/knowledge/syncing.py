"""
Keeping a corpus like a folder or a branch of a repository.

Rules held here: a file that is as it was costs a look at it; a file that is gone is taken back; what was taken in is as old as the
last time that the whole was looked at to its end, and what could not be taken in anew keeps the age that it had.
"""

import asyncio

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from gateway.audit.drafts import document_synced
from gateway.errors import (
    DocumentRefusedError,
    DocumentTooLargeError,
    DocumentUnreadableError,
    FieldInvalidError,
    SyncFailedError,
)
from gateway.knowledge.asking import OfferedDocument
from gateway.knowledge.beside import DEFAULTS, DescribedFiles, media_type_of, sidecar_of
from gateway.knowledge.records import act_of, told_of_corpus
from gateway.knowledge.room import KnowledgeRoom, corpus_of
from gateway.knowledge.taking_back import purge_overdue, withdraw_kept
from gateway.knowledge.taking_in import relabel, take_in
from gateway.model import Subject, utc_text
from gateway.ports.documents import FileTree, KeptVersion, Origin

_OF_THE_FILE = (DocumentRefusedError, DocumentTooLargeError, DocumentUnreadableError, FieldInvalidError)
"""What may be wrong with one file, and with no other."""


@dataclass(frozen=True, slots=True)
class NotTaken:
    """A file that could not be taken in."""

    place: str
    code: str
    reasons: tuple[str, ...]


@dataclass(slots=True)
class Synced:
    """What came of a sync: places in the folder or repository."""

    accepted: list[str] = field(default_factory=list)
    set_aside: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    not_taken: list[NotTaken] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    """Files of kinds that nothing reads."""

    purged: int = 0
    """Versions whose texts the corpus keeps no longer."""


async def sync(
    room: KnowledgeRoom,
    tree: FileTree,
    corpus: str,
    officer: Subject,
    step: Callable[[int, int], None] = lambda _done, _all: None,
) -> Synced:
    """
    Make a corpus like a tree, as far as policy lets its files in.

    Stopped at any moment, it goes on from there when it is called again.

    Args:
        room: what it works with.
        tree: the folder or the branch.
        corpus: where its files belong.
        officer: who does it.
        step: told after each file how many are done, of how many.

    Raises:
        SyncFailedError: the tree could not be read to its end; what was taken in before stays, and nothing counts as looked at.

        CorpusUnknownError, DetectorError, RecordError, StoreError, IndexUnavailableError: as in `take_in`.
    """
    entry, began = corpus_of(room.pinned().registry, corpus), room.clock()
    places = [one.place for one in await asyncio.to_thread(tree.files)]
    defaults = DescribedFiles.of(
        await asyncio.to_thread(tree.read, DEFAULTS, room.document_bytes) if DEFAULTS in places else b""
    )
    known = await asyncio.to_thread(room.store.of_origin, officer.tenant, corpus, tree.origin)
    done = Synced()
    wanted = [place for place in places if _is_document(place, places)]
    for number, place in enumerate(wanted):
        await _one(room, tree, corpus, officer, place, defaults, places, known, done)
        step(number + 1, len(wanted))
    async with room.writing():
        missing = [kept for place, kept in known.items() if place not in wanted]
        await withdraw_kept(room, missing, officer)
        done.withdrawn += sorted(str(one.place) for one in missing)
        act, proof = await act_of(room.ledger, officer, room.clock())
        told = told_of_corpus(corpus, proof, room.pinned().policy.version, len(done.unchanged))
        await room.ledger.append([document_synced(act, told)])
        # Read from then on: a file may have changed while the others were looked at.
        await asyncio.to_thread(room.store.verified, officer.tenant, corpus, tree.origin, utc_text(began))
        done.purged = await purge_overdue(room, corpus, entry.retention_days, officer)
    return done


async def _one(  # noqa: PLR0917 - what a sync knows
    room: KnowledgeRoom,
    tree: FileTree,
    corpus: str,
    officer: Subject,
    place: str,
    defaults: DescribedFiles,
    places: Sequence[str],
    known: Mapping[str, KeptVersion],
    done: Synced,
) -> None:
    media_type = media_type_of(place)
    if media_type not in room.readers:
        done.passed_over.append(place)
        return
    try:
        body = await asyncio.to_thread(tree.read, place, room.document_bytes)
        beside = sidecar_of(place, places)
        words = await asyncio.to_thread(tree.read, beside, room.document_bytes) if beside else None
        said, body = await asyncio.to_thread(defaults.said_of, place, media_type, body, words)
        document = str(said.pop("document", place))
        taken = await take_in(
            room, OfferedDocument(corpus, document, body, media_type, said, tree.origin, place), officer
        )
    except _OF_THE_FILE as error:
        done.not_taken.append(NotTaken(place, error.code, tuple(error.reasons)))
        await _leave(room, known.get(place))
        return
    {"accepted": done.accepted, "set_aside": done.set_aside, "unchanged": done.unchanged}[taken.outcome].append(place)
    if taken.outcome == "set_aside":
        await _leave(room, known.get(place))


async def _leave(room: KnowledgeRoom, kept: KeptVersion | None) -> None:
    """What is in use is not what stands in the tree any more: it stays, as old as it was when it did."""
    if kept is None:
        return
    at = str(kept.version.labels.fetched_at)
    async with room.writing():
        await asyncio.to_thread(relabel, room, kept.version.id, Origin("left", str(kept.version.id)), None, at)


def _is_document(place: str, places: Sequence[str]) -> bool:
    """Whether a file is one for itself, and does not only say something of another one."""
    path = PurePosixPath(place)
    if path.suffix not in {".yaml", ".yml"}:
        return True
    if place == DEFAULTS:
        return False
    return not any(sidecar_of(other, (place,)) for other in places if other != place)


__all__ = ["NotTaken", "SyncFailedError", "Synced", "sync"]
