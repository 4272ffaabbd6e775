"""What the registry says of agents, contracts, domains, models, budgets, purposes, prompts, sources and tools."""

from functools import cached_property
from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue, model_validator

from gateway.model.base import BankWord, Model, Name
from gateway.model.content import Rendering
from gateway.model.contract import Agent, Contract, OutputSchema, ProfileChoice
from gateway.model.knowledge.chunking import Chunking
from gateway.model.knowledge.corpus import CorpusEntry
from gateway.model.knowledge.quality import QualityTable
from gateway.model.knowledge.retrieval import Retrieval
from gateway.model.sources.channels import Channel
from gateway.model.sources.entry import Grant, SourceEntry
from gateway.model.sources.offering import Offering, signature
from gateway.model.sources.queries import NamedQuery
from gateway.model.sources.tools import Tool
from gateway.model.words.vocabulary import Vocabulary

Domain = Name
Tokens = Annotated[int, Field(strict=True, ge=0)]

EVERY_AGENT: Final = "*"
"""Stands for all agents where a prompt says for which it is."""


class DomainEntry(Model):
    """A line of business, and the entity its requests are about (blueprint 9.3)."""

    id: Domain
    name: str
    primary_entity: Name
    sensitivity: BankWord
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
    sections: tuple[BankWord, ...]
    priority: Literal["FIXED", "HIGH", "MEDIUM", "LOW", "ADAPTIVE"]
    tokens: Tokens
    """What it may take when the whole budget is `Budgets.reference_tokens`; what is over it gives way first."""

    share: Literal["hard", "soft"]
    """Whether what is over it gives way even where the whole fits."""


class OverflowAction(Model):
    """One step of the overflow order (blueprint 7.2)."""

    name: Literal["compress_conversation", "reduce_few_shot", "prune_knowledge", "trim_prior_results"]
    section: BankWord
    keep: Tokens
    """How many items of the section stay, newest or best first."""

    prefer: tuple[str, ...] = ()
    """Labels of `doc_section` whose items are the best, in this order."""


class Library(Model):
    """What is carried over from one turn of a session to the next."""

    sections: tuple[BankWord, ...]
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
    never_cut_sections: tuple[BankWord, ...]
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
        lines = {line.name for line in self.sections}
        if any(not sizes.keys() <= lines for sizes in (*self.archetypes.values(), *self.profiles.values())):
            msg = "an archetype or a profile names a budget line that does not exist"
            raise ValueError(msg)
        if any(choice.profile not in self.profiles for choice in self.selected):
            msg = "a profile is selected that does not exist"
            raise ValueError(msg)
        return self

    def line(self, section: BankWord) -> SectionBudget:
        """The line that a section's items count against."""
        return next(line for line in self.sections if section in line.sections)

    def tokens_for(self, line: SectionBudget, agent: Agent, purpose: str, total: int) -> int:
        """What a line gives an agent for a purpose out of a whole budget."""
        sizes = self.archetypes.get(agent.archetype, {})
        chosen = next((choice.profile for choice in self.selected if choice.fits(agent, purpose)), None)
        size = (self.profiles[chosen] if chosen else sizes).get(line.name, line.tokens)
        return size * total // self.reference_tokens


class Prompt(Model):
    """A text that may instruct the model, by its hash."""

    id: Name
    version: Name
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """Of the content: of a text its UTF-8 bytes, of JSON its canonical form (RFC 8785)."""

    sections: tuple[BankWord, ...]
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
    tools: dict[str, Tool] = Field(default_factory=dict)  # bundles kept from before have no tools, corpora or queries
    corpora: dict[str, CorpusEntry] = Field(default_factory=dict)
    queries: dict[str, NamedQuery] = Field(default_factory=dict)
    channels: dict[str, Channel] = Field(default_factory=dict)
    offering: Offering | None = None  # nor do they show agents any tool
    retrieval: Retrieval | None = None  # nor do they find documents
    prompts: PromptLibrary
    budgets: Budgets
    quality: QualityTable | None = None  # bundles kept from before say nothing of how well documents are found
    rendering: Rendering = Rendering()  # bundles kept from before have none, and ask for nothing that would need it
    chunking: Chunking | None = None  # nor do they say how documents are cut
    vocabulary: Vocabulary = Vocabulary()  # bundles kept from before list no sections, and mean the shipped ones

    @cached_property
    def signatures(self) -> dict[str, dict[str, JsonValue]]:
        """What a model is told of each tool, by id; of none where the bundle does not say how tools are shown."""
        return {tool.id: signature(tool, self.offering) for tool in self.tools.values()} if self.offering else {}

    def output_of(self, agent: str) -> OutputSchema | None:
        """What the results of an agent must look like; None where it is not registered or passes none on."""
        known = self.agents.get(agent)
        name = self.contracts[known.contract].output_schema if known else None
        return self.outputs[name] if name is not None else None

    def domain_of(self, agent: Agent, entity_type: str | None) -> Domain:
        """The agent's domain that deals with entities of that type; the agent's first one where none does."""
        return next((one for one in agent.domains if self.domains[one].primary_entity == entity_type), agent.domains[0])
