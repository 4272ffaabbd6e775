"""What records have in common: who did what and when, what decided, and commitments with their erasable sides."""

import hmac
import secrets

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gateway.content.labels import MEDIA_TYPE, labels_of
from gateway.model import Case, Finding, Model, PackProvenance, PolicyVersion, Provenance, Ruling, utc_text, uuid7
from gateway.model.base import RecordProof
from gateway.model.content import content_bytes
from gateway.model.pseudonyms import keyed_label
from gateway.prompt.fence import fenced
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
    repeats: str | None = None
    """Request id of the decision that this one follows."""


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
        repeats=case.repeats,
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


def decided_on(version: PolicyVersion, entrypoint: str, aside: Erasable) -> PolicyPart:
    """What decided, with a commitment to what it was asked, if that lies in the erasable side."""
    committed = None if aside.input is None else commit(aside.input_salt or b"", aside.input)
    return decided_by(version, entrypoint, committed)


def item_part(name: str, content: bytes, erasable: Erasable, media_type: str) -> ItemPart:
    """What is committed to, by the salt of its erasable side."""
    commitment = commit(erasable.item_salt or b"", content)
    return ItemPart(id=name, commitment=commitment, bytes=len(content), media_type=media_type)


def released_bytes(ruling: Ruling) -> bytes | None:
    """What a ruling hands over, in its fence if it has one, as its record commits to it; None for nothing."""
    return content_bytes(fenced(ruling.content, ruling.fence)) if ruling.usable else None


def commits_to(ruling: Ruling, record: Record, aside: Erasable) -> bool:
    """Whether a record commits, under the salts of its erasable side, to exactly what was decided on and what is released."""
    item, policy = record.item, record.policy
    return (
        item is not None
        and policy is not None
        and all(
            _committed(commitment, salt, content)
            for commitment, salt, content in (
                (item.commitment, aside.item_salt, content_bytes(ruling.item.content)),
                (policy.input_commitment, aside.input_salt, ruling.asked or jcs(dict(ruling.facts))),
                (record.released_commitment, aside.released_salt, released_bytes(ruling)),
            )
        )
    )


def _committed(commitment: str | None, salt: bytes | None, content: bytes | None) -> bool:
    if commitment is None or content is None:
        return commitment is None and content is None
    return salt is not None and hmac.compare_digest(commit(salt, content), commitment)


def told_part(name: str, document: Mapping[str, str]) -> tuple[ItemPart, Erasable]:
    """What a person said or asked, committed to as canonical JSON, and kept whole in the erasable side."""
    content = jcs(dict(document))
    erasable = Erasable(item_salt=fresh_salt(), content=content)
    return item_part(name, content, erasable, "application/json"), erasable


def answer_bytes(answer: Model) -> bytes:
    """What policy answered, as records commit to it: without what it left at its default."""
    # So that an answer to a question of the past still reads as it did once answers have more members.
    return jcs(answer.model_dump(mode="json", exclude_defaults=True))


def answer_part(name: str, answer: Model, erasable: Erasable) -> ItemPart:
    """A commitment to what policy answered on a request or on a set."""
    return item_part(name, answer_bytes(answer), erasable, "application/json")


def proved_part(name: str, said: Mapping[str, object], proof: RecordProof) -> ItemPart:
    """What an act says, committed to under a salt that stays with what the act decides, so that this can be proved by it."""
    content = jcs(dict(said))
    return ItemPart(id=name, commitment=proof.commitment(said), bytes=len(content), media_type="application/json")


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


def kept_labels(ruling: Ruling) -> bytes | None:
    """Id and source id as they were, by the members of the record that have keyed names instead; None where none has."""
    clear = {"id": ruling.item.id, "source_id": ruling.item.provenance.source_id}
    kept = {name: value for name, value in clear.items() if name in ruling.renamed and value is not None}
    return jcs(kept) if kept else None


def finding_counts(findings: Sequence[Finding]) -> tuple[FindingCount, ...]:
    """How often each type was found; never what."""
    counts = Counter(f"{finding.kind}:{finding.type}" for finding in findings)
    return tuple(FindingCount(type=name, count=count) for name, count in sorted(counts.items()))
