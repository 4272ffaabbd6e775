"""What a caller asks: names on the wire (v1), a promise to clients."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, JsonValue

from gateway.model.base import DataClassification, Day, Instant, Jurisdiction, Model, Name, Section, SourceType


class Provenance(Model):
    """
    Where an item comes from, as its source labels it.

    A label that is missing is legal here; policy refuses the item for it.  Trust class and authority
    tier are never labels: policy derives them.
    """

    source_id: Name | None = None
    """The document or record, by its name in its source."""

    source_type: SourceType | None = None
    version: Name | None = None
    effective_date: Day | None = None
    """First day on which the source applies."""

    expiry_date: Day | None = None
    """Day from whose start, UTC, the source no longer applies."""

    owner: Name | None = None
    fetched_at: Instant | None = None
    ttl_seconds: Annotated[int, Field(strict=True, ge=0, le=2**31)] | None = None
    """How long after `fetched_at` the content may be used, in seconds."""

    data_classification: DataClassification | None = None
    jurisdiction: Jurisdiction | None = None
    domain: Name | None = None
    entity_id: Name | None = None
    doc_section: Name | None = None


class Candidate(Model):
    """An item offered to the gateway, or fetched by it."""

    id: Name
    """Unique within the request."""

    section: Section
    content: JsonValue
    """Text, or any JSON value."""

    media_type: Annotated[str, Field(pattern=r"^[a-z]+/[a-z0-9.+-]+$", max_length=100)] = "text/plain"
    score: Annotated[float, Field(strict=True, ge=0, le=1)] | None = None
    """Relevance as the retriever saw it, 0 to 1."""

    provenance: Provenance = Provenance()


class Entity(Model):
    """The record that a request is about."""

    type: Name
    id: Name


class PackRequest(Model):
    """The body of `POST /v1/packs` and `POST /v1/rulings`."""

    model_config = ConfigDict(json_schema_extra={"description": "Candidates to govern, and for whom."})

    agent_id: Name
    purpose: Name
    query: Annotated[str, Field(max_length=20_000)] | None = None
    entity: Entity | None = None
    jurisdictions: Annotated[tuple[Jurisdiction, ...], Field(min_length=1, max_length=7)]
    model: Name
    token_budget: Annotated[int, Field(strict=True, ge=1, le=10_000_000)]
    """Tokens of the model's window, response headroom included."""

    session_id: Name | None = None
    items: tuple[Candidate, ...] = ()


class Subject(Model):
    """The person on whose behalf the agent acts, from the verified token."""

    model_config = ConfigDict(extra="ignore")

    sub: Name
    tenant: Name
    role: Name
    department: Name
    jurisdictions: tuple[Name, ...]
    domains: tuple[Name, ...] | None = None
    """Narrows the department's domains; null does not narrow."""

    entitlements: tuple[Name, ...] | None = None
    """Narrows to the domains whose entitlement is listed; null does not narrow."""

    session_id: Name | None = None
    scope: Annotated[str, Field(max_length=2000)] = ""
    """OAuth scopes, separated by spaces."""

    def holds(self, scope: str) -> bool:
        """Whether the token allows calls of this scope."""
        return scope in self.scope.split()

    def facts(self) -> dict[str, Any]:
        """What policy is told about the person: never who it is."""
        return {
            "role": self.role,
            "department": self.department,
            "jurisdictions": list(self.jurisdictions),
            "domains": None if self.domains is None else list(self.domains),
            "entitlements": None if self.entitlements is None else list(self.entitlements),
        }
