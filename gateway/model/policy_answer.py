"""What policy answers, and what detectors find."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import Annotated, Any, Final, Literal

from pydantic import Field, model_validator

from gateway.model.base import Model, Outcome, TrustClass


class Denial(Model):
    """One reason of a refusal."""

    code: str
    message: str


class Obligation(Model):
    """What must be done before release."""

    type: Literal["redact", "fence", "warn_stale", "label_web_source", "cite", "expose", "rename", "neutralise"]
    operator: Literal["mask", "encrypt", "tokenise", "hash", "replace", "redact"] | None = None
    entities: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    """Of a JSON object: the only members that may be shown; of an item: the labels that are to be renamed."""

    @property
    def label(self) -> str:
        """Short form for reports and the ledger, such as ``redact:mask``."""
        return f"{self.type}:{self.operator}" if self.operator else self.type


ReleaseMode = Literal["durable", "sequenced", "witnessed"]
"""Before anything is released its records are on disk; under a signed checkpoint; under enough cosignatures too."""


class IncidentCodes(Model):
    """Which codes the metrics count as incidents; `*` at the end of one stands for the rest of a code."""

    trust: tuple[str, ...] = ()
    """Violations of trust."""

    stale: tuple[str, ...] = ()
    """Refused as stale."""

    conflict: tuple[str, ...] = ()
    """Warnings of conflicts that a person must see."""

    def counts(self, kind: Literal["trust", "stale", "conflict"], codes: Iterable[str]) -> bool:
        """Whether one of the codes is listed for a kind of incident."""
        listed: tuple[str, ...] = getattr(self, kind)
        return any(fnmatchcase(code, pattern) for code in codes for pattern in listed)


class Together(Model):
    """What pieces of a prompt are looked at for once more where they stand together."""

    screenings: tuple[str, ...]
    edge_characters: Annotated[int, Field(ge=1, le=10_000)]
    """Of either end of a piece."""


class ScopeAnswer(Model):
    """May this request be made at all, and what may be looked for?"""

    allow: bool
    denials: tuple[Denial, ...]
    filters: dict[str, Any]
    release_mode: ReleaseMode
    incidents: IncidentCodes = IncidentCodes()
    """What the metrics count; bundles kept from before list nothing."""

    label_screenings: tuple[str, ...] = ()
    """What every label is looked at for before policy hears of it; bundles kept from before did not ask."""

    together: Together | None = None
    """What is looked for where pieces of a prompt meet; bundles kept from before did not ask."""

    compared_fields: tuple[str, ...] = ()
    """Fields of JSON items on one entity that contradict each other where their values differ; no other is looked at."""

    data_sensitivity: str | None = None
    """How sensitive what the request is about is, by its domain; bundles kept from before did not say."""

    @model_validator(mode="before")
    @classmethod
    def _of_an_earlier_bundle(cls, answer: object) -> object:
        """Bundles kept from before answered a `screening` that nobody read."""
        return (
            {name: value for name, value in answer.items() if name != "screening"}
            if isinstance(answer, dict)
            else answer
        )


class AdmitAnswer(Model):
    """May this item be considered, by its labels alone?"""

    allow: bool
    denials: tuple[Denial, ...]
    trust_class: TrustClass
    authority_tier: Annotated[int, Field(ge=1, le=5)]
    screen: tuple[str, ...]
    obligations: tuple[Obligation, ...]
    exceptions: tuple[str, ...]
    taken_as: str | None = None
    """The source type that it counts as; bundles kept from before believed what the item said."""

    attested_by: str | None = None
    """Who vouches for its labels; bundles kept from before did not ask."""

    validatable: bool = False
    """Whether officers may have validated its content, so that this is to be looked up; bundles kept from before did not ask."""


class ReachAnswer(Model):
    """May an item with these labels be found at all?"""

    allow: bool


class ReleaseAnswer(Model):
    """May this item be released, and how?"""

    outcome: Outcome
    denials: tuple[Denial, ...]
    obligations: tuple[Obligation, ...]
    trust_class: TrustClass
    authority_tier: Annotated[int, Field(ge=1, le=5)]
    exceptions: tuple[str, ...]
    taken_as: str | None = None
    """The source type that it counts as, once it is known what officers said of it; bundles kept from before did not say."""


class ToolAnswer(Model):
    """May the agent be shown this tool?"""

    allow: bool
    denials: tuple[Denial, ...]


class SetDrop(Model):
    """An item that loses to another by a rule on the set."""

    item: str
    reason: Literal["conflict", "contract"]
    in_favour_of: str | None
    """To which item it loses; null where it loses to a limit."""


class SetYield(Model):
    """A field of an item that gives way to the same field of another."""

    item: str
    field: str
    in_favour_of: str


class SetWarning(Model):
    """Something a person should know about the set."""

    code: str
    message: str
    items: tuple[str, ...] = ()


class DetokenizeAnswer(Model):
    """May the requester learn what a token stands for?"""

    allow: bool
    denials: tuple[Denial, ...]


class ExceptionAnswer(Model):
    """May this exception be asked for, or approved?"""

    allow: bool
    denials: tuple[Denial, ...]


class DocumentAnswer(Model):
    """May this document be taken in?"""

    allow: bool
    outcome: Literal["accepted", "set_aside", "denied"]
    denials: tuple[Denial, ...]
    screen: tuple[str, ...]
    """What its labels and its text are to be looked at for."""


class CitationAnswer(Model):
    """Is a claim grounded in what it cites?"""

    allow: bool
    denials: tuple[Denial, ...]


class SetError(Model):
    """Which of the gateway's errors tells of a refusal of the set, and what it names."""

    kind: Literal["entity_data_empty", "entity_jurisdictions"]
    names: tuple[str, ...]
    """The sources that the entity's record comes from; the jurisdictions that are not the entity's."""


class PackAnswer(Model):
    """Do these items together make a pack for this agent?"""

    allow: bool
    denials: tuple[Denial, ...]
    errors: tuple[SetError, ...] = ()
    """What is wrong with the entity; bundles kept from before did not say."""

    missing: tuple[str, ...]
    """Needs that refuse the pack."""

    missing_sources: tuple[str, ...] = ()
    """Required sources that refuse the pack; bundles kept from before required none."""

    drop: tuple[SetDrop, ...]
    yields: tuple[SetYield, ...]
    warnings: tuple[SetWarning, ...]
    tell_the_model: tuple[str, ...] = ()
    """Codes of the warnings that the model is told too, whoever gives them."""

    gateway_warnings: tuple[SetWarning, ...] = ()
    """What the gateway says itself of a pack, in the words of policy; bundles kept from before name none."""

    may_stay_outside: tuple[str, ...] = ()
    """Sections whose heavy items may stay outside the pack, behind a handle."""


class PolicyVersion(Model):
    """Which bundle decides, and what evaluates it."""

    revision: str
    engine: str
    engine_version: str


RENAMED: Final = "rename"
"""Among the obligations of an item: records have keyed names in the place of some of its labels."""


def renamed_labels(obligations: Sequence[Obligation]) -> tuple[str, ...]:
    """Labels that obligations want renamed, sorted."""
    return tuple(sorted({name for one in obligations if one.type == RENAMED for name in one.fields}))


def obligation_labels(obligations: Sequence[Obligation]) -> tuple[str, ...]:
    """Short forms of obligations, sorted."""
    return tuple(sorted({obligation.label for obligation in obligations}))
