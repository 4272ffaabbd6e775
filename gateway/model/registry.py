"""What the registry says of agents, contracts, domains, models, budgets, purposes, prompts and sources."""

from typing import Annotated, Final, Literal, get_args

from pydantic import Field, field_validator, model_validator

from gateway.model.base import DataClassification, Day, Model, Name, Section
from gateway.model.content import Rendering
from gateway.model.contract import Agent, Contract, OutputSchema, ProfileChoice

Domain = Name
Tokens = Annotated[int, Field(strict=True, ge=0)]

EVERY_AGENT: Final = "*"
"""Stands for all agents where a prompt says for which it is."""


class DomainEntry(Model):
    """A line of business, and the entity its requests are about (blueprint 9.3)."""

    id: Domain
    name: str
    primary_entity: Name
    sensitivity: DataClassification
    grounding_must_cite: tuple[str, ...] = ()
    record: "RecordFields"


class RecordFields(Model):
    """Members of an entity's record that say something about other items."""

    source_ids: tuple[Name, ...]
    """What its system of record calls it; whatever else stands in the section of the entity speaks for nobody else."""

    related: Name
    """Ids of the entities whose items may be used with it."""

    jurisdictions: Name
    """The jurisdictions that it belongs to: one, or a list."""


class ModelProfile(Model):
    """A language model's window and tokenizer."""

    id: Name
    encoding: Literal["o200k_base", "cl100k_base"]
    window: Tokens
    exact: bool
    """Whether the encoding is the model's own; otherwise counts are an estimate."""

    factor: Annotated[float, Field(ge=1, le=3)] = 1.0
    """What a count in the encoding is multiplied by to estimate the model's own (docs/packs.md)."""


class SectionBudget(Model):
    """What a kind of content may take (blueprint 7.1)."""

    name: Name
    sections: tuple[Section, ...]
    priority: Literal["FIXED", "HIGH", "MEDIUM", "LOW", "ADAPTIVE"]
    tokens: Tokens
    """What it may take when the whole budget is `Budgets.reference_tokens`; what is over it gives way first."""

    share: Literal["hard", "soft"]
    """Whether what is over it gives way even where the whole fits."""


class OverflowAction(Model):
    """One step of the overflow order (blueprint 7.2)."""

    name: Literal["compress_conversation", "reduce_few_shot", "prune_knowledge", "trim_prior_results"]
    section: Section
    keep: Tokens
    """How many items of the section stay, newest or best first."""

    prefer: tuple[str, ...] = ()
    """Labels of `doc_section` whose items are the best, in this order."""


class Library(Model):
    """What is carried over from one turn of a session to the next."""

    sections: tuple[Section, ...]
    segments: Tokens
    """How many it takes at most; what comes later is not carried over."""

    tokens: Tokens
    """What it may take of `Budgets.reference_tokens` before its oldest segments are shortened."""

    recoverable_sources: tuple[Name, ...]
    """Source types that can be fetched again, so that a digest may stand for them."""

    extract_characters: Tokens
    """How long a digest, or the extract of what cannot be fetched again, may be."""

    verbatim_characters: Tokens
    """What cannot be fetched again and is no longer than this is never shortened."""


class Budgets(Model):
    """How a token budget is divided, and what gives way first."""

    reference_tokens: Annotated[int, Field(strict=True, ge=1)]
    headroom_percent: Annotated[int, Field(strict=True, ge=0, le=90)]
    headroom_minimum: Tokens
    headroom_maximum: Tokens
    sections: tuple[SectionBudget, ...]
    overflow: tuple[OverflowAction, ...]
    never_cut_sections: tuple[Section, ...]
    never_cut_sources: tuple[Name, ...]
    summary_characters: Tokens
    """How much of each older turn stays in the extractive summary."""

    min_relevance: Annotated[float, Field(ge=0, le=1)]
    relevance_weight: Annotated[float, Field(ge=0, le=1)]
    authority_boost: Annotated[
        dict[Annotated[int, Field(ge=1, le=5)], Annotated[float, Field(ge=0, le=1)]], Field(min_length=5)
    ]
    """By tier of authority: policy gives an item any of the five (blueprint 5.1), and each needs its own to be ranked."""

    turn_decay: Annotated[float, Field(gt=0, le=1)]
    """What a turn of conversation is worth of the turn after it."""

    near_duplicate: Annotated[float, Field(gt=0, le=1)]
    """Share of common shingles from which two texts are nearly the same (Jaccard)."""

    overlap_characters: Annotated[int, Field(strict=True, ge=10)]
    """From how long an overlap on two chunks of one document are joined."""

    archetypes: dict[str, dict[str, Tokens]]
    """By archetype, lines of `sections` that have another size."""

    profiles: dict[str, dict[str, Tokens]]
    """By name, lines of `sections` that have another size for whom a row of `selected` says so."""

    selected: tuple[ProfileChoice, ...]
    """Who gets which profile; the first row that fits."""

    library: Library

    @model_validator(mode="after")
    def _every_section_once(self) -> "Budgets":
        # `line` takes the first that names a section: the size of a second one would stand in the table and bind nobody.
        named = [section for line in self.sections for section in line.sections]
        if sorted(named) != sorted(set(named)):
            msg = "a section stands in two budgets"
            raise ValueError(msg)
        if missing := sorted({*get_args(Section)} - {*named}):
            msg = f"the section {missing[0]} stands in no budget"
            raise ValueError(msg)
        lines = {line.name for line in self.sections}
        if any(not sizes.keys() <= lines for sizes in (*self.archetypes.values(), *self.profiles.values())):
            msg = "an archetype or a profile names a budget line that does not exist"
            raise ValueError(msg)
        if any(choice.profile not in self.profiles for choice in self.selected):
            msg = "a profile is selected that does not exist"
            raise ValueError(msg)
        return self

    def line(self, section: Section) -> SectionBudget:
        """The line that a section's items count against."""
        return next(line for line in self.sections if section in line.sections)

    def tokens_for(self, line: SectionBudget, agent: Agent, purpose: str, total: int) -> int:
        """What a line gives an agent for a purpose out of a whole budget."""
        sizes = self.archetypes.get(agent.archetype, {})
        chosen = next((choice.profile for choice in self.selected if choice.fits(agent, purpose)), None)
        size = (self.profiles[chosen] if chosen else sizes).get(line.name, line.tokens)
        return size * total // self.reference_tokens


class SourceKey(Model):
    """A key that a source signs labels with; whether it is still believed is policy."""

    kid: Name
    jwk: dict[str, str | list[str]]
    """The public key (RFC 7517): Ed25519, or P-256 for ES256."""

    valid_from: Day
    """From which day on, UTC, it signs."""

    retired_at: Day | None = None
    """From which day on it signs no more; what it signed before is still believed."""

    revoked_at: Day | None = None
    """From which day on nothing that it ever signed is believed."""

    @field_validator("jwk")
    @classmethod
    def _public(cls, jwk: dict[str, str | list[str]]) -> dict[str, str | list[str]]:
        point = {("OKP", "Ed25519"): {"x"}, ("EC", "P-256"): {"x", "y"}}.get((str(jwk.get("kty")), str(jwk.get("crv"))))
        if point is None or not point <= jwk.keys() or "d" in jwk:
            msg = "must be a public key for Ed25519 or P-256, without its private part"
            raise ValueError(msg)
        return jwk


class Grant(Model):
    """Which labels a source may give; what is not listed it may not claim."""

    source_ids: tuple[str, ...] = ()
    """Names, or beginnings of names with a `*` after them."""

    source_types: tuple[str, ...] = ()
    corpora: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    jurisdictions: tuple[str, ...] = ()
    data_classifications: tuple[str, ...] = ()


class SourceEntry(Model):
    """Where items come from: who owns them, what that owner may say of them, and how the gateway fetches them, if it does."""

    id: Name
    kind: Literal["directory", "http", "brought"]
    """How it is fetched from; what is brought comes with a request, signed by one of the keys."""

    location: str = ""
    """A folder under the sources root, or a URL; none for what is brought."""

    domains: tuple[Domain, ...] = ()
    """For requests of which domains it is asked."""

    sections: tuple[Section, ...] = ()
    """Which items are taken from what it answers."""

    critical: bool = False
    """Whether the request fails when this source does."""

    timeout_seconds: Annotated[float, Field(gt=0, le=30)] = 1.0
    keys: tuple[SourceKey, ...] = ()
    grant: Grant = Grant()

    @model_validator(mode="after")
    def _fetched_from_somewhere(self) -> "SourceEntry":
        if (self.kind == "brought") != (not self.location):
            msg = "a source that the gateway fetches from has a location, and no other has one"
            raise ValueError(msg)
        if len({key.kid for key in self.keys}) < len(self.keys):
            msg = "two keys of a source have one id"
            raise ValueError(msg)
        return self


class Prompt(Model):
    """A text that may instruct the model, by its hash."""

    id: Name
    version: Name
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Of the content: of a text its UTF-8 bytes, of JSON its canonical form (RFC 8785)."""

    sections: tuple[Section, ...]
    """Where it may stand."""

    agents: tuple[Name, ...]
    """For which agents; `*` for all."""

    owner: Name


class PromptLibrary(Model):
    """System prompts, tool schemas and few-shot examples: nothing else may stand in sections that instruct the model."""

    grant: Grant
    """Which labels the library may give."""

    prompts: tuple[Prompt, ...]


class Purpose(Model):
    """Why context is asked for."""

    id: Name
    description: str


class Registry(Model):
    """All of it, by id."""

    agents: dict[str, Agent]
    domains: dict[str, DomainEntry]
    models: dict[str, ModelProfile]
    purposes: dict[str, Purpose]
    contracts: dict[str, Contract]
    outputs: dict[str, OutputSchema]
    sources: dict[str, SourceEntry]
    prompts: PromptLibrary
    budgets: Budgets
    rendering: Rendering = Rendering()  # bundles kept from before have none, and ask for nothing that would need it

    def output_of(self, agent: str) -> OutputSchema | None:
        """What the results of an agent must look like; None where it is not registered or passes none on."""
        known = self.agents.get(agent)
        name = self.contracts[known.contract].output_schema if known else None
        return self.outputs[name] if name is not None else None

    def domain_of(self, agent: Agent, entity_type: str | None) -> Domain:
        """The agent's domain that deals with entities of that type; the agent's first one where none does."""
        return next((one for one in agent.domains if self.domains[one].primary_entity == entity_type), agent.domains[0])
