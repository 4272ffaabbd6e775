"""
Stage: which tools is the agent told of?

Rules held here: policy says which it may see, the question which of these it needs, and the registry what is said of them; what a
model is told of a tool is an item like any other from here on, decided on, screened, recorded and counted.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gateway.concurrency.apart import apart
from gateway.content.parsing import check_distinct
from gateway.content.signatures import held_against, names_in
from gateway.model import Candidate, Case, Registry
from gateway.model.policy_answer import ToolAnswer
from gateway.model.policy_input import CallFacts, ScopeInput, ShownToolFacts, ToolInput
from gateway.model.request import Provenance
from gateway.model.sources.offering import OfferedTool, Offering, near, spoken
from gateway.model.sources.tools import Tool
from gateway.policy.ask import ask
from gateway.policy.entrypoints import TOOL
from gateway.ports.packing import Lexicon
from gateway.ports.policy import PolicyEngine
from gateway.selection.offering import needed
from gateway.sourcing.calling import Gathered

_ASKED_IN: Final = frozenset({"task", "user"})
"""Sections of the caller's items that say what is asked, beside the query."""

_CHARACTERS: Final = 20_000
"""Of what is asked so many are read."""


_SILENT: Final = frozenset({"off", "unavailable", "timed_out"})
"""What came of calls whose source gave no sign of life."""


@dataclass(frozen=True, slots=True)
class ToolsOffered:
    """What became of the registry's tools in one request."""

    items: tuple[OfferedTool, ...] = ()
    """The signatures that the agent is told of."""

    told: tuple[ShownToolFacts, ...] = ()
    """Every tool, with what became of it."""


async def offer(
    case: Case,
    brought: Gathered,
    registry: Registry,
    toolboxes: Collection[str] | None,
    *,
    policy: PolicyEngine,
    lexicon: Lexicon,
) -> ToolsOffered:
    """
    The signatures of the tools that the agent may see and the question needs.

    Args:
        case: the request.
        brought: its items, and what came of the calls that were made for it.
        registry: the tools, and how they are shown.
        toolboxes: ids of the sources of tools that are on; None where no tool is to be shown.
        policy: to ask.
        lexicon: finds tools by words.

    Raises:
        DuplicateItemError: the request calls an item of its own as one that tells of a tool.

        PolicyError: policy gave no usable answer.
    """
    # Where no source with tools is on there is nothing to tell, and nobody is asked.
    if registry.offering is None or not toolboxes:
        return ToolsOffered()
    on = available(toolboxes, (call.facts for call in brought.calls))
    tools = sorted(registry.tools.values(), key=lambda tool: tool.id)
    shared = case.facts()
    answers = await ask(policy, TOOL, [_facts(tool, shared, on) for tool in tools])
    return await apart(lambda: _shown([*zip(tools, answers, strict=True)], case, brought.items, registry, lexicon))


def available(toolboxes: Iterable[str] | None, calls: Iterable[CallFacts]) -> frozenset[str]:
    """Ids of the sources with tools that are on, without those of which a call of this request got no answer at all."""
    silent = {call["source"] for call in calls if call["status"] in _SILENT}
    return frozenset(toolboxes or ()) - silent


def _facts(tool: Tool, shared: ScopeInput, on: Collection[str]) -> ToolInput:
    return {
        **shared,
        "tool": {
            "id": tool.id,
            "source": tool.source,
            "domains": list(tool.domains),
            "safety": list(tool.safety),
            "available": tool.source in on,
        },
    }


def _shown(
    answers: Sequence[tuple[Tool, ToolAnswer]],
    case: Case,
    candidates: Sequence[Candidate],
    registry: Registry,
    lexicon: Lexicon,
) -> ToolsOffered:
    terms, brought = registry.offering, _brought(candidates, registry)
    if terms is None:
        return ToolsOffered()
    # As promise 14 has it: what an agent may not see has no part in how well the others fit.
    allowed = {tool.id: tool for tool, answer in answers if answer.allow and tool.id not in brought}
    fits = dict(zip(allowed, lexicon.fits(_asked(case), [spoken(tool) for tool in allowed.values()]), strict=True))
    chosen = needed(fits, {name for name, tool in allowed.items() if near(tool, case.domain)}, terms)
    told = [_told(tool.id, answer, brought, chosen) for tool, answer in answers]
    items = tuple(_item(allowed[name], case, registry, terms) for name in chosen)
    # A ruling must name exactly one item, whatever the caller calls theirs.
    check_distinct((*candidates, *items))
    return ToolsOffered(items, tuple(told))


def _told(name: str, answer: ToolAnswer, brought: Collection[str], chosen: Collection[str]) -> ShownToolFacts:
    codes = sorted(denial.code for denial in answer.denials)
    if not answer.allow:
        return {"id": name, "outcome": "refused", "codes": codes}
    outcome: Literal["brought", "offered", "not_needed"] = (
        "brought" if name in brought else "offered" if name in chosen else "not_needed"
    )
    return {"id": name, "outcome": outcome, "codes": []}


def _brought(candidates: Sequence[Candidate], registry: Registry) -> set[str]:
    """Tools that items tell of as the registry or the prompt library has it: to tell of them twice would cost, and could differ."""
    section = registry.offering.section if registry.offering else None
    library = {prompt.sha256 for prompt in registry.prompts.prompts}
    found: set[str] = set()
    for item in candidates:
        if item.section == section:
            found.update(held_against(item.content, registry.signatures)["known"])
            found.update(names_in(item.content) if item.digest in library else ())
    return found


def _asked(case: Case) -> str:
    """What the caller's own words ask; they choose among tools that the agent may see, and open none."""
    items = (item.content for item in case.request.items if item.section in _ASKED_IN)
    texts = [case.request.query or "", *(text for text in items if isinstance(text, str))]
    return "\n".join(text[:_CHARACTERS] for text in texts)[:_CHARACTERS]


def _item(tool: Tool, case: Case, registry: Registry, terms: Offering) -> OfferedTool:
    labels = terms.labels
    return OfferedTool(
        id=f"signature:{tool.id}",
        section=terms.section,
        content=registry.signatures[tool.id],
        media_type="application/json",
        provenance=Provenance(
            **labels.model_dump(),
            owner=tool.owner,
            doc_section=tool.id,
            fetched_at=case.at,
        ),
        tool=tool.id,
    )
