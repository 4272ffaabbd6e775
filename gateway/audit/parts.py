"""What records have in common: who did what and when, what decided, and commitments with their erasable sides."""

import secrets

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gateway.content.labels import MEDIA_TYPE, labels_of
from gateway.model import Case, Finding, PackProvenance, PolicyVersion, Provenance, Ruling, utc_text, uuid7
from gateway.model.pseudonyms import keyed_label
from ledger.canonical import jcs
from ledger.erasable import Erasable, commit, fresh_salt
from ledger.record import FindingCount, ItemPart, PolicyPart, Record, SourcePart

SYSTEM_TENANT: Final = "-"
"""Tenant of what no person did, and of what concerns every tenant; no token can say it (`gateway.model.base.name_problem`)."""


@dataclass(frozen=True, slots=True)
class Act:
    """Who did something, when, and within which request: what all records of it have in common."""

    tenant: str
    subject: str | None
    """Token that stands for the person; None for what no person did."""

    at: str
    request_id: str
    trace_id: str
    agent: str | None = None
    purpose: str | None = None


def fresh_id(now: datetime) -> str:
    """A UUIDv7 of this moment."""
    return uuid7(now, secrets.token_bytes(10))


def act_of_case(case: Case, token: str | None) -> Act:
    """The request of a case; *token* stands for its person."""
    request = case.request
    return Act(
        case.subject.tenant,
        token,
        case.at,
        case.request_id,
        case.trace_id,
        agent=case.agent.id,
        purpose=request.purpose,
    )


def act_alone(
    now: datetime, tenant: str = SYSTEM_TENANT, token: str | None = None, *, trace_id: str | None = None
) -> Act:
    """What was done outside the pipeline, under a request id of its own."""
    own = fresh_id(now)
    return Act(tenant, token, utc_text(now), own, trace_id or own)


def act_on_pack(sealed: Record, token: str, now: datetime, trace_id: str | None) -> Act:
    """What is done about a sealed pack, under the request that it came from."""
    return Act(
        sealed.tenant,
        token,
        utc_text(now),
        sealed.request_id,
        trace_id or sealed.trace_id,
        agent=sealed.agent,
        purpose=sealed.purpose,
    )


def decided_by(version: PolicyVersion, entrypoint: str, commitment: str | None = None) -> PolicyPart:
    """What decided; *commitment* is to what it was asked."""
    return PolicyPart(
        revision=version.revision,
        engine=version.engine,
        engine_version=version.engine_version,
        entrypoint=entrypoint,
        input_commitment=commitment,
    )


def item_part(name: str, content: bytes, erasable: Erasable, media_type: str) -> ItemPart:
    """What is committed to, by the salt of its erasable side."""
    commitment = commit(erasable.item_salt or b"", content)
    return ItemPart(id=name, commitment=commitment, bytes=len(content), media_type=media_type)


def told_part(name: str, document: Mapping[str, str]) -> tuple[ItemPart, Erasable]:
    """What a person said or asked, committed to as canonical JSON, and kept whole in the erasable side."""
    content = jcs(dict(document))
    erasable = Erasable(item_salt=fresh_salt(), content=content)
    return item_part(name, content, erasable, "application/json"), erasable


def source_part(source: Provenance | PackProvenance, tier: int) -> SourcePart:
    """The labels of a source that are on record."""
    return SourcePart(
        id=source.source_id,
        version=source.version,
        tier=tier,
        jurisdiction=source.jurisdiction,
        classification=source.data_classification,
    )


def recorded(ruling: Ruling, case: Case) -> tuple[str, str, Provenance]:
    """Id, media type and labels of an item as records may repeat them."""
    item, renamed = ruling.item, ruling.renamed
    if not renamed:
        return item.id, item.media_type, item.provenance
    labels = {name: text for name, text in labels_of(item).items() if name in renamed}
    shown = {name: keyed_label(case.tenant_key, text) for name, text in labels.items()}
    source = {name: text for name, text in shown.items() if name in Provenance.model_fields}
    name, kind = shown.get("id", item.id), "application/octet-stream" if MEDIA_TYPE in shown else item.media_type
    return name, kind, item.provenance.model_copy(update=source)


def finding_counts(findings: Sequence[Finding]) -> tuple[FindingCount, ...]:
    """How often each type was found; never what."""
    counts = Counter(f"{finding.kind}:{finding.type}" for finding in findings)
    return tuple(FindingCount(type=name, count=count) for name, count in sorted(counts.items()))
