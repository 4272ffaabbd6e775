"""Changes of the documents, each in the transaction of its caller."""

import json
import sqlite3

from collections.abc import Sequence

from gateway.knowledge.labels import tuple_key
from gateway.model.base import Name
from gateway.model.content import content_digest
from gateway.model.knowledge.document import Chunk
from gateway.model.request import Provenance
from gateway.ports.documents import NewVersion, Origin

_LONGEST = 200
"""Characters of a name."""

_CHUNK = ("version", "tuple", "number", "text", "path", "start", "end", "repeats", "first_page", "last_page", "content")


def _insert(table: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608 - constants


def put(db: sqlite3.Connection, new: NewVersion, chunks: Sequence[Chunk], codes: Sequence[str] | None) -> int:
    """A version with its chunks: set aside for its codes, or staged."""
    origin = _origin(db, new.tenant, new.corpus, new.origin, new.added_at)
    labels = new.labels.model_copy(update={"fetched_at": None})
    row = {
        "tenant": new.tenant,
        "corpus": new.corpus,
        "document": new.document,
        "status": "staged" if codes is None else "set_aside",
        "source_id": labels.source_id,
        "named_version": labels.version,
        "labels": labels.model_dump_json(exclude_none=True),
        "metadata": None if new.metadata is None else json.dumps(new.metadata),
        "digest": new.digest,
        "media_type": new.media_type,
        "title": new.title,
        "codes": json.dumps(list(codes or ())),
        "origin": origin,
        "place": new.place,
        "added_at": new.added_at,
        "record": new.proof.record,
        "salt": new.proof.salt,
    }
    inserted = db.execute(_insert("versions", tuple(row)), tuple(row.values()))
    version = int(inserted.lastrowid or 0)
    tuples: dict[str | None, int] = {}
    for chunk in chunks:
        section = doc_section(chunk)
        if section not in tuples:
            tuples[section] = _tuple(db, new.tenant, labels.model_copy(update={"doc_section": section}), origin)
        own = (chunk.number, chunk.text, json.dumps(chunk.path), chunk.start, chunk.end, chunk.repeats)
        pages = (chunk.first_page, chunk.last_page, content_digest(chunk.text))
        db.execute(_insert("chunks", _CHUNK), (version, tuples[section], *own, *pages))
    return version


def doc_section(chunk: Chunk) -> Name | None:
    """The title of the innermost section of a chunk as a label may say it; None where it stands in none."""
    title = " ".join("".join(one if one.isprintable() else " " for one in chunk.path[-1]).split()) if chunk.path else ""
    return title[:_LONGEST].strip() or None


def publish(db: sqlite3.Connection, version: int, at: str) -> list[int]:
    """The version is found from now on, and no other of its document; the chunks of the other one."""
    ((tenant, corpus, document),) = db.execute("SELECT tenant, corpus, document FROM versions WHERE id = ?", (version,))
    # What was set aside of the document before is answered by a version that was not.
    named = (tenant, corpus, document, version)
    olds = "tenant = ? AND corpus = ? AND document = ? AND id < ? AND status IN ('accepted', 'set_aside')"
    gone = _chunks(db, f"SELECT id FROM versions WHERE {olds}", named)  # noqa: S608 - constants
    db.execute(f"UPDATE versions SET status = 'superseded', ended_at = ? WHERE {olds}", (at, *named))  # noqa: S608 - constants
    db.execute("UPDATE versions SET status = 'accepted' WHERE id = ? AND status = 'staged'", (version,))
    _tick(db)
    return gone


def withdraw(db: sqlite3.Connection, versions: Sequence[int], at: str) -> list[int]:
    """Versions are not found any more."""
    gone: list[int] = []
    for version in versions:
        gone += _chunks(db, "SELECT ?", (version,))
        db.execute(
            "UPDATE versions SET status = 'withdrawn', ended_at = ? WHERE id = ? AND status IN ('accepted', 'set_aside')",
            (at, version),
        )
    _tick(db)
    return gone


def purge_texts(db: sqlite3.Connection, versions: Sequence[int]) -> int:
    """Delete chunks, titles, metadata and findings of versions that are not found; how many had any."""
    count = 0
    for version in versions:
        ended = "id = ? AND NOT purged AND status IN ('withdrawn', 'superseded')"
        if not db.execute(f"SELECT 1 FROM versions WHERE {ended}", (version,)).fetchone():  # noqa: S608 - constants
            continue
        # The same text may stand in another version, whose findings stay.
        db.execute(
            "DELETE FROM findings WHERE tenant = (SELECT tenant FROM versions WHERE id = ?) AND digest IN"
            " (SELECT content FROM chunks WHERE version = ? EXCEPT SELECT content FROM chunks WHERE version != ?)",
            (version, version, version),
        )
        db.execute("DELETE FROM chunks WHERE version = ?", (version,))
        db.execute("UPDATE versions SET purged = 1, title = NULL, metadata = NULL WHERE id = ?", (version,))
        count += 1
    db.execute("DELETE FROM tuples WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.tuple = tuples.id)")
    return count


def move(db: sqlite3.Connection, version: int, origin: Origin, place: str | None, at: str) -> list[int]:
    """A version belongs to another origin, and its chunks, under new ids, to that one's labels; their old ids."""
    ((tenant, corpus),) = db.execute("SELECT tenant, corpus FROM versions WHERE id = ?", (version,))
    target = _origin(db, tenant, corpus, origin, at)
    db.execute("UPDATE versions SET origin = ?, place = ? WHERE id = ?", (target, place, version))
    gone = _chunks(db, "SELECT ?", (version,))
    columns = "c.number, c.text, c.path, c.start, c.end, c.repeats, c.first_page, c.last_page, c.content"
    rows = db.execute(
        f"SELECT t.labels, {columns} FROM chunks c JOIN tuples t ON t.id = c.tuple WHERE c.version = ? ORDER BY c.id",  # noqa: S608
        (version,),
    ).fetchall()
    db.execute("DELETE FROM chunks WHERE version = ?", (version,))
    tuples = {
        text: _tuple(db, tenant, Provenance.model_validate_json(text), target) for text in {row[0] for row in rows}
    }
    db.executemany(_insert("chunks", _CHUNK), [(version, tuples[row[0]], *row[1:]) for row in rows])
    _tick(db)
    return gone


def verify(db: sqlite3.Connection, tenant: str, corpus: str, origin: Origin, at: str) -> None:
    """An origin was looked at."""
    id_ = _origin(db, tenant, corpus, origin, at)
    db.execute("UPDATE origins SET verified_at = max(verified_at, ?) WHERE id = ?", (at, id_))
    _tick(db)


def forget_staged(db: sqlite3.Connection) -> list[int]:
    """What was never published is gone."""
    staged = "SELECT id FROM versions WHERE status = 'staged'"
    gone = _chunks(db, staged, ())
    db.execute(f"DELETE FROM chunks WHERE version IN ({staged})")  # noqa: S608 - constants
    db.execute("DELETE FROM versions WHERE status = 'staged'")
    return gone


def _chunks(db: sqlite3.Connection, versions: str, values: Sequence[object]) -> list[int]:
    return [id_ for (id_,) in db.execute(f"SELECT id FROM chunks WHERE version IN ({versions}) ORDER BY id", values)]  # noqa: S608 - constants


def _origin(db: sqlite3.Connection, tenant: str, corpus: str, origin: Origin, at: str) -> int:
    named = (tenant, corpus, origin.kind, origin.name)
    db.execute("INSERT INTO origins VALUES (NULL, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", (*named, at))
    found = db.execute("SELECT id FROM origins WHERE tenant = ? AND corpus = ? AND kind = ? AND name = ?", named)
    return int(found.fetchone()[0])


def _tuple(db: sqlite3.Connection, tenant: str, labels: Provenance, origin: int) -> int:
    key = tuple_key(tenant, labels, origin)
    text = labels.model_dump_json(exclude_none=True, exclude={"fetched_at"})
    db.execute("INSERT INTO tuples VALUES (NULL, ?, ?, ?, ?) ON CONFLICT DO NOTHING", (tenant, key, text, origin))
    return int(db.execute("SELECT id FROM tuples WHERE tenant = ? AND key = ?", (tenant, key)).fetchone()[0])


def _tick(db: sqlite3.Connection) -> None:
    db.execute("UPDATE counters SET value = value + 1 WHERE name = 'epoch'")
