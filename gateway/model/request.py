"""What a caller asks: names on the wire (v1), a promise to clients."""

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, model_validator

from gateway.model.base import (
    BankWord,
    Day,
    Instant,
    Model,
    Name,
    name_problem,
    person_of,
)
from gateway.model.content import content_digest
from gateway.model.policy_input import SubjectFacts
from gateway.model.words.labels import FreeLabels, Metadata
from ledger.receipt import Receipt

Provider = Literal["openai", "anthropic", "gemini"]
"""Whose API takes the prompt."""


class Provenance(Model):
    """
    Where an item comes from, as its source labels it.

    A label that is missing is legal here; policy refuses the item for it.  Trust class and authority
    tier are never labels: policy derives them.
    """

    source_id: Name | None = None
    """The document or record, by its name in its source."""

    source_type: BankWord | None = None
    """What kind of source it is."""

    version: Name | None = None
    """Of the source."""

    effective_date: Day | None = None
    """First day on which the source applies."""

    expiry_date: Day | None = None
    """Day from whose start, UTC, the source no longer applies."""

    owner: Name | None = None
    """Who answers for the source."""

    fetched_at: Instant | None = None
    """When it was fetched."""

    ttl_seconds: Annotated[int, Field(strict=True, ge=0, le=2**31)] | None = None
    """How long after `fetched_at` the content may be used, in seconds."""

    data_classification: BankWord | None = None
    """As its source labels it."""

    jurisdiction: BankWord | None = None
    """Whose data it is."""

    domain: Name | None = None
    """Line of business it belongs to."""

    entity_id: Name | None = None
    """The record it is about."""

    doc_section: Name | None = None
    """Section of the document."""

    corpus: Name | None = None
    """The collection of documents it was taken from."""

    labels: FreeLabels | None = None
    """What else its source says of it: labels that the bank declares, with the types that it declares."""


class Candidate(Model):
    """An item offered to the gateway, or fetched by it."""

    id: Name
    """Unique within the request."""

    section: BankWord
    """Which part of the context it is for."""

    content: JsonValue
    """Text, or any JSON value."""

    media_type: Annotated[str, Field(pattern=r"^[a-z]+/[a-z0-9.+-]+$", max_length=100)] = "text/plain"
    """Of the content; JSON is screened value by value."""

    score: Annotated[float, Field(strict=True, ge=0, le=1)] | None = None
    """Relevance as the retriever saw it, 0 to 1."""

    provenance: Provenance = Provenance()
    """Labels of its source."""

    metadata: Metadata | None = None
    """What its store keeps with it, such as a page or an address: no label, so that nobody decides by it and no prompt shows it;
    it comes back with the item."""

    attestation: Annotated[str, Field(max_length=2000, pattern=r"^[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]+$")] | None = None
    """The source's signature over its labels and its content: a JWS in compact form without its payload (RFC 7515, appendix F)."""

    receipt: Receipt | None = None
    """Of an agent's output that nobody signed: the receipt of the pack from which the agent wrote it."""

    @model_validator(mode="after")
    def _one_word_for_it(self) -> Self:
        if self.attestation is not None and self.receipt is not None:
            msg = "an item has an attestation or a receipt, not both"
            raise ValueError(msg)
        return self

    @property
    def channel(self) -> Literal["caller", "source"]:
        """Who brought it."""
        return "caller"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content in hex, computed once and carried along."""
        return content_digest(self.content)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with other fields; one with other content has another digest."""
        copy = super().model_copy(update=update, deep=deep)
        if update and "content" in update:
            copy.__dict__.pop("digest", None)
        return copy


class Fetched(Candidate):
    """An item that the gateway fetched itself."""

    source: Name
    """Id of the source in the registry, which vouches for it."""

    @property
    def channel(self) -> Literal["caller", "source"]:
        return "source"

    @classmethod
    def of(cls, item: Candidate, source: str) -> "Fetched":
        """The item as that source's answer."""
        return cls.model_construct(**dict(item), source=source)


class Entity(Model):
    """The record that a request is about."""

    type: Name
    """The domain's kind of record, such as `project`."""

    id: Name
    """Its id in the system of record."""


class PackRequest(Model):
    """The body of `POST /v1/packs` and `POST /v1/rulings`."""

    model_config = ConfigDict(json_schema_extra={"description": "Candidates to govern, and for whom."})

    agent_id: Name
    """A registered agent."""

    purpose: Name
    """A registered purpose."""

    query: Annotated[str, Field(max_length=20_000)] | None = None
    """What the person asked."""

    entity: Entity | None = None
    """The record that the request is about."""

    jurisdictions: Annotated[tuple[BankWord, ...], Field(min_length=1, max_length=32)] = ()
    """For which the context is meant; where none is said, those that the record of the entity lists."""

    as_of: Instant | None = None
    """The moment whose state is wanted, where it is not the present one; policy says who may ask for history."""

    model: Name
    """A registered language model."""

    token_budget: Annotated[int, Field(strict=True, ge=1, le=10_000_000)]
    """Tokens of the model's window, response headroom included."""

    session_id: Name | None = None
    """Groups the turns of a conversation."""

    turn: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = None
    """Which turn of the session this is; with it, knowledge and uploads of earlier turns are carried over, under policy."""

    allow_truncation: Annotated[bool, Field(strict=True)] = False
    """Whether, when the overflow order is through and the pack still does not fit, the least of it may be left out."""

    render: Provider | None = None
    """Whose API the prompt is to be shaped for, beside the pack."""

    items: tuple[Candidate, ...] = ()
    """Candidates; sources may add others."""


class KeptRequest(PackRequest):
    """A request that the gateway kept, among its items some that it had fetched itself."""

    items: tuple[Fetched | Candidate, ...] = ()


MOST_AGENTS: Final = 100
"""How many agents one token may speak for: policy hears of all of them with every item."""


def _named(name: str) -> str:
    if problem := name_problem(name):
        raise ValueError(problem)
    return name


def _of_a_tenant(name: str) -> str:
    if problem := name_problem(name, exact=True):
        raise ValueError(problem)
    return name


class Subject(Model):
    """The person on whose behalf the agent acts, from the verified token."""

    model_config = ConfigDict(extra="ignore")

    sub: Annotated[Name, AfterValidator(_named)]
    tenant: Annotated[Name, AfterValidator(_of_a_tenant)]
    identity: Annotated[Name, AfterValidator(_named)] | None = None
    """Who it is wherever two persons are needed, where a claim of its own says so; null for `sub`."""

    role: Name
    department: Name
    jurisdictions: tuple[Name, ...]
    domains: tuple[Name, ...] | None = None
    """Narrows the department's domains; null does not narrow."""

    entitlements: tuple[Name, ...] | None = None
    """Narrows to the domains whose entitlement is listed; null does not narrow."""

    agents: Annotated[tuple[Name, ...], Field(max_length=MOST_AGENTS)] | None = ()
    """The agents that the token speaks for, none where it does not say; null where the gateway believes the request."""

    purposes: Annotated[tuple[Name, ...], Field(max_length=100)] = ()
    """For which purposes the token may learn what tokens in texts stand for."""

    session_id: Name | None = None
    scope: Annotated[str, Field(max_length=2000)] = ""
    """OAuth scopes, separated by spaces."""

    def has_scope(self, scope: str) -> bool:
        """Whether the token allows calls of this scope."""
        return scope in self.scope.split()

    @property
    def person(self) -> str:
        """What the person is compared by wherever two persons are needed: `person_of` the identity, in whichever tenant."""
        return person_of(self.identity or self.sub)

    @property
    def declares_agents(self) -> bool:
        """Whether the gateway believes which agent a request of this person is for."""
        return self.agents is None

    def facts(self) -> SubjectFacts:
        """What policy is told about the person: never who it is."""
        return {
            "tenant": self.tenant,
            "role": self.role,
            "department": self.department,
            "jurisdictions": list(self.jurisdictions),
            "domains": None if self.domains is None else list(self.domains),
            "entitlements": None if self.entitlements is None else list(self.entitlements),
            "agents": None if self.agents is None else list(self.agents),
        }


class RequestLimits(Model):
    """How much one request may hold."""

    request_bytes: int
    item_bytes: int
    items: int
    depth: int
    values: int = 200_000
