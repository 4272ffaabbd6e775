"""Claims, what they cite, and what became of them (names on the wire, v1)."""

from typing import Annotated, Final

from pydantic import Field, JsonValue, model_validator

from gateway.model.base import Model, Name

MAX_CLAIMS: Final = 200


class Citation(Model):
    """What a claim cites: a document by its id, version and section, or an item of the pack by its id."""

    doc_id: Name | None = None
    """`source_id` of the document."""

    version: Name | None = None
    """Of the document."""

    section: Name | None = None
    """Of the document."""

    item_id: Name | None = None
    """The item, instead of a document."""

    @model_validator(mode="after")
    def _one_of_both(self) -> "Citation":
        if (self.doc_id is None) == (self.item_id is None):
            msg = "a citation names either doc_id or item_id"
            raise ValueError(msg)
        return self


class Claim(Model):
    """One statement of an agent, and what it rests on."""

    id: Name
    """Unique within the call."""

    text: Annotated[str, Field(min_length=1, max_length=5000)]
    """In words."""

    type: Name = "general"
    """Which kind of claim it is, as the grounding requirements name them."""

    citations: Annotated[tuple[Citation, ...], Field(max_length=20)] = ()
    """What it cites."""


class CitationBody(Model):
    """Claims, and the sealed pack that they were made from."""

    pack: dict[str, JsonValue]
    """As it was handed over, receipt included."""

    claims: Annotated[tuple[Claim, ...], Field(min_length=1, max_length=MAX_CLAIMS)]
    """What was claimed."""

    @model_validator(mode="after")
    def _each_once(self) -> "CitationBody":
        if len({claim.id for claim in self.claims}) != len(self.claims):
            msg = "two claims have the same id"
            raise ValueError(msg)
        return self


class CitedReport(Model):
    """What became of one citation."""

    item_id: str | None
    """The item of the pack that it stands for; null if there is none."""

    support: float
    """How far its words bear the claim out, 0 to 1."""


class ClaimReport(Model):
    """What became of one claim."""

    id: str
    """Of the claim."""

    grounded: bool
    """Whether nothing was found against it."""

    flags: tuple[str, ...]
    """UNGROUNDED, PHANTOM_CITATION, MISATTRIBUTION, STALE_SOURCE, AUTHORITY_MISMATCH; sorted."""

    messages: tuple[str, ...]
    """What each flag means, for a person."""

    citations: tuple[CitedReport, ...]
    """One for each citation, in order."""

    decision_id: str
    """Of the record in the ledger."""


class CitationReply(Model):
    """What became of the claims."""

    pack_id: str
    """The pack they were held against."""

    claims: tuple[ClaimReport, ...]
    """One for each claim, in order."""

    score: float
    """Part of the claims that are grounded, 0 to 1."""
