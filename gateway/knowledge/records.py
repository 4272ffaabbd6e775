"""
Records of acts on documents.

Rule held here: a record commits to what is kept of a version, under a salt that is kept with the version and not with the officer, and
holds neither text nor labels.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from gateway.audit.parts import Act, act_alone, decided_by, finding_counts, proved_part
from gateway.model import Finding, PolicyVersion, Subject
from gateway.model.base import RecordProof
from gateway.model.request import Provenance
from gateway.model.words.labels import Metadata
from gateway.policy.entrypoints import DOCUMENT
from gateway.ports.documents import KeptVersion
from gateway.ports.ledger import Ledger
from ledger.erasable import fresh_salt
from ledger.record import Draft, Kind

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


def document_act(  # noqa: PLR0917 - what a record has
    kind: Kind,
    act: Act,
    said: Mapping[str, Any],
    proof: RecordProof,
    policy: PolicyVersion,
    codes: Sequence[str] = (),
    findings: Sequence[Finding] = (),
    detectors: Mapping[str, str] | None = None,
) -> Draft:
    """Something was done to a document."""
    name = f"{said['corpus']}/{said['document']}"[:_LONGEST]
    return Draft(
        kind=kind,
        decision_id=act.request_id,
        trace_id=act.trace_id,
        request_id=act.request_id,
        tenant=act.tenant,
        subject=act.subject,
        at=act.at,
        item=proved_part(name, said, proof),
        policy=decided_by(policy, DOCUMENT.name),
        detectors=dict(detectors or {}),
        findings=finding_counts(findings),
        codes=tuple(codes),
    )


def corpus_synced(act: Act, corpus: str, proof: RecordProof, policy: PolicyVersion, verified: int) -> Draft:
    """A folder or a repository was looked at to its end; so many of its documents are as they were."""
    codes = (f"VERIFIED-{verified}",)
    return document_act("document.synced", act, {"corpus": corpus, "document": ""}, proof, policy, codes)
