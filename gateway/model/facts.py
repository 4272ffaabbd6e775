"""
What policy is told, as types: the source of `policies/schemas/`, which catch a misspelt field in a rule.

Labels are plain strings here, since policy must answer for values that are not on record too.
"""

from typing import Literal

from gateway.model.base import Model


class SubjectFacts(Model):
    """The person, without the name."""

    role: str
    department: str
    jurisdictions: tuple[str, ...]
    domains: tuple[str, ...] | None
    entitlements: tuple[str, ...] | None


class AgentFacts(Model):
    """The agent, as registered."""

    id: str
    archetype: str
    domains: tuple[str, ...]


class EntityFacts(Model):
    """The record that the request is about."""

    type: str
    id: str


class RequestFacts(Model):
    """The request as a whole."""

    purpose: str
    domain: str
    entity: EntityFacts | None
    jurisdictions: tuple[str, ...]
    has_query: bool


class ItemFacts(Model):
    """The labels of an item: never its id, content or score."""

    section: str
    media_type: str
    source_id: str | None
    source_type: str | None
    version: str | None
    effective_date: str | None
    expiry_date: str | None
    owner: str | None
    age_seconds: int | None
    """Whole seconds since the item was fetched; negative if that time has not come."""

    ttl_seconds: int | None
    data_classification: str | None
    jurisdiction: str | None
    domain: str | None
    entity_id: str | None
    doc_section: str | None


class FindingFacts(Model):
    """The highest score of one kind of finding in the item."""

    kind: Literal["pii", "injection"]
    type: str
    score: float


class ReviewScope(Model):
    """For whom the reviewers spoke."""

    agent: str
    purpose: str
    source_id: str | None


class ReviewFacts(Model):
    """What reviewers said of this content when it was set aside before."""

    id: str
    verdict: Literal["released", "denied"]
    scope: ReviewScope
    expires: str


class SetItemFacts(Model):
    """An item of the set that is about to become a pack."""

    id: str
    section: str
    source_type: str | None
    source_id: str | None
    doc_section: str | None
    version: str | None
    effective_date: str | None
    jurisdiction: str | None
    entity_id: str | None
    age_seconds: int | None
    """Whole seconds since the item was fetched, as in `ItemFacts`."""

    ttl_seconds: int | None


class ScopeInput(Model):
    """Input of `context/scope`."""

    now: str
    subject: SubjectFacts
    agent: AgentFacts
    request: RequestFacts


class AdmitInput(ScopeInput):
    """Input of `context/admit`."""

    item: ItemFacts


class ReleaseInput(AdmitInput):
    """Input of `context/release`."""

    findings: tuple[FindingFacts, ...]
    reviews: tuple[ReviewFacts, ...]
    screened: tuple[str, ...]


class TokenFacts(Model):
    """A token, by what it stands for and what it was made for; never the value."""

    type: str
    purpose: str


class PurposeFacts(Model):
    """What the requester asks for."""

    purpose: str


class DetokenizeInput(Model):
    """Input of `context/detokenize`."""

    now: str
    subject: SubjectFacts
    request: PurposeFacts
    token: TokenFacts


class ClaimFacts(Model):
    """A claim, by its kind; never its words."""

    type: str


class CitedFacts(Model):
    """A source that a claim cites."""

    found: bool
    """Whether the pack holds it."""

    source_type: str | None
    authority_tier: int | None
    parts: tuple[str, ...]
    """What the citation names beside the source: `version`, `section`."""

    version_matches: bool
    """Whether the version cited, if one is, is the one in the pack."""

    support: float
    """How far its text bears the claim out, 0 to 1."""

    age_seconds: int | None
    """Whole seconds since it was fetched."""

    ttl_seconds: int | None
    expiry_date: str | None


class CitationInput(Model):
    """Input of `context/citation`."""

    now: str
    claim: ClaimFacts
    sources: tuple[CitedFacts, ...]


class ContradictionFacts(Model):
    """Two items on one entity that give one field different values."""

    left: int
    """Place in `items`."""

    right: int
    field: str


class PackInput(ScopeInput):
    """Input of `context/pack`."""

    items: tuple[SetItemFacts, ...]
    rivals: tuple[tuple[int, int], ...]
    """Pairs of places in `items` that speak of one section of one source, or of one section on one entity, or that nearly
    say the same but with other figures."""

    contradictions: tuple[ContradictionFacts, ...]
