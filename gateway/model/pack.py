"""What the caller gets: the pack, its parts and its reports (names on the wire, v1)."""

from typing import Any, Literal

from pydantic import JsonValue

from gateway.model.base import DataClassification, Jurisdiction, Model, Outcome, Section, SourceType, TrustClass


class PackProvenance(Model):
    """The provenance tag of a piece of context (blueprint 11.1)."""

    source_id: str | None
    source_type: SourceType | None
    authority_tier: int
    version: str | None
    effective_date: str | None
    expiry_date: str | None
    owner: str | None
    fetched_at: str | None
    ttl_seconds: int | None
    trust_class: TrustClass
    data_classification: DataClassification | None
    jurisdiction: Jurisdiction | None
    doc_section: str | None
    chunk_hash: str
    """"sha256:" and the hash of the content as it stands in the pack."""


class PackItem(Model):
    """A piece of context, after its obligations were carried out."""

    id: str
    content: JsonValue
    tokens: int
    score: float
    decision_id: str
    provenance: PackProvenance


class PackSection(Model):
    """The pieces of one kind, in order."""

    type: Section
    token_budget: int
    token_actual: int
    selection_reason: str
    items: tuple[PackItem, ...]


class RulingReport(Model):
    """What the subject may know of a ruling."""

    item_id: str
    outcome: Outcome
    codes: tuple[str, ...]
    obligations: tuple[str, ...]
    trust_class: TrustClass
    authority_tier: int
    decision_id: str
    stub: str | None = None
    """What may stand in the place of content that was set aside for review; its text may not."""


class Withheld(Model):
    """How many items were denied, by code.  Never which."""

    count: int
    codes: dict[str, int]


class Drop(Model):
    """An item that was allowed but left out."""

    item_id: str
    reason: Literal["budget", "duplicate", "conflict", "relevance"]
    token_savings: int
    in_favour_of: str | None = None


class OverflowReport(Model):
    """What was done to fit the budget."""

    action: str
    items: tuple[str, ...]
    token_savings: int


class BudgetReport(Model):
    """How the token budget was spent."""

    total_tokens: int
    allocated: int
    remaining: int
    response_headroom: int
    overflow_actions: tuple[OverflowReport, ...]


class PackWarning(Model):
    """Something the prompt studio should act on."""

    code: str
    message: str
    items: tuple[str, ...] = ()


class Verdict(Model):
    """The answer of `POST /v1/rulings`: what was decided, without a pack."""

    id: str
    created_at: str
    request: dict[str, Any]
    policy: dict[str, str]
    rulings: tuple[RulingReport, ...]
    withheld: Withheld
    receipt: dict[str, Any] | None = None


class ContextPack(Verdict):
    """The answer of `POST /v1/packs`."""

    model: str
    sections: tuple[PackSection, ...]
    scope_metadata: dict[str, Any]
    user_context: dict[str, Any]
    warnings: tuple[PackWarning, ...]
    budget_report: BudgetReport
    drop_report: tuple[Drop, ...]
