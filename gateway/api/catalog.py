"""What may be asked for, as the bundle that decides has it: the words of requests and items, for whoever writes them."""

from typing import Any, Final

from gateway.model import Agent, Registry, SourceEntry, Subject
from gateway.model.base import Model
from gateway.model.words.labels import LabelEntry

SCOPES: Final = {
    "exceptions:ask": "ask for an exception",
    "exceptions:approve": "approve or revoke exceptions that others asked for",
    "citations:verify": "have claims checked against a pack",
    "erasure:write": "ask that a person is erased, and approve what another asked for",
    "knowledge:read": "list documents of the own tenant",
    "knowledge:write": "take documents in, and take them back",
    "ledger:evidence": "read what lies behind records of the own tenant",
    "ledger:export": "read the log and its checkpoints",
    "ledger:read": "read records of the own tenant",
    "metrics:read": "watch the process",
    "packs:write": "have packs made, and ask what that needs",
    "pii:detokenize": "learn what tokens in texts stand for",
    "policy:activate": "activate what another person proposed",
    "policy:propose": "propose a bundle",
    "rulings:write": "have items decided on, without a pack",
}
"""Scopes of a token, and what they allow."""


class AgentWords(Model):
    """An agent that the token speaks for."""

    id: str
    """How requests name it."""

    archetype: str
    """What kind of agent it is."""

    domains: tuple[str, ...]
    """Those it works in."""

    description: str
    """What it means, in words."""

    needs: tuple[str, ...]
    """Tools and documents that its contract names: of some, a pack without them is refused."""


class DescribedWord(Model):
    """A word with what it means."""

    id: str
    """How requests name it."""

    description: str
    """What it means, in words."""


class DomainWords(Model):
    """A line of business, and what its requests are about."""

    id: str
    """How requests name it."""

    name: str
    """What it is called."""

    primary_entity: str
    """Type of the entity that its requests are about."""


class ModelWords(Model):
    """A language model, and how many tokens a request for it may have."""

    id: str
    """How requests name it."""

    window: int
    """In tokens."""


class SourceWords(Model):
    """A source whose items one of these agents may be given."""

    id: str
    """How who signs for it names it."""

    fetched: bool
    """Whether the gateway fetches from it; where it does not, requests bring its items with its signature."""

    source_types: tuple[str, ...]
    """What its items may say they are."""

    corpora: tuple[str, ...]
    """Collections that its items may say they were taken from."""

    domains: tuple[str, ...]
    """Lines of business that its items may belong to."""


class LabelWords(Model):
    """A label that items may carry in `provenance.labels`."""

    name: str
    """What it is called."""

    type: str
    """Word, text, date, number or boolean."""

    words: tuple[str, ...]
    """What it may say, of the type word."""

    source_types: tuple[str, ...]
    """Of which source types items may carry it; none for all."""

    description: str
    """What it means, in words."""


class Catalog(Model):
    """The words of the bundle that decides; other words are refused with GW-120 or GW-230."""

    policy: str
    """Revision of the bundle."""

    agents: tuple[AgentWords, ...]
    """Those that the token speaks for."""

    purposes: tuple[DescribedWord, ...]
    """What requests may be for."""

    models: tuple[ModelWords, ...]
    """For which packs may be made."""

    domains: tuple[DomainWords, ...]
    """Lines of business."""

    jurisdictions: tuple[str, ...]
    """Whose rules apply."""

    classifications: tuple[str, ...]
    """The least sensitive first."""

    source_types: tuple[str, ...]
    """Kinds of sources."""

    sections: tuple[str, ...]
    """In the order of a pack."""

    sources: tuple[SourceWords, ...]
    """Those that may speak of a domain of these agents, without where they are and without their keys."""

    labels: tuple[LabelWords, ...]
    """What items may carry beside their provenance."""

    scopes: tuple[DescribedWord, ...]
    """All that a token may hold, with what they allow."""


def catalog_of(registry: Registry, revision: str, subject: Subject) -> Catalog:
    """What a person may ask for under a bundle: of agents those alone that the token speaks for, as everywhere."""
    words = registry.vocabulary
    # Which other agents there are is nobody's business: a request for one is refused as if there were none.
    mine = registry.agents.keys() if subject.agents is None else {*subject.agents}
    agents = [agent for agent in registry.agents.values() if agent.id in mine]
    domains = {domain for agent in agents for domain in agent.domains}
    sources = [source for source in registry.sources.values() if domains & {*source.grant.domains}]
    return Catalog(
        policy=revision,
        agents=tuple(_agent(agent, registry) for agent in agents),
        purposes=tuple(DescribedWord(**_of(purpose, DescribedWord)) for purpose in registry.purposes.values()),
        models=tuple(ModelWords(**_of(model, ModelWords)) for model in registry.models.values()),
        domains=tuple(DomainWords(**_of(domain, DomainWords)) for domain in registry.domains.values()),
        jurisdictions=words.jurisdictions,
        classifications=words.classifications,
        source_types=words.source_types,
        sections=tuple(words.by_section),
        sources=tuple(map(_source, sources)),
        labels=tuple(LabelWords(name=name, **_of(entry, LabelEntry)) for name, entry in words.labels.items()),
        scopes=tuple(DescribedWord(id=scope, description=text) for scope, text in SCOPES.items()),
    )


def _agent(agent: Agent, registry: Registry) -> AgentWords:
    needs = tuple(need.name for need in registry.contracts[agent.contract].required_sources)
    return AgentWords(
        id=agent.id, archetype=agent.archetype, domains=agent.domains, description=agent.description, needs=needs
    )


def _source(source: SourceEntry) -> SourceWords:
    grant = source.grant
    return SourceWords(
        id=source.id,
        fetched=source.kind != "brought",
        source_types=grant.source_types,
        corpora=grant.corpora,
        domains=grant.domains,
    )


def _of(entry: Model, shape: type[Model]) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in shape.model_fields}
