"""
What is asked, as the gateway's OpenAPI document has it.

Only names and kinds are held here: which agents, purposes, sections and words there are is the gateway's to say (`Client.catalog`).
"""

import secrets

from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class Asked(BaseModel):
    """A part of a request; a member that the gateway does not know is refused here already."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Provenance(Asked):
    """Where an item comes from, as its source labels it; policy refuses an item for a label that it needs and does not find."""

    source_id: str | None = None
    source_type: str | None = None
    version: str | None = None
    effective_date: str | None = None
    expiry_date: str | None = None
    owner: str | None = None
    fetched_at: str | None = None
    """RFC 3339."""

    ttl_seconds: int | None = None
    data_classification: str | None = None
    jurisdiction: str | None = None
    domain: str | None = None
    entity_id: str | None = None
    doc_section: str | None = None
    corpus: str | None = None
    labels: dict[str, str | int | float | bool] | None = None


class Candidate(Asked):
    """An item offered to the gateway."""

    id: str
    """Unique within the request."""

    section: str
    content: JsonValue
    media_type: str = "text/plain"
    score: float | None = None
    provenance: Provenance = Provenance()
    metadata: dict[str, str | int | float | bool | None] | None = None
    attestation: str | None = None
    """The source's signature, as `ctxgate_source.sign_labels` makes it."""

    receipt: dict[str, Any] | None = None
    """Of the pack from which an agent wrote this, in place of an attestation."""


def said(text: str, *, domain: str, jurisdiction: str, classification: str = "INTERNAL") -> Candidate:
    """What a person says now, as an item of the section `user`: nobody vouches for it, and policy takes it for data."""
    labels = Provenance(
        source_id="user",
        source_type="user_input",
        owner="user",
        fetched_at=datetime.now(UTC).isoformat(),
        data_classification=classification,
        jurisdiction=jurisdiction,
        domain=domain,
    )
    return Candidate(id=f"user-{secrets.token_hex(4)}", section="user", content=text, provenance=labels)


class Entity(Asked):
    """The record that a request is about."""

    type: str
    id: str


class PackRequest(Asked):
    """What a pack or rulings are asked for."""

    agent_id: str
    purpose: str
    jurisdictions: tuple[str, ...] = ()
    items: tuple[Candidate, ...] = ()
    model: str = "gpt-4o"
    token_budget: int = 16_000
    """Tokens of the model's window, response headroom included."""

    query: str | None = None
    entity: Entity | None = None
    as_of: str | None = None
    """RFC 3339."""

    session_id: str | None = None
    turn: int | None = None
    allow_truncation: bool = False
    render: Literal["openai", "anthropic", "gemini"] | None = None

    def document(self) -> dict[str, Any]:
        """As it is sent: what was not said is left to the gateway."""
        given = self.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
        return {**given, "model": self.model, "token_budget": self.token_budget}


class Citation(Asked):
    """What a claim cites: a document, or an item of the pack by its id."""

    doc_id: str | None = None
    version: str | None = None
    section: str | None = None
    item_id: str | None = None


class Claim(Asked):
    """One statement of an agent, and what it rests on."""

    id: str
    text: str
    type: str = "general"
    citations: tuple[Citation, ...] = Field(default=())
