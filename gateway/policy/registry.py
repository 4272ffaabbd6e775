"""Reading the registry of a bundle: agents, contracts, domains, models, purposes, budgets, prompts and sources."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from gateway.errors import BundleInvalidError
from gateway.model import Registry
from gateway.model.knowledge.chunking import ChunkRule
from gateway.model.registry import EVERY_AGENT
from gateway.model.sources.entry import SourceKey
from gateway.model.sources.tools import Tool
from gateway.policy.bundle import Bundle
from gateway.policy.vetting.dates import meant
from gateway.policy.vetting.hints import hint
from gateway.policy.vetting.words import words_of

BY_ID: Final = (
    *("agents", "channels", "contracts", "corpora", "domains", "models", "purposes", "queries", "sources", "tools"),
)
"""Folders of `registry` whose table has an entry for each id."""

TABLES: Final = tuple(sorted(Registry.model_fields))
"""Folders of `registry`."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something in the registry of a bundle that keeps it from deciding."""

    table: str
    """Folder of `registry`; empty where the registry is missing whole."""

    place: tuple[str, ...]
    """Entry and field within the table."""

    message: str
    hint: str = ""
    """What may be meant; empty where nobody can tell."""

    def __str__(self) -> str:
        return f"{'/'.join(('registry', *filter(None, (self.table,)), *self.place))}: {self.message}"


def registry_of(bundle: Bundle) -> Registry:
    """
    The registry that a bundle brings, checked.

    Raises:
        BundleInvalidError: names the table and the field at fault.
    """
    read = _read(bundle)
    if isinstance(read, Registry):
        return read
    raise BundleInvalidError(str(read[0]))


def flaws(bundle: Bundle) -> list[Flaw]:
    """Everything that is wrong with the registry of a bundle; nothing where `registry_of` reads it."""
    read = _read(bundle)
    return [] if isinstance(read, Registry) else read


def _missing(bundle: Bundle) -> Iterator[Flaw]:
    tables = bundle.data.get("registry")
    if not isinstance(tables, dict):
        yield Flaw("", (), "the bundle holds no registry: there is no registry/agents/data.yaml")
        return
    for name in TABLES:
        if name not in tables and not Registry.model_fields[name].is_required():
            continue
        if not isinstance(tables.get(name), dict):
            yield Flaw(name, (), f"the bundle lacks registry/{name}/data.yaml")
    for name in sorted(tables.keys() - set(TABLES), key=str):
        yield Flaw(str(name), (), f"nothing reads a table of this name; there are {', '.join(TABLES)}")


def _read(bundle: Bundle) -> Registry | list[Flaw]:
    """The registry, or what is wrong with it."""
    if missing := list(_missing(bundle)):
        return missing
    tables: Mapping[str, Any] = bundle.data["registry"]
    try:
        entries = {name: _entries(name, table) for name, table in tables.items()}
        listed = entries.get("vocabulary", {})
        registry = Registry.model_validate({**entries, "vocabulary": {**listed, **words_of(bundle.data)}})
    except ValidationError as error:
        return [_flaw(one) for one in error.errors()]
    return list(_dangling(registry)) or registry


def _entries(name: str, table: Mapping[str, Any]) -> Mapping[str, Any]:
    if name == "outputs":
        # A schema is a document of its own, in which no member of ours may stand.
        return {id_: {"id": id_, "schema_": schema} for id_, schema in table.items()}
    return _with_ids(table) if name in BY_ID else table


def _with_ids(table: Mapping[str, Any]) -> dict[str, Any]:
    """Entries that know their id; what is no table stays as it is, for the model to refuse."""
    return {id_: {**entry, "id": id_} if isinstance(entry, dict) else entry for id_, entry in table.items()}


def _flaw(error: ErrorDetails) -> Flaw:
    table, *place = map(str, error["loc"] or ("",))
    if error["loc"][-1:] and error["loc"][-1] in SourceKey.model_fields and (dates := meant(error["input"])):
        return Flaw(table, tuple(place), error["msg"], f"Did you mean {' or '.join(dates)}?")
    return Flaw(table, tuple(place), error["msg"])


def _dangling(registry: Registry) -> Iterator[Flaw]:
    """Names that an entry says of another one, which does not exist."""
    budgeted = {section for line in registry.budgets.sections for section in line.sections}
    for name in registry.vocabulary.by_section:
        if name not in budgeted:
            yield Flaw("budgets", ("sections",), f"the section {name} stands in no budget", "Name it in a line.")
    yield from _too_large(registry)
    for table, place, kind, name in _named(registry):
        known: Mapping[str, object] = getattr(registry, f"{kind}s")
        if name not in known:
            yield Flaw(table, place, f"names the unknown {kind} {name}", hint(name, known))
    for corpus in registry.corpora.values():
        said = registry.vocabulary.labels.get("document_type")
        for kind in corpus.document_types:
            if said is None or kind not in said.words:
                words = said.words if said else ()
                place = (corpus.id, "document_types")
                yield Flaw("corpora", place, f"the label document_type never says {kind}", hint(kind, words))
    for tool in registry.tools.values():
        if problem := _uncallable(tool, registry):
            yield Flaw("tools", (tool.id, "operation"), problem)
    for agent in registry.agents.values():
        contract = registry.contracts.get(agent.contract)
        if contract is not None and contract.agent != agent.id:
            yield Flaw("agents", (agent.id, "contract"), f"names the contract {contract.id} of another agent")


def _uncallable(tool: Tool, registry: Registry) -> str:
    """Why the gateway could not call a tool; empty where it can, or never would."""
    source = registry.sources.get(tool.source)
    if source is None or tool.result is None:
        return ""
    if not source.calls_tools:
        return f"the source {source.id} is of the kind {source.kind}, of which no tools are called"
    if source.kind != "sql":
        return "" if tool.pin else "is not pinned: `ctxgate source check` prints what the server offers, and its pin"
    query = registry.queries.get(tool.operation)
    if query is None or query.source != source.id:
        return f"there is no query of that name for the source {source.id}"
    return (
        "" if query.parameters.keys() == tool.arguments.keys() else "has other arguments than its query has parameters"
    )


def _too_large(registry: Registry) -> Iterator[Flaw]:
    """Kinds of chunks that the table `retrieval` does not allow."""
    if registry.chunking is None or registry.retrieval is None:
        return
    used, most = registry.chunking.profile, registry.retrieval.max_chunk_tokens
    profile = registry.chunking.profiles[used]
    rules: dict[tuple[str, ...], ChunkRule] = {("default",): profile.default}
    rules |= {("document_types", kind): rule for kind, rule in profile.document_types.items()}
    for place, rule in rules.items():
        if rule.tokens > most:
            message = f"a chunk may have {most} tokens at most (registry/retrieval/max_chunk_tokens)"
            yield Flaw("chunking", ("profiles", used, *place, "tokens"), message)


def _named(registry: Registry) -> Iterator[tuple[str, tuple[str, str], str, str]]:
    """Every name of another entry: the table and place where it stands, what kind of entry it names, and the name."""
    for agent in registry.agents.values():
        yield from (("agents", (agent.id, "domains"), "domain", domain) for domain in agent.domains)
        yield "agents", (agent.id, "contract"), "contract", agent.contract
    for contract in registry.contracts.values():
        yield "contracts", (contract.id, "agent"), "agent", contract.agent
        if contract.output_schema is not None:
            yield "contracts", (contract.id, "output_schema"), "output", contract.output_schema
    for source in registry.sources.values():
        yield from (("sources", (source.id, "domains"), "domain", domain) for domain in source.domains)
    for channel in registry.channels.values():
        for kind in ("agent", "purpose", "model", "domain"):
            yield "channels", (channel.id, kind), kind, getattr(channel, kind)
    for query in registry.queries.values():
        yield "queries", (query.id, "source"), "source", query.source
    for tool in registry.tools.values():
        yield "tools", (tool.id, "source"), "source", tool.source
        yield from (("tools", (tool.id, "domains"), "domain", domain) for domain in tool.domains)
    # Grants are left out: what they list are labels of items, and policy knows domains that no agent has, such as ALL.
    for prompt in registry.prompts.prompts:
        named = (agent for agent in prompt.agents if agent != EVERY_AGENT)
        yield from (("prompts", (prompt.id, "agents"), "agent", agent) for agent in named)
