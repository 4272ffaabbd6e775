"""The sources of a pack, or of an answer, as people see them beside a chat (blueprint 14.2): as lines, and as a page."""

import html

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from gateway.model import ContextPack, PackItem
from gateway.model.citation import CitationReply

KINDS: Final = {
    "system_of_record": "System of Record",
    "bank_sop": "Bank Policy",
    "industry_standard": "Industry Standard",
    "external_official": "Regulator",
    "general_web": "Web source",
    "agent_output": "Result of an agent",
    "reference_data": "Bank Reference",
    "user_input": "The person's own words",
}
"""What people call kinds of sources; others by their name."""


@dataclass(frozen=True, slots=True)
class PanelEntry:
    """A source in the panel."""

    tier: int
    title: str
    lines: tuple[str, ...]
    flags: tuple[str, ...] = ()
    """What was found of claims that cite it."""


def entries(pack: ContextPack, reply: CitationReply | None = None) -> list[PanelEntry]:
    """
    The sources of a pack, strongest first; with a verification only those that were cited, with what was found.

    Args:
        pack: whose sources.
        reply: what became of claims that were made from it.
    """
    # None and empty differ: without a verification all are shown, after one in which nothing was cited none is.
    flags = None if reply is None else _flags(reply)
    # What the turn and the library bring; instructions, turns and the person's own words are no sources.
    items = [item for section in pack.sections for item in section.items if item.layer in {"L2", "L3"}]
    made = [
        _entry(item, () if flags is None else flags[item.id])
        for item in items
        if item.provenance.source_id and (flags is None or item.id in flags)
    ]
    return sorted(made, key=lambda entry: (entry.tier, entry.title))


def _flags(reply: CitationReply) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for claim in reply.claims:
        for citation in claim.citations:
            if citation.item_id is not None:
                found.setdefault(citation.item_id, set()).update(claim.flags)
    return {name: tuple(sorted(flags)) for name, flags in found.items()}


def _entry(item: PackItem, flags: Iterable[str]) -> PanelEntry:
    source = item.provenance
    version = f" v{source.version}" if source.version and source.version[0].isdigit() else ""
    # A rule is judged by when it came into force, a live record by when it was read, whatever date it carries.
    if source.source_type == "system_of_record" or not source.effective_date:
        since = f"Fetched: {source.fetched_at}"
    else:
        since = f"Effective: {source.effective_date}"
    kind = KINDS.get(source.source_type or "", source.source_type or "unknown")
    lines = [f"Section {source.doc_section}"] if source.doc_section else []
    lines.append(f"{since} | {kind}" + ("" if source.trust_class == "TRUSTED" else " | UNTRUSTED"))
    lines += [f"Also: {also.source_id or also.item_id} ({also.relation})" for also in item.attributions]
    return PanelEntry(source.authority_tier, f"{source.source_id}{version}", tuple(lines), tuple(flags))


def page(pack: ContextPack, shown: Iterable[PanelEntry], claims: Mapping[str, str] | None = None) -> str:
    """The panel as one HTML page that loads nothing from anywhere."""
    listed = "\n".join(_listed(entry) for entry in shown)
    said = "\n".join(
        f"<li><b>{html.escape(name)}</b> {html.escape(verdict)}</li>" for name, verdict in (claims or {}).items()
    )
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Sources of {html.escape(pack.id)}</title>
<style>
body {{ font: 15px/1.45 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; color: #1c2733 }}
li {{ margin: .6rem 0 }} ul {{ list-style: none; padding: 0 }}
.tier {{ background: #e5edf5; border-radius: .3rem; padding: .1rem .4rem; margin-right: .4rem }}
.flag {{ background: #f8d9d3; border-radius: .3rem; padding: .1rem .4rem }}
small {{ color: #566575; display: block; margin-left: 2.6rem }}
</style>
<h1>Sources cited</h1>
<p>Pack {html.escape(pack.id)}, {html.escape(pack.created_at)}, policy {html.escape(pack.policy["revision"][:19])}…</p>
<ul>
{listed}
</ul>
{f"<h2>Claims</h2><ul>{said}</ul>" if said else ""}
</html>
"""


def _listed(entry: PanelEntry) -> str:
    lines = "".join(f"<small>{html.escape(line)}</small>" for line in entry.lines)
    flags = "".join(f' <span class="flag">{html.escape(flag)}</span>' for flag in entry.flags)
    return f'<li><span class="tier">T{entry.tier}</span><b>{html.escape(entry.title)}</b>{flags}{lines}</li>'
