"""
Taking a document in.

Rules held here: policy is asked by labels alone before a text is looked at, and again with what was found, about the version that
would be replaced at that moment; what it says is on record before it takes effect; a version is found only once an index holds all
of it, and from that moment the one before it is not.
"""

import asyncio
import hashlib

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from gateway.audit.drafts import (
    DocumentTold,
    document_accepted,
    document_refused,
    document_set_aside,
    document_synced,
)
from gateway.audit.parts import Act
from gateway.concurrency.apart import apart
from gateway.errors import DocumentRefusedError, DocumentTooLargeError, DocumentUnreadableError
from gateway.knowledge.asking import Judged, OfferedDocument, ask_policy
from gateway.knowledge.described import described
from gateway.knowledge.records import act_of, said_of, told_of
from gateway.knowledge.room import KnowledgeRoom, corpus_of
from gateway.knowledge.screening import Seen, look, names_of
from gateway.model import Subject, utc_text
from gateway.model.knowledge.document import Chunk
from gateway.model.policy_answer import DocumentAnswer
from gateway.model.request import Provenance
from gateway.model.words.labels import Metadata
from gateway.policy.registries import PinnedBundle
from gateway.ports.documents import KeptVersion, NewVersion, Origin
from ledger.record import Draft

AUTOMATIC = "auto"
"""Said as a version: the time at which the document is taken in, where its place has no versions of its own."""

TakenAs = Literal["accepted", "set_aside", "unchanged"]


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What came of it."""

    corpus: str
    document: str
    outcome: TakenAs
    codes: tuple[str, ...] = ()
    chunks: int = 0
    record: str | None = None
    """Decision id in the ledger; None where nothing changed."""


async def take_in(room: KnowledgeRoom, offered: OfferedDocument, officer: Subject) -> TakenIn:
    """
    Take a file in as the version of a document that is found from now on, or set it aside.

    A file that is the very one in use, with the same labels, changes nothing; added by hand, it counts as looked at today.

    Raises:
        DocumentRefusedError: policy refuses it; on record.

        CorpusUnknownError, FieldInvalidError, DocumentUnreadableError, DocumentTooLargeError: it cannot be judged.

        DetectorError, RecordError, StoreError, IndexUnavailableError: nothing is changed.
    """
    if len(offered.body) > room.document_bytes:
        raise DocumentTooLargeError(f"a document has at most {room.document_bytes} bytes")
    pinned, now = room.pinned(), room.clock()
    corpus = corpus_of(pinned.registry, offered.corpus)
    labels, metadata = described(offered.said, offered.document, corpus, pinned.registry)
    digest = await apart(lambda: hashlib.sha256(offered.body).hexdigest())
    current = await asyncio.to_thread(room.store.current, officer.tenant, corpus.id, offered.document)
    if current is not None and _same(current, labels, metadata, digest):
        return await _looked_at(room, offered, current, officer, now, pinned)
    if labels.version == AUTOMATIC:
        labels = labels.model_copy(update={"version": _automatic(now)})
    judged = Judged(offered, corpus, labels, metadata, digest, None, (), Seen())
    answer = await ask_policy(pinned, judged, officer, current, now, "labels")
    if not answer.allow:
        await _refuse(room, pinned, judged, officer, now, answer)
    read = await asyncio.to_thread(room.reader(offered.media_type).read, offered.body)
    chunks = await asyncio.to_thread(room.chunked, read, labels, pinned.registry)
    if not chunks:
        raise DocumentUnreadableError("the file holds no text")
    names, texts = names_of(offered.document, labels, metadata, read.title), [chunk.text for chunk in chunks]
    seen = await look(room, pinned.registry, officer.tenant, names=names, texts=texts, wanted=answer.screen)
    judged = Judged(offered, corpus, labels, metadata, digest, read.title, chunks, seen)
    # Whoever asked may have gone away: what has begun ends all the same, and lets the others in only then.
    return await asyncio.shield(asyncio.ensure_future(_decided(room, pinned, judged, officer)))


async def _decided(room: KnowledgeRoom, pinned: PinnedBundle, judged: Judged, officer: Subject) -> TakenIn:
    async with room.writing():
        now, offered = room.clock(), judged.offered
        current = await asyncio.to_thread(room.store.current, officer.tenant, judged.corpus.id, offered.document)
        answer = await ask_policy(pinned, judged, officer, current, now, "content")
        if answer.outcome == "denied":
            await _refuse(room, pinned, judged, officer, now, answer)
        codes = tuple(sorted(denial.code for denial in answer.denials))
        if not answer.allow and await asyncio.to_thread(_is_set_aside, room, judged, officer.tenant, codes):
            return TakenIn(judged.corpus.id, offered.document, "set_aside", codes, len(judged.chunks))
        draft = document_accepted if answer.allow else document_set_aside
        new = await _recorded(room, pinned, judged, officer, now, draft, codes)
        await asyncio.to_thread(_take_effect, room, new, judged.chunks, None if answer.allow else codes)
        outcome: TakenAs = "accepted" if answer.allow else "set_aside"
        return TakenIn(judged.corpus.id, offered.document, outcome, codes, len(judged.chunks), new.proof.record)


def _is_set_aside(room: KnowledgeRoom, judged: Judged, tenant: str, codes: Sequence[str]) -> bool:
    """Whether the very same is set aside already, so that looking at it every day makes no new version of it."""
    kept = room.store.versions(tenant, judged.corpus.id, judged.offered.document)
    return any(
        one.version.status == "set_aside" and one.version.digest == judged.digest and one.version.codes == tuple(codes)
        for one in kept
    )


def _take_effect(room: KnowledgeRoom, new: NewVersion, chunks: Sequence[Chunk], codes: Sequence[str] | None) -> None:
    version = room.store.put(new, chunks, codes)
    if codes is None:
        room.index.replace((), room.store.indexed(version))
        room.index.replace(room.store.publish(version, new.added_at), ())


async def _looked_at(  # noqa: PLR0917 - what a step has
    room: KnowledgeRoom,
    offered: OfferedDocument,
    current: KeptVersion,
    officer: Subject,
    now: datetime,
    pinned: PinnedBundle,
) -> TakenIn:
    """The same file again; by hand it counts as looked at today, and in a sync its origin says so."""
    taken = TakenIn(offered.corpus, offered.document, "unchanged", (), current.chunks, None)
    wanted = offered.origin or today(now)
    if current.origin == wanted:
        return taken
    said = {"corpus": offered.corpus, "document": offered.document}
    act, proof = await act_of(room.ledger, officer, now)
    draft = document_synced(act, told_of(said, proof, pinned.policy.version, ("VERIFIED-1",)))

    async def move() -> None:
        async with room.writing():
            await room.ledger.append([draft])
            await asyncio.to_thread(relabel, room, current.version.id, wanted, offered.place, utc_text(now))

    await asyncio.shield(asyncio.ensure_future(move()))
    return TakenIn(offered.corpus, offered.document, "unchanged", (), current.chunks, act.request_id)


def relabel(room: KnowledgeRoom, version: int, origin: Origin, place: str | None, at: str) -> None:
    """Have another origin vouch for a version; its chunks are not found for a moment."""
    gone = room.store.moved(version, origin, place, at)
    room.index.replace(gone, room.store.indexed(version))


def today(now: datetime) -> Origin:
    """What vouches for what is added by hand."""
    return Origin("hand", now.astimezone(UTC).date().isoformat())


def _same(current: KeptVersion, labels: Provenance, metadata: Metadata | None, digest: str) -> bool:
    kept = current.version.labels.model_copy(update={"fetched_at": None})
    if labels.version == AUTOMATIC:
        labels = labels.model_copy(update={"version": kept.version})
    return current.version.digest == digest and kept == labels and current.version.metadata == metadata


def _automatic(now: datetime) -> str:
    moment = now.astimezone(UTC)
    return f"{moment:%Y%m%d}.{moment.hour * 3600 + moment.minute * 60 + moment.second}.{moment.microsecond}"


async def _recorded(  # noqa: PLR0917 - what a record has
    room: KnowledgeRoom,
    pinned: PinnedBundle,
    judged: Judged,
    officer: Subject,
    now: datetime,
    made: Callable[[Act, DocumentTold], Draft],
    codes: Sequence[str],
) -> NewVersion:
    """What is kept of the version, once it is on record."""
    offered, corpus, seen = judged.offered, judged.corpus, judged.seen
    act, proof = await act_of(room.ledger, officer, now)
    said = said_of(corpus.id, offered.document, judged.labels, judged.metadata, judged.digest, offered.media_type)
    await room.ledger.append([made(act, told_of(said, proof, pinned.policy.version, codes, seen))])
    return NewVersion(
        tenant=officer.tenant,
        corpus=corpus.id,
        document=offered.document,
        labels=judged.labels,
        metadata=judged.metadata,
        digest=judged.digest,
        media_type=offered.media_type,
        title=judged.title,
        origin=offered.origin or today(now),
        place=offered.place,
        added_at=utc_text(now),
        proof=proof,
    )


async def _refuse(  # noqa: PLR0917 - what a record has
    room: KnowledgeRoom, pinned: PinnedBundle, judged: Judged, officer: Subject, now: datetime, answer: DocumentAnswer
) -> None:
    codes = tuple(sorted(denial.code for denial in answer.denials))
    await _recorded(room, pinned, judged, officer, now, document_refused, codes)
    raise DocumentRefusedError("policy refuses the document", reasons=codes)
