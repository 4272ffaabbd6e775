"""What the caller gets: the pack, its parts and its reports (names on the wire, v1)."""

from typing import Any, Literal

from pydantic import JsonValue

from gateway.model.base import Model, Outcome, TrustClass
from gateway.model.envelope import BudgetReport, Envelope, Form, Layer, RuntimeState
from gateway.model.words.labels import FreeLabels, Metadata


class PackProvenance(Model):
    """The provenance tag of a piece of context (blueprint 11.1)."""

    source_id: str | None
    """The document or record, by its name in its source."""

    source_type: str | None
    """What kind of source it counts as: the type it claims only where somebody vouches for that."""

    authority_tier: int
    """1, system of record, to 5, general web; set by policy."""

    version: str | None
    """Of the source."""

    effective_date: str | None
    """First day on which the source applies."""

    expiry_date: str | None
    """Day from whose start, UTC, the source no longer applies."""

    owner: str | None
    """Who answers for the source."""

    fetched_at: str | None
    """When it was fetched, RFC 3339."""

    ttl_seconds: int | None
    """How long after `fetched_at` it may be used."""

    trust_class: TrustClass
    """Whether it may be read as more than data; set by policy."""

    data_classification: str | None
    """As its source labels it."""

    jurisdiction: str | None
    """Whose data it is."""

    doc_section: str | None
    """Section of the document."""

    corpus: str | None = None
    """The collection of documents it was taken from."""

    domain: str | None = None
    """Line of business it belongs to."""

    entity_id: str | None = None
    """The record it is about."""

    labels: FreeLabels | None = None
    """What else its source says of it, as the bank declares it."""

    attested_by: str | None = None
    """Who vouches for these labels: a source, the prompt library, or a pack's receipt; null where nobody does."""

    chunk_hash: str
    """"sha256:" and the hash of the content as it stands in the pack."""


Relation = Literal["duplicate", "near_duplicate", "merged"]

DropReason = Literal["budget", "duplicate", "near_duplicate", "conflict", "contract", "relevance", "together"]


class Attribution(Model):
    """Another item that says the same, or whose text was joined with this one's."""

    item_id: str
    """The candidate's id."""

    decision_id: str
    """Of its ruling in the ledger."""

    relation: Relation
    """Whether it said the same, nearly the same, or the next part of one document."""

    source_id: str | None
    """The document or record, by its name in its source."""

    version: str | None
    """Of the source."""

    doc_section: str | None
    """Section of the document."""


class PackItem(Model):
    """A piece of context, after its obligations were carried out."""

    id: str
    """The candidate's id."""

    content: JsonValue
    """Text, or a JSON value."""

    tokens: int
    """As the model counts them, as rendered."""

    score: float
    """Relevance and authority, weighed; 0 to 1."""

    decision_id: str
    """Of the ruling in the ledger."""

    provenance: PackProvenance
    """Where it comes from."""

    segment: str
    """What it is called in every turn of a session."""

    layer: Layer
    """Where a model reads it."""

    form: Form = "full"
    """How it stands there."""

    fenced: bool = False
    """Whether the content stands between marks of untrusted data."""

    mark: str | None = None
    """Ends its block in a prompt; only the gateway can make it. Null where the content has a fence or is a turn."""

    obligations: tuple[str, ...] = ()
    """What was done to it before release, sorted."""

    pii_types: tuple[str, ...] = ()
    """Types of personal data that were found in it, treated as policy says, sorted."""

    attributions: tuple[Attribution, ...] = ()
    """Others that say the same, or whose text was joined with this one's."""

    metadata: Metadata | None = None
    """As its store keeps it with the item; nobody vouches for it."""

    artifact: str | None = None
    """Handle to fetch the whole content with while it is valid, where `content` is only an extract."""


class PackSection(Model):
    """The pieces of one kind, in order."""

    type: str
    """Which part of the context it is."""

    token_budget: int
    """What the budget table gives it."""

    token_actual: int
    """What it takes."""

    selection_reason: str
    """How its items were chosen and ordered."""

    items: tuple[PackItem, ...]
    """In order."""


class RulingReport(Model):
    """What the subject may know of a ruling."""

    item_id: str
    """The candidate's id."""

    number: int = 0
    """Its place among the candidates, from 1: what a prompt calls it where it was set aside."""

    outcome: Outcome
    """What became of it."""

    codes: tuple[str, ...]
    """Why it was refused, quarantined or dropped, sorted."""

    obligations: tuple[str, ...]
    """What was done to it before release, sorted."""

    trust_class: TrustClass
    """Set by policy."""

    authority_tier: int
    """1 to 5, set by policy."""

    decision_id: str
    """Of the record in the ledger."""

    stub: str | None = None
    """What may stand in the place of content that was quarantined; its text may not."""


class Withheld(Model):
    """How many items were denied, by code.  Never which."""

    count: int
    """Items that were denied."""

    codes: dict[str, int]
    """How often each reason was given."""


class Drop(Model):
    """An item that was allowed but left out."""

    item_id: str
    """The candidate's id."""

    reason: DropReason
    """Why it was left out."""

    token_savings: int
    """Tokens it would have taken."""

    in_favour_of: str | None = None
    """The item that stands for it, where one does."""

    fetch_again: dict[str, str | None] | None = None
    """Source, version and section to fetch it by; null where it came from nowhere that can be asked again."""


class PackWarning(Model):
    """Something the prompt studio should act on."""

    code: str
    """Stable."""

    message: str
    """For a person."""

    items: tuple[str, ...] = ()
    """Which items it is about."""


class RulingsAnswer(Model):
    """The answer of `POST /v1/rulings`: what was decided, without a pack."""

    id: str
    """Of the pack."""

    created_at: str
    """The clock of the request, RFC 3339 UTC."""

    request: dict[str, Any]
    """Agent, purpose, session, request and trace that it answers."""

    policy: dict[str, str]
    """Revision of the bundle that decided, and its engine."""

    rulings: tuple[RulingReport, ...]
    """One for each candidate that the caller may know of."""

    withheld: Withheld
    """What was denied, as counts."""

    receipt: dict[str, Any] | None = None
    """Signed proof that the record of this answer is durable; absent only before it is sealed."""


class ContextPack(RulingsAnswer):
    """The answer of `POST /v1/packs`."""

    model: str
    """The language model it was counted for."""

    sections: tuple[PackSection, ...]
    """In the order in which they are read."""

    scope_metadata: dict[str, Any]
    """What the request was about, and the filters that bound it."""

    user_context: dict[str, Any]
    """The person on whose behalf the agent acts, from the token."""

    warnings: tuple[PackWarning, ...]
    """What the prompt studio should act on."""

    budget_report: BudgetReport
    """How the budget was spent."""

    envelope: Envelope
    """How the items stand in the prompt."""

    runtime_state: RuntimeState
    """Names and labels of what is in the pack, without content."""

    messages: dict[str, Any] | None = None
    """The prompt in the shape of a provider's API, where the request asks for one."""

    drop_report: tuple[Drop, ...]
    """What was allowed and left out; nothing that was denied."""
