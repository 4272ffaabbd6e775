"""Tables of the documents, and how rows are read as what the ports say."""

import json

from collections.abc import Sequence
from typing import Any, Final

from gateway.model.base import RecordProof
from gateway.model.knowledge.version import DocumentVersion, KnownChunk
from gateway.model.request import Provenance
from gateway.ports.documents import KeptVersion, Origin
from gateway.ports.knowledge import Indexed

SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
INSERT INTO counters VALUES ('epoch', 0) ON CONFLICT DO NOTHING;
CREATE TABLE IF NOT EXISTS origins (
  id INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, corpus TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
  verified_at TEXT NOT NULL, UNIQUE (tenant, corpus, kind, name)
);
CREATE TABLE IF NOT EXISTS versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, corpus TEXT NOT NULL, document TEXT NOT NULL,
  status TEXT NOT NULL, source_id TEXT, named_version TEXT, labels TEXT NOT NULL, metadata TEXT, digest TEXT NOT NULL,
  media_type TEXT NOT NULL, title TEXT, codes TEXT NOT NULL, origin INTEGER NOT NULL REFERENCES origins, place TEXT,
  added_at TEXT NOT NULL, ended_at TEXT, purged INTEGER NOT NULL DEFAULT 0, record TEXT NOT NULL, salt TEXT NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS one_is_found ON versions (tenant, corpus, document) WHERE status = 'accepted';
CREATE INDEX IF NOT EXISTS versions_of ON versions (tenant, corpus, document);
CREATE INDEX IF NOT EXISTS versions_by_source ON versions (tenant, source_id);
CREATE TABLE IF NOT EXISTS tuples (
  id INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, key TEXT NOT NULL, labels TEXT NOT NULL,
  origin INTEGER NOT NULL REFERENCES origins, UNIQUE (tenant, key)
);
CREATE TABLE IF NOT EXISTS chunks (
  id INTEGER PRIMARY KEY AUTOINCREMENT, version INTEGER NOT NULL REFERENCES versions, number INTEGER NOT NULL,
  tuple INTEGER NOT NULL REFERENCES tuples, text TEXT NOT NULL, path TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
  repeats INTEGER NOT NULL, first_page INTEGER, last_page INTEGER, content TEXT NOT NULL, UNIQUE (version, number)
);
CREATE INDEX IF NOT EXISTS chunks_of_tuples ON chunks (tuple, version);
CREATE TABLE IF NOT EXISTS findings (
  tenant TEXT NOT NULL, digest TEXT NOT NULL, screening TEXT NOT NULL, detector TEXT NOT NULL, found TEXT NOT NULL,
  PRIMARY KEY (tenant, digest, screening, detector)
) WITHOUT ROWID;
"""
"""Ids are never used again; `chunks.content` is the digest that findings in the chunk are kept under."""

VERSION: Final = """
v.id, v.tenant, v.corpus, v.document, v.labels, v.metadata, v.digest, v.media_type, v.title, v.status, v.codes, v.origin,
v.added_at, o.verified_at, o.kind, o.name, v.place, v.record, v.salt, v.ended_at, v.purged
"""
"""Columns that `version_of` and `kept_of` take."""

FROM_VERSIONS: Final = "FROM versions v JOIN origins o ON o.id = v.origin"

CHUNK: Final = "c.id, c.tuple, c.text, c.path, c.start, c.end, c.repeats, c.first_page, c.last_page"
"""Columns that `chunk_of` takes before those of the version."""


def labels_of(text: str, verified_at: str) -> Provenance:
    """Labels as they are kept, with the time that their origin says."""
    return Provenance.model_validate_json(text).model_copy(update={"fetched_at": verified_at})


def version_of(row: Sequence[Any]) -> DocumentVersion:
    """A version of its row."""
    return DocumentVersion(
        id=row[0],
        tenant=row[1],
        corpus=row[2],
        document=row[3],
        labels=labels_of(row[4], row[13]),
        metadata=None if row[5] is None else json.loads(row[5]),
        digest=row[6],
        media_type=row[7],
        title=row[8],
        status=row[9],
        codes=tuple(json.loads(row[10])),
        origin=row[11],
        added_at=row[12],
    )


def kept_of(row: Sequence[Any]) -> KeptVersion:
    """A version of its row, with the number of its chunks as the last column."""
    proof = RecordProof(record=row[17], salt=row[18])
    return KeptVersion(version_of(row), Origin(row[14], row[15]), row[16], proof, row[19], bool(row[20]), row[21])


def chunk_of(row: Sequence[Any], version: DocumentVersion) -> KnownChunk:
    """A chunk of its row."""
    pages = None if row[7] is None else (row[7], row[7] if row[8] is None else row[8])
    return KnownChunk(row[0], row[1], row[2], tuple(json.loads(row[3])), row[4], row[5], row[6], pages, version)


def indexed_of(row: Sequence[Any]) -> Indexed:
    """What an index is told of a chunk: id, tuple, text, path and the title of its document."""
    above = [row[4], *json.loads(row[3])] if row[4] else json.loads(row[3])
    return Indexed(row[0], row[1], row[2], " > ".join(dict.fromkeys(above)))
