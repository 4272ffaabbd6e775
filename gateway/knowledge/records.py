"""
Records of acts on documents.

Rule held here: a record commits to what is kept of a version, under a salt that is kept with the version and not with the officer, and
holds neither text nor labels.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from gateway.audit.drafts import DocumentTold
from gateway.audit.parts import Act, act_alone, proved_part
from gateway.knowledge.screening import Seen
from gateway.model import PolicyVersion, Subject
from gateway.model.base import RecordProof
from gateway.model.request import Provenance
from gateway.model.words.labels import Metadata
from gateway.ports.documents import KeptVersion
from gateway.ports.ledger import Ledger
from ledger.erasable import fresh_salt

_LONGEST = 300


async def act_of(ledger: Ledger, officer: Subject, now: datetime) -> tuple[Act, RecordProof]:
    """
    The act for the record of one step of an officer, and the salt that goes with what the step decides.

    Raises:
        RecordError: the ledger has no token for the officer.
    """
    act = act_alone(now, officer.tenant, await ledger.subject_token(officer.tenant, officer.sub))
    return act, RecordProof(record=act.request_id, salt=fresh_salt().hex())


def said_of(  # noqa: PLR0917 - what a record commits to
    corpus: str, document: str, labels: Provenance, metadata: Metadata | None, digest: str, media_type: str
) -> dict[str, Any]:
    """What the record of a version commits to."""
    return {
        "corpus": corpus,
        "document": document,
        "labels": labels.model_dump(mode="json", exclude_none=True, exclude={"fetched_at"}),
        "metadata": sorted(metadata or ()),
        "digest": digest,
        "media_type": media_type,
    }


def said_of_kept(kept: KeptVersion) -> dict[str, Any]:
    """The same of a version that is kept."""
    one = kept.version
    return said_of(one.corpus, one.document, one.labels, one.metadata, one.digest, one.media_type)


def told_of(
    said: Mapping[str, Any],
    proof: RecordProof,
    policy: PolicyVersion,
    codes: Sequence[str] = (),
    seen: Seen | None = None,
) -> DocumentTold:
    """What a record says of a document; *seen* is what was found in it."""
    name = f"{said['corpus']}/{said['document']}"[:_LONGEST]
    found, detectors = (seen.findings, seen.detectors) if seen else ((), {})
    return DocumentTold(proved_part(name, said, proof), policy, tuple(codes), found, detectors)


def told_of_corpus(corpus: str, proof: RecordProof, policy: PolicyVersion, verified: int) -> DocumentTold:
    """What the record of a sync says: so many documents are as they were."""
    return told_of({"corpus": corpus, "document": ""}, proof, policy, (f"VERIFIED-{verified}",))
