"""
What policy is told, as types.

The same definition serves three: mypy, where the input is made; the JSON Schema in `policies/schemas`, against which OPA
checks that a rule names no field that is not there; and the running code, at no cost, since a typed dictionary is one.
Labels are plain strings here, since policy must answer for values that are not on record too.
"""

from typing import Literal

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

_SCHEMA = ConfigDict(extra="forbid", use_attribute_docstrings=True)


@with_config(_SCHEMA)
class SubjectFacts(TypedDict):
    """The person, without the name."""

    tenant: str
    role: str
    department: str
    jurisdictions: list[str]
    domains: list[str] | None
    entitlements: list[str] | None
    agents: list[str] | None
    """For which agents the token speaks; null where the gateway is set to believe the request."""


@with_config(_SCHEMA)
class AgentFacts(TypedDict):
    """The agent, as registered."""

    id: str
    archetype: str
    domains: list[str]


@with_config(_SCHEMA)
class EntityFacts(TypedDict):
    """The record that the request is about."""

    type: str
    id: str


@with_config(_SCHEMA)
class AttestationFacts(TypedDict):
    """Who vouches for the labels of an item, as far as the gateway could verify it."""

    method: Literal["signature", "receipt", "fetch", "library", "development"]
    """A key of a source; a pack of this gateway; fetched by the gateway itself; the prompt library; a development key."""

    issuer: str
    """The source; with a receipt the agent that the pack was for."""

    key: str | None
    """Id of the key that signed."""

    signed_at: str | None
    """When it was signed, UTC."""

    age_seconds: int | None
    """Whole seconds since then; negative where that time has not come."""

    verified: bool
    """Whether it is what it says; where it is not, nothing it says is known to be true."""


@with_config(_SCHEMA)
class RecordFacts(TypedDict):
    """What an item says that is brought as the record of the request's own entity."""

    section: str
    source_id: str | None
    source_type: str | None
    corpus: str | None
    data_classification: str | None
    jurisdiction: str | None
    domain: str | None
    entity_id: str | None
    labels: dict[str, str | float | bool]
    """What its source says of it beside these, by name."""

    age_seconds: int | None
    """Whole seconds since it was fetched, as in `ItemFacts`."""

    channel: Literal["caller", "source"]
    attestation: AttestationFacts | None
    related: list[str]
    """Entities that it lists as related."""

    jurisdictions: list[str]
    """Jurisdictions that it says the entity belongs to."""


@with_config(_SCHEMA)
class RequestFacts(TypedDict):
    """The request as a whole."""

    purpose: str
    domain: str
    entity: EntityFacts | None
    jurisdictions: list[str]
    has_query: bool
    historical: bool
    """Whether it asks for the state of an earlier moment."""


@with_config(_SCHEMA)
class LabelFindingFacts(TypedDict):
    """The highest score of one kind of finding in one label of an item."""

    label: str
    """Which: `id`, `source_id`, `version`, …"""

    kind: Literal["pii", "injection", "rendering"]
    type: str
    score: float


@with_config(_SCHEMA)
class SignatureFacts(TypedDict):
    """What an item tells of tools, held against the registry; never a name that is not on record."""

    known: list[str]
    """Tools of which it says just what the registry says, by id, sorted."""

    changed: int
    """How many tools it describes otherwise than the registry, or twice."""

    unknown: int
    """How many tools it tells of that the registry does not have; 1 where it cannot be read."""


@with_config(_SCHEMA)
class ItemFacts(TypedDict):
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
    corpus: str | None
    labels: dict[str, str | float | bool]
    """What its source says of it beside these, by name, such as `document_type`."""

    labels_declared: bool
    """Whether the bundle declares each of them for items of this source type, with what it says."""

    age_days: int | None
    """Whole days, UTC, since `effective_date`; negative before it, null where there is none."""

    channel: Literal["caller", "source"]
    """Who brought it: the caller, or a source that the gateway fetched it from."""

    attestation: AttestationFacts | None
    """Who vouches for the labels; null where nobody does, so that they are the channel's word."""

    prompt: str | None
    """Id of the text of the prompt library that the content is, word for word."""

    meets_schema: bool | None
    """Whether it is what the schema of the agent that wrote it asks for; null where no schema applies."""

    structured: bool
    """Whether the content is a JSON value, or a text that spells a JSON object or array, whatever its media type says."""

    label_findings: list[LabelFindingFacts] | None
    """What is found in the labels themselves; null where nobody looked."""

    tools: SignatureFacts | None
    """What it tells of tools; null for items of sections that tell of none."""


@with_config(_SCHEMA)
class FindingFacts(TypedDict):
    """The highest score of one kind of finding in the item."""

    kind: Literal["pii", "injection", "rendering"]
    type: str
    score: float


@with_config(_SCHEMA)
class ReviewScopeFacts(TypedDict):
    """For whom the reviewers spoke."""

    agent: str
    purpose: str
    source_id: str | None


@with_config(_SCHEMA)
class ReviewFacts(TypedDict):
    """What reviewers said of this content when it was quarantined before."""

    id: str
    verdict: Literal["released", "denied", "validated"]
    scope: ReviewScopeFacts
    expires: str


@with_config(_SCHEMA)
class ExceptionScopeFacts(TypedDict):
    """What an exception is limited to: all that is named must be so; null is not named."""

    agent: str | None
    purpose: str | None
    role: str | None
    """Of the requester."""

    department: str | None
    """Of the requester."""

    source_id: str | None
    source_type: str | None
    domain: str | None
    entity_id: str | None
    jurisdiction: str | None
    classification: str | None


@with_config(_SCHEMA)
class ExceptionOfficerFacts(TypedDict):
    """An officer who asked for an exception, approved it or takes a document in, as their token said then; never the name."""

    role: str
    department: str


@with_config(_SCHEMA)
class ExceptionFacts(TypedDict):
    """An exception on request; as an item is decided on, two officers agreed on it, which its records prove."""

    id: str
    codes: list[str]
    """Refusals that it waives."""

    scope: ExceptionScopeFacts
    expires: str
    until: str | None
    """When it ends earlier, if it does."""

    lasts_seconds: int | None
    """From its approval, or from now while it is asked for, to its end; null where that cannot be told."""

    used_up: bool
    """Whether it was used as often as it may."""

    while_bundle_decides: bool | None
    """Whether the bundle decides that it was made for; null where it was made for none."""

    names_requester: bool | None
    """Whether the requester is the person that it was made for; null where it was made for none."""

    asked_by: ExceptionOfficerFacts
    approved_by: ExceptionOfficerFacts | None
    """Null while it is asked for."""


@with_config(_SCHEMA)
class SetItemFacts(TypedDict):
    """An item of the set that is about to become a pack."""

    id: str
    section: str
    source_type: str | None
    """What it is taken as: its source's type where somebody vouches for it, what its channel makes of it otherwise."""

    attested_by: str | None
    """Who vouches for its labels, as policy believes it; null where nobody does."""

    source_id: str | None
    corpus: str | None
    domain: str | None
    doc_section: str | None
    version: str | None
    effective_date: str | None
    expiry_date: str | None
    jurisdiction: str | None
    entity_id: str | None
    age_seconds: int | None
    """Whole seconds since the item was fetched, as in `ItemFacts`."""

    ttl_seconds: int | None


@with_config(_SCHEMA)
class ScopeInput(TypedDict):
    """Input of `context/scope`."""

    now: str
    subject: SubjectFacts
    agent: AgentFacts
    request: RequestFacts


@with_config(_SCHEMA)
class AdmitInput(ScopeInput):
    """Input of `context/admit`."""

    item: ItemFacts
    records: list[RecordFacts]
    """What is brought as the record of the request's entity."""

    exceptions: list[ExceptionFacts]
    """Exceptions on request that two officers approved, on record, for this agent and purpose or for any."""


@with_config(_SCHEMA)
class ReleaseInput(AdmitInput):
    """Input of `context/release`."""

    findings: list[FindingFacts]
    reviews: list[ReviewFacts]
    screened: list[str]


@with_config(_SCHEMA)
class ToolFacts(TypedDict):
    """A tool of the registry that an agent may be shown."""

    id: str
    source: str
    """Id of the source that it is a tool of."""

    domains: list[str]
    safety: list[str]
    """What using it may do: `reads`, `writes`, `personal_data`, `leaves_the_bank`."""

    available: bool
    """Whether its source is on, and answered in this request as far as it was asked."""


@with_config(_SCHEMA)
class ToolInput(ScopeInput):
    """Input of `context/tool`."""

    tool: ToolFacts


@with_config(_SCHEMA)
class ShownToolFacts(TypedDict):
    """A tool of the registry, and whether the agent is shown it."""

    id: str
    outcome: Literal["offered", "not_needed", "brought", "refused"]
    """Shown; not needed for what is asked; told of by an item of the request; not for this agent and request."""

    codes: list[str]
    """Of the rules that refuse it."""


@with_config(_SCHEMA)
class OriginFacts(TypedDict):
    """The request that a token was made for."""

    jurisdictions: list[str]
    domain: str
    session: str
    """The session of the request, as its caller named it; the trace id of one that belongs to none."""

    role: str
    """Of the person who asked."""


@with_config(_SCHEMA)
class TokenFacts(TypedDict):
    """A token, by what it stands for and what it was made for; never the value."""

    type: str
    purpose: str
    origin: OriginFacts | None
    """Null for tokens of earlier versions, which did not keep it."""


@with_config(_SCHEMA)
class PurposeFacts(TypedDict):
    """What the requester asks for."""

    purpose: str
    """A registered one."""

    case: str | None
    """The registered case that the requester names; null where none is named."""


@with_config(_SCHEMA)
class CallerFacts(TypedDict):
    """What the requester's bearer token says of the occasion."""

    purposes: list[str]
    """For which it may learn values."""

    session: str | None


@with_config(_SCHEMA)
class DetokenizeInput(TypedDict):
    """Input of `context/detokenize`."""

    now: str
    subject: SubjectFacts
    request: PurposeFacts
    caller: CallerFacts
    token: TokenFacts


@with_config(_SCHEMA)
class ExceptionInput(TypedDict):
    """Input of `context/exception`."""

    now: str
    step: Literal["ask", "approve"]
    officer: ExceptionOfficerFacts
    """Who takes the step."""

    exception: ExceptionFacts


@with_config(_SCHEMA)
class ClaimFacts(TypedDict):
    """A claim, by its kind; never its words."""

    type: str


@with_config(_SCHEMA)
class CitedFacts(TypedDict):
    """A source that a claim cites."""

    found: bool
    """Whether the pack holds it."""

    source_type: str | None
    domain: str | None
    """The line of business that it belongs to."""

    authority_tier: int | None
    parts: list[str]
    """What the citation names beside the source: `version`, `section`."""

    version_matches: bool
    """Whether the version cited, if one is, is the one in the pack."""

    support: float
    """How far its text bears the claim out, 0 to 1."""

    age_seconds: int | None
    """Whole seconds since it was fetched."""

    ttl_seconds: int | None
    expiry_date: str | None


@with_config(_SCHEMA)
class CitationInput(TypedDict):
    """Input of `context/citation`."""

    now: str
    domain: str | None
    """Of the request that the pack answered."""

    claim: ClaimFacts
    sources: list[CitedFacts]


@with_config(_SCHEMA)
class SideFacts(TypedDict):
    """Items that share all labels that decide, and say one thing."""

    says: int | None
    """The same number: the same said.  Null for several that differ from each other, and from all that has a number."""

    jurisdiction: str | None
    items: list[str]
    """Their ids."""


@with_config(_SCHEMA)
class LotFacts(TypedDict):
    """Items of one source type and effective date."""

    source_type: str | None
    effective_date: str | None
    sides: list[SideFacts]


@with_config(_SCHEMA)
class GroupFacts(TypedDict):
    """Items that speak of one thing, by what policy may choose by; not all of them say the same."""

    items: list[str]
    """Their ids, in the order of the set."""

    lots: list[LotFacts]
    """The newest first, those without a date last."""


@with_config(_SCHEMA)
class FieldGroupFacts(GroupFacts):
    """Items on one entity that give one field a value, not all of them the same."""

    field: str


@with_config(_SCHEMA)
class SourceFacts(TypedDict):
    """A source that was asked for items."""

    id: str
    critical: bool
    status: Literal["answered", "empty", "unavailable"]


@with_config(_SCHEMA)
class SearchFacts(TypedDict):
    """
    A search of documents, within what its requester may find.

    With the label dictionary and the bundle everybody can tell again what could have been found.
    """

    source: str
    """Id of the source in the registry."""

    index: str
    """Revision of the index."""

    epoch: int
    """Of the label dictionary: which of its states it was."""

    dictionary: str
    """SHA-256 over all combinations of labels of the tenant."""

    mask: str
    """SHA-256 over the ids of the combinations whose chunks could be found."""

    tuples: int
    """How many combinations there were."""

    permitted: int
    """How many of them could be found."""

    most: int
    """Chunks that were looked for by words, and as many by meaning."""

    query: str
    """HMAC-SHA-256 of what was asked, under a key of the tenant's that the gateway alone has."""

    embedder: str
    """Name and digest of the model; empty where none has a part in it."""

    reranker: str
    """Name and digest of the model; empty where none has a part in it."""

    fusion: str
    """How words and meaning were weighed, in one word and numbers."""

    hits: int
    """Chunks that were found."""

    kept: int
    """Chunks that became items."""


CallStatus = Literal[
    "answered",
    "empty",
    "off",
    "not_askable",
    "unavailable",
    "timed_out",
    "refused",
    "malformed",
    "foreign",
    "too_large",
    "changed",
    "stale",
]
"""
What came of a call: an item; nothing about what was asked; no connection; a fact of the request is missing that it needs; no
answer; none in time; an error; no result as promised; another entity's; too much; not the tool that was accepted; too old.
"""


@with_config(_SCHEMA)
class CallFacts(TypedDict):
    """A tool that was called for the request, or should have been."""

    tool: str
    source: str
    status: CallStatus


@with_config(_SCHEMA)
class DisputeFacts(TypedDict):
    """Two items that give different figures for one thing, such as a deadline or a limit; never its name or the figures."""

    left: int
    """Place in `items`."""

    right: int
    kind: Literal["text", "record"]
    """Two texts, or a text and a JSON record."""


@with_config(_SCHEMA)
class PackInput(ScopeInput):
    """Input of `context/pack`."""

    items: list[SetItemFacts]
    groups: list[GroupFacts]
    """Items that speak of one section of one source, or of one section on one entity, or that nearly say the same but with
    other figures.  What they say is told by version, date, source, section and jurisdiction."""

    fields: list[FieldGroupFacts]
    """Fields that the bundle compares, to which items on one entity give different values."""

    records: list[RecordFacts]
    """What is brought as the record of the request's entity."""

    asked: list[SourceFacts]
    """What the gateway asked sources for, and what came of it."""

    searches: list[SearchFacts]
    """Searches of documents that the gateway made, and what came of them."""

    calls: list[CallFacts]
    """Tools that the agent's contract requires and that the gateway called, and what came of it."""

    disputes: list[DisputeFacts]
    tools: list[ShownToolFacts]
    """The tools of the registry, and which of them the agent is shown; empty where no source with tools is on."""
