"""
What the gateway answers, as its OpenAPI document has it.

Members that this version does not know are kept (`model_extra`), so that a gateway may be newer than its clients, and a pack can be
handed back whole.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue


class Told(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(extra="allow", frozen=True)


class RulingReport(Told):
    """What the caller may know of what became of one item."""

    item_id: str
    outcome: str
    """released, redacted, quarantined, dropped."""

    codes: tuple[str, ...]
    obligations: tuple[str, ...]
    trust_class: str
    authority_tier: int
    decision_id: str
    stub: str | None = None


class Withheld(Told):
    """How many items were denied, by code; never which."""

    count: int
    codes: dict[str, int]


class RulingsAnswer(Told):
    """What was decided, without a pack."""

    id: str
    created_at: str
    request: dict[str, Any]
    """Agent, purpose, session, request and trace that it answers."""

    policy: dict[str, str]
    rulings: tuple[RulingReport, ...]
    withheld: Withheld
    receipt: dict[str, Any] | None = None

    @property
    def request_id(self) -> str:
        """Under which the gateway's ledger has it."""
        return str(self.request["request_id"])


class PackItem(Told):
    """A piece of context, after its obligations were carried out."""

    id: str
    content: JsonValue
    tokens: int
    score: float
    decision_id: str
    provenance: dict[str, Any]
    obligations: tuple[str, ...] = ()
    pii_types: tuple[str, ...] = ()
    fenced: bool = False
    metadata: dict[str, Any] | None = None


class PackSection(Told):
    """The pieces of one kind, in order."""

    type: str
    token_budget: int
    token_actual: int
    items: tuple[PackItem, ...]


class ContextPack(RulingsAnswer):
    """A governed pack."""

    model: str
    sections: tuple[PackSection, ...]
    messages: dict[str, Any] | None = None
    """The prompt in the shape of a provider's API, where the request asks for one."""

    @property
    def items(self) -> tuple[PackItem, ...]:
        """All pieces, in the order in which they are read."""
        return tuple(item for section in self.sections for item in section.items)

    def document(self) -> dict[str, Any]:
        """As the gateway handed it over, receipt included: what a check of citations needs."""
        return self.model_dump(mode="json")


class CitedReport(Told):
    """What became of one citation."""

    item_id: str | None
    support: float


class ClaimReport(Told):
    """What became of one claim."""

    id: str
    grounded: bool
    flags: tuple[str, ...]
    messages: tuple[str, ...]
    citations: tuple[CitedReport, ...]
    decision_id: str


class CitationReply(Told):
    """What became of the claims."""

    pack_id: str
    claims: tuple[ClaimReport, ...]
    score: float
    """Part of the claims that are grounded, 0 to 1."""


class AgentWords(Told):
    """An agent that the token speaks for."""

    id: str
    archetype: str
    domains: tuple[str, ...]
    description: str
    needs: tuple[str, ...]


class DescribedWord(Told):
    """A word with what it means."""

    id: str
    description: str


class SourceWords(Told):
    """A source whose items one of these agents may be given."""

    id: str
    fetched: bool
    source_types: tuple[str, ...]
    corpora: tuple[str, ...]
    domains: tuple[str, ...]


class ModelWords(Told):
    """A language model, and how many tokens a request for it may have."""

    id: str
    window: int


class Catalog(Told):
    """The words that requests may use."""

    policy: str
    agents: tuple[AgentWords, ...]
    purposes: tuple[DescribedWord, ...]
    models: tuple[ModelWords, ...]
    jurisdictions: tuple[str, ...]
    classifications: tuple[str, ...]
    source_types: tuple[str, ...]
    sections: tuple[str, ...]
    sources: tuple[SourceWords, ...]
    scopes: tuple[DescribedWord, ...]
