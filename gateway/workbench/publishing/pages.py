"""The page that lists every code: what it means, owner, control, and a case that shows it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gateway.errors import BundleInvalidError
from gateway.model import Registry
from gateway.model.contract import Contract
from gateway.policy.annotations import Annotation, annotations
from gateway.policy.areas import ENTRY, Area, Areas, areas_of
from gateway.policy.bundle import Bundle
from gateway.policy.codes import Described, rows
from gateway.policy.registry import registry_of
from gateway.workbench.cases import NOTED, document_of
from gateway.workbench.mutation import module_of

_HEADER = "| Code | Rule | What it means | Control | Case |\n|---|---|---|---|---|\n"
_INTRODUCTION = (
    "# Policies\n\nEvery code that a caller can see and that policy answers for: what it says, who owns it, which control it"
    " implements.\nAreas stand in the order in which they are asked.\n"
)


def policies_page(bundle: Bundle) -> str:
    """
    Markdown, made from the list of areas, the METADATA of the rules, the tables and the officers' cases.

    Raises:
        BundleInvalidError: the bundle has no list of its areas.
    """
    areas = areas_of(bundle)
    described = rows(bundle)
    parts = [_INTRODUCTION, *_questions(bundle, areas)]
    for area in areas.listed:
        own = [one for one in described if one.area == area.name]
        parts += _chapter(bundle, areas, area, own)
    named = {ENTRY, *(module_of(area) for area in areas.listed)}
    for name in sorted(bundle.modules.keys() - named):
        parts.append(_head(bundle, name, ""))
    parts += (f"\n{part}" for part in _on_record(bundle))
    return "".join(parts)


def _questions(bundle: Bundle, areas: Areas) -> Iterator[str]:
    """The entrypoints, and the areas that each asks."""
    yield _head(bundle, ENTRY, "")
    yield "\n| Entrypoint | Question | Areas |\n|---|---|---|\n"
    titles = {
        block.target.partition(" ")[0]: block.fields["title"]
        for block in annotations(bundle.modules.get(ENTRY, ""))
        if block.fields.get("entrypoint")
    }
    for entrypoint in areas.entrypoints():
        asked = ", ".join(f"[{area.title}](#{_anchor(area.title)})" for area in areas.asked_by(entrypoint))
        yield f"| `{entrypoint}` | {titles.get(entrypoint, '—')} | {asked} |\n"


def _chapter(bundle: Bundle, areas: Areas, area: Area, own: list[Described]) -> Iterator[str]:
    kinds = [f"Asked by {' and '.join(f'`{name}`' for name in areas.asking(area))}."]
    if not area.refuses:
        kinds.append("Warns, and refuses nothing.")
    if area.waivable:
        kinds.append("An exception in force may waive its refusals.")
    yield _head(bundle, module_of(area), " ".join(kinds))
    blocks = [block for block in annotations(bundle.modules.get(module_of(area), "")) if block.code]
    if blocks or own:
        yield f"\n{_HEADER}"
    cases = _cases(bundle, area)
    for block in blocks:
        yield _row(block, _case(cases, str(block.code)))
    for one in own:
        control = _links([one.row.control])
        meaning = f"{one.row.description} Given by the gateway itself; owner: {one.row.owner}."
        yield f"| `{one.code}` | {one.row.title} | {meaning} | {control} | — |\n"


def _head(bundle: Bundle, name: str, kinds: str) -> str:
    blocks = annotations(bundle.modules.get(name, ""))
    if not blocks:
        raise BundleInvalidError(f"there is no {name}, or it has no METADATA")
    package = blocks[0].fields
    owner = ", ".join(package.get("organizations", []))
    about = " ".join(part for part in (f"Owner: {owner}.", f"File: `policies/{name}`.", kinds) if part)
    return f"\n## {package['title']}\n\n{str(package['description']).strip()}\n\n{about}\n"


def _row(block: Annotation, case: str) -> str:
    meaning = str(block.fields.get("description", "—")).strip()
    return f"| `{block.code}` | {block.fields['title']} | {meaning} | {_links(block.controls)} | {case} |\n"


def _links(controls: list[str]) -> str:
    return " ".join(f"[{url.rpartition('/')[2]}]({url})" for url in controls) or "—"


def _anchor(title: str) -> str:
    return title.lower().replace(" ", "-")


def _cases(bundle: Bundle, area: Area) -> Mapping[str, Any]:
    """The area's file of cases; empty where the bundle brings none."""
    name = f"context/{area.name}/cases.yaml"
    return document_of(bundle, name) if name in bundle.checks else {}


def _case(cases: Mapping[str, Any], code: str) -> str:
    """The first case that shows a code, or an empty cell's dash."""
    shown = [case for part in ("refused", *NOTED) for case in cases.get(part, ())]
    named = next((case["case"] for case in shown if code in case["codes"]), None)
    if named is None and cases and code in cases["nothing_known"]["codes"]:
        named = "nothing known"
    return str(named or "—")


def _on_record(bundle: Bundle) -> Iterator[str]:
    """Agents with their contracts, domains, purposes, jurisdictions, prompts, tools; nothing where the bundle brings no registry."""
    # Bundles kept from before have theirs elsewhere, and their page is still asked for.
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
        ([d.id, d.name, d.primary_entity, d.sensitivity, _words(d.grounding_must_cite)] for d in domains),
    )
    yield _table(("Purpose", "What for"), ([p.id, p.description] for p in registry.purposes.values()))
    places: dict[str, Any] = bundle.data["context"].get("jurisdiction", {}).get("jurisdictions", {})
    yield _table(
        ("Jurisdiction", "Name", "Framework"),
        ([id_, p.get("name", ""), _words(p.get("framework", ()))] for id_, p in places.items()),
    )
    prompts = registry.prompts.prompts
    yield _table(
        ("Prompt", "Version", "Sections", "Agents", "Owner"),
        ([p.id, p.version, _words(p.sections), _words(p.agents), p.owner] for p in prompts),
    )
    if tools := sorted(registry.tools.values(), key=lambda tool: tool.id):
        yield _table(
            ("Tool", "Source", "Domains", "Safety", "What for", "Asked for as", "Owner"),
            (
                [t.id, t.source, _words(t.domains), _words(t.safety), t.description, _words(t.words), t.owner]
                for t in tools
            ),
        )


def _agents(registry: Registry) -> Iterator[Sequence[str]]:
    for agent in registry.agents.values():
        contract = registry.contracts[agent.contract]
        yield (
            agent.id,
            agent.archetype,
            _words(agent.domains),
            contract.id,
            contract.status,
            str(contract.max_turns),
            contract.output_schema or "none",
            _required(contract),
            agent.description,
        )


def _required(contract: Contract) -> str:
    words = {"refuse": "", "warn": " (warns)"}
    return _words(f"{need.name}{words[need.missing]}" for need in contract.required_sources)


def _words(values: Iterable[str]) -> str:
    return ", ".join(values) or "none"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows)]
    return "\n".join(lines) + "\n"
