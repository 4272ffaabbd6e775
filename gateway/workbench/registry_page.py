"""The chapter of the page of codes that shows who is on record: agents with their contracts, domains, purposes, jurisdictions, prompts."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gateway.model import Registry
from gateway.model.registry import Contract
from gateway.policy.bundle import Bundle
from gateway.policy.registry import registry_of


def registry_chapter(bundle: Bundle) -> Iterator[str]:
    """
    Markdown; nothing where the bundle brings no registry, as those kept from before.

    Raises:
        BundleInvalidError: the registry is none.
    """
    if "registry" not in bundle.data:
        return
    registry = registry_of(bundle)
    yield "## On record\n\nWhat `policies/registry` says of those who ask and of what they ask for.\n"
    yield _table(
        ("Agent", "Archetype", "Domains", "Contract", "Status", "Turns", "Result", "Requires", "What for"),
        _agents(registry),
    )
    domains = registry.domains.values()
    yield _table(
        ("Domain", "Name", "About", "Sensitivity", "Must cite"),
        ([d.id, d.name, d.primary_entity, d.sensitivity, _list(d.grounding_must_cite)] for d in domains),
    )
    yield _table(("Purpose", "What for"), ([p.id, p.description] for p in registry.purposes.values()))
    places: dict[str, Any] = bundle.data["context"].get("jurisdiction", {}).get("jurisdictions", {})
    yield _table(
        ("Jurisdiction", "Name", "Framework"),
        ([id_, p.get("name", ""), _list(p.get("framework", ()))] for id_, p in places.items()),
    )
    prompts = registry.prompts.prompts
    yield _table(
        ("Prompt", "Version", "Sections", "Agents", "Owner"),
        ([p.id, p.version, _list(p.sections), _list(p.agents), p.owner] for p in prompts),
    )


def _agents(registry: Registry) -> Iterator[Sequence[str]]:
    for agent in registry.agents.values():
        contract = registry.contracts[agent.contract]
        yield (
            agent.id,
            agent.archetype,
            _list(agent.domains),
            contract.id,
            contract.status,
            str(contract.max_turns),
            contract.output_schema or "none",
            _required(contract),
            agent.description,
        )


def _required(contract: Contract) -> str:
    words = {"refuse": "", "warn": " (warns)"}
    return _list(f"{need.name}{words[need.missing]}" for need in contract.required_sources)


def _list(values: Iterable[str]) -> str:
    return ", ".join(values) or "none"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows)]
    return "\n".join(lines) + "\n"
