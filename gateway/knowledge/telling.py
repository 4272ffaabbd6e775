"""Versions of documents as officers see them: never their text, nor a salt."""

from typing import Any

from gateway.ports.documents import KeptVersion


def told(kept: KeptVersion) -> dict[str, Any]:
    """One version as a JSON object."""
    one = kept.version
    return {
        "corpus": one.corpus,
        "document": one.document,
        "status": one.status,
        "codes": list(one.codes),
        "labels": one.labels.model_dump(mode="json", exclude_none=True),
        "metadata": one.metadata or {},
        "title": one.title,
        "media_type": one.media_type,
        "digest": one.digest,
        "chunks": kept.chunks,
        "origin": {"kind": kept.origin.kind, "place": kept.place},
        "added_at": one.added_at,
        "ended_at": kept.ended_at,
        "purged": kept.purged,
        "record": kept.proof.record,
    }
