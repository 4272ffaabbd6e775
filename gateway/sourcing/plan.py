"""
Which tools are called for a request: those that its agent's contract requires and that nobody has brought already.

Rule held here: a plan follows from the request and the registry alone, so that the same request asks the same sources.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from gateway.model import Candidate, Case, Registry, SourceEntry, utc_text
from gateway.model.contract import RequiredSource
from gateway.model.sources.tools import AskedFact, Tool, ToolResult


@dataclass(frozen=True, slots=True)
class Planned:
    """A tool that is to be called for a request."""

    tool: Tool
    source: SourceEntry
    result: ToolResult
    """How its result becomes an item."""

    needed: bool
    """Whether the request fails without it: its contract or its source says so."""

    record: bool
    """Whether it gives the record of the request's entity."""

    arguments: Mapping[str, JsonValue] | None
    """None where the request lacks a fact that the tool takes."""


def plan(case: Case, registry: Registry, vouched: Callable[[Candidate], bool]) -> tuple[Planned, ...]:
    """
    The tools to call, in the order in which the contract requires them; each once.

    Args:
        case: the request.
        registry: the contract, and the tools that there are.
        vouched: whether somebody verifiably vouches for an item that was brought; asked of those alone that would fill a need.
    """
    contract = registry.contracts[case.agent.contract]
    found: dict[str, Planned] = {}
    for need in contract.required_sources:
        tool = _tool_for(need, case, registry)
        if tool is None or tool.result is None or _brought(need, tool.result, case, vouched):
            continue
        before = found.get(tool.id)
        needed = need.missing == "refuse" or (before is not None and before.needed)
        found[tool.id] = _planned(tool, tool.result, case, registry, needed=needed)
    return tuple(found.values())


def _tool_for(need: RequiredSource, case: Case, registry: Registry) -> Tool | None:
    """The tool of the need's own name, or else the first whose results fill it; of those for the domain of the request."""
    if need.with_entity and case.request.entity is None:
        return None
    tools = [tool for tool in registry.tools.values() if tool.result and case.domain in tool.domains]
    named = (tool for tool in tools if tool.id == need.name)
    filling = (tool for tool in tools if tool.result and _fills(need, tool.result.source_id))
    tool = next(named, None) or next(filling, None)
    return None if tool and tool.asks_about_entity and case.request.entity is None else tool


def _fills(need: RequiredSource, source_id: str) -> bool:
    beginnings = (pattern.removesuffix("*") for pattern in need.sources if pattern.endswith("*"))
    return source_id in (need.name, *need.sources) or any(map(source_id.startswith, beginnings))


def _brought(need: RequiredSource, result: ToolResult, case: Case, vouched: Callable[[Candidate], bool]) -> bool:
    """Whether an item of the request is what is needed: one for which nobody vouches keeps no source from being asked."""
    return any(
        _fills(need, item.provenance.source_id or "") and _about(item, result, case) and vouched(item)
        for item in case.request.items
    )


def _about(item: Candidate, result: ToolResult, case: Case) -> bool:
    entity = case.request.entity
    return result.entity_member is None or (entity is not None and item.provenance.entity_id == entity.id)


def _planned(tool: Tool, result: ToolResult, case: Case, registry: Registry, *, needed: bool) -> Planned:
    source = registry.sources[tool.source]
    named = registry.domains[case.domain].record.source_ids
    return Planned(
        tool=tool,
        source=source,
        result=result,
        needed=needed or source.critical,
        record=result.section == "entity" and result.source_id in named,
        arguments=_arguments(tool, case),
    )


def _arguments(tool: Tool, case: Case) -> Mapping[str, JsonValue] | None:
    if case.request.as_of is not None and "as_of" not in tool.arguments.values():
        # Asked for the past, it would answer with the present.
        return None
    found = dict(_filled(tool.arguments.items(), case))
    missing = [name for name, fact in tool.arguments.items() if name not in found and fact != "as_of"]
    return None if missing else found


def _filled(arguments: Iterable[tuple[str, AskedFact]], case: Case) -> Iterator[tuple[str, JsonValue]]:
    known = {fact: value for fact, value in _facts(case).items() if value not in (None, "", [])}
    yield from ((name, known[fact]) for name, fact in arguments if fact in known)


def _facts(case: Case) -> dict[AskedFact, JsonValue]:
    request, subject, entity = case.request, case.subject, case.request.entity
    return {
        "entity.id": entity.id if entity else None,
        "entity.type": entity.type if entity else None,
        "entity.number": _number(entity.id) if entity else None,
        "jurisdictions": list(request.jurisdictions),
        "jurisdiction": request.jurisdictions[0] if len(request.jurisdictions) == 1 else None,
        "domain": case.domain,
        "purpose": request.purpose,
        "agent": case.agent.id,
        # In one form, so that a database may compare texts.
        "as_of": utc_text(datetime.fromisoformat(request.as_of)) if request.as_of else None,
        "query": request.query,
        "user.jurisdictions": list(subject.jurisdictions),
        "user.role": subject.role,
        "user.department": subject.department,
    }


def _number(name: str) -> int | None:
    """The digits at the end of a name as a number: 142 of `NPA-2026-00142`; None where there are none, or too many to be exact."""
    digits = name[len(name.rstrip("0123456789")) :]
    return int(digits) if 0 < len(digits) <= 15 else None
