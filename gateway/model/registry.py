"""What the registry says of agents, domains, models, budgets, purposes and sources."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from gateway.model.base import DataClassification, Model, Name, Section

Domain = Name
Tokens = Annotated[int, Field(strict=True, ge=0)]


class Agent(Model):
    """A registered caller."""

    id: Name
    archetype: Name
    domains: tuple[Domain, ...]
    contract: Name
    """Id of the agent's context contract."""

    description: str


class DomainEntry(Model):
    """A line of business, and the entity its requests are about (blueprint 9.3)."""

    id: Domain
    name: str
    primary_entity: Name
    sensitivity: DataClassification
    grounding_must_cite: tuple[str, ...] = ()


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

    reference_tokens: Tokens
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
    authority_boost: dict[int, float]
    turn_decay: Annotated[float, Field(gt=0, le=1)]
    """What a turn of conversation is worth of the turn after it."""

    near_duplicate: Annotated[float, Field(gt=0, le=1)]
    """Share of common shingles from which two texts are nearly the same (Jaccard)."""

    overlap_characters: Annotated[int, Field(strict=True, ge=10)]
    """From how long an overlap on two chunks of one document are joined."""

    archetypes: dict[str, dict[str, Tokens]]
    """By archetype, lines of `sections` that have another size."""

    library: Library

    @model_validator(mode="after")
    def _every_section_once(self) -> "Budgets":
        # `line` takes the first that names a section: the size of a second one would stand in the table and bind nobody.
        named = [section for line in self.sections for section in line.sections]
        if sorted(named) != sorted(set(named)):
            msg = "a section stands in two budgets"
            raise ValueError(msg)
        lines = {line.name for line in self.sections}
        if any(not sizes.keys() <= lines for sizes in self.archetypes.values()):
            msg = "an archetype names a budget line that does not exist"
            raise ValueError(msg)
        return self

    def line(self, section: Section) -> SectionBudget:
        """The line that a section's items count against."""
        return next(line for line in self.sections if section in line.sections)

    def tokens_for(self, line: SectionBudget, archetype: str, total: int) -> int:
        """What a line gives an agent of that archetype out of a whole budget."""
        size = self.archetypes.get(archetype, {}).get(line.name, line.tokens)
        return size * total // self.reference_tokens


class SourceEntry(Model):
    """A place the gateway fetches items from."""

    id: Name
    kind: Literal["directory", "http"]
    location: Name
    """A folder under the sources root, or a URL."""

    domains: tuple[Domain, ...]
    sections: tuple[Section, ...]
    critical: bool
    """Whether the request fails when this source does."""

    timeout_seconds: Annotated[float, Field(gt=0, le=30)]


class Purpose(Model):
    """Why context is asked for."""

    id: Name
    description: str


class Contract(Model):
    """What one agent's contract names, beyond the terms of its archetype (which are policy)."""

    id: Name
    agent: Name
    status: Literal["ACTIVE", "DRAFT"]
    required_sources: tuple[Name, ...]
    """Tools and documents the agent cannot do without."""


class Registry(Model):
    """All of it, by id."""

    agents: dict[str, Agent]
    domains: dict[str, DomainEntry]
    models: dict[str, ModelProfile]
    purposes: dict[str, Purpose]
    contracts: dict[str, Contract]
    sources: tuple[SourceEntry, ...]
    budgets: Budgets

    @model_validator(mode="after")
    def _names_resolve(self) -> "Registry":
        for agent in self.agents.values():
            for domain in agent.domains:
                if domain not in self.domains:
                    msg = f"agent {agent.id} names the unknown domain {domain}"
                    raise ValueError(msg)
            if agent.contract not in self.contracts:
                msg = f"agent {agent.id} names the unknown contract {agent.contract}"
                raise ValueError(msg)
        return self
