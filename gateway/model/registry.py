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


class SectionBudget(Model):
    """What a kind of content may take (blueprint 7.1)."""

    name: Name
    sections: tuple[Section, ...]
    priority: Literal["FIXED", "HIGH", "MEDIUM", "LOW", "ADAPTIVE"]
    tokens: Tokens
    """The most it takes when the whole budget is `Budgets.reference_tokens`."""


class OverflowAction(Model):
    """One step of the overflow order (blueprint 7.2)."""

    name: Literal["compress_conversation", "reduce_few_shot", "prune_knowledge", "trim_prior_results"]
    section: Section
    keep: Tokens
    """How many items of the section stay, newest or best first."""


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

    @model_validator(mode="after")
    def _every_section_once(self) -> "Budgets":
        named = [section for line in self.sections for section in line.sections]
        if sorted(named) != sorted(set(named)):
            msg = "a section stands in two budgets"
            raise ValueError(msg)
        return self


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
