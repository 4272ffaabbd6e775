"""`ctxgate pack`: look at a pack that was received: its sources, its layers, and the prompt it makes."""

import json

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pydantic import ValidationError
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from gateway.citations.panel import PanelEntry, entries, page
from gateway.cli.output import console, raw, show_budget, show_json, styled
from gateway.content.parsing import parse_json, shaped
from gateway.errors import FieldInvalidError
from gateway.model import ContextPack
from gateway.model.citation import CitationReply
from gateway.model.request import Provider
from gateway.prompt.render import render as rendered

pack = typer.Typer(no_args_is_help=True, help="Look at a pack: sources, layers, prompt.")

PackPath = Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A pack as it was received.")]


@pack.command()
def show(
    file: PackPath,
    verified: Annotated[
        Path | None, typer.Option("--verified", help="The answer of /v1/citations/verify: only what was cited.")
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write the panel as a page instead.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Sources, claims, layers and drops as JSON.")] = False,
) -> None:
    """The sources of a pack as people see them beside a chat, its layers, budget and drops."""
    document = _pack(file)
    reply = None if verified is None else shaped(CitationReply, parse_json(verified.read_bytes(), depth=50))
    shown = entries(document, reply)
    claims = {} if reply is None else {c.id: "grounded" if c.grounded else ", ".join(c.flags) for c in reply.claims}
    if html is not None:
        html.write_text(page(document, shown, claims))
        console.print(f"Wrote {html}.", highlight=False)
        return
    if as_json:
        show_json(_told(document, shown, claims))
        return
    lines = []
    for entry in shown:
        flags = styled("  [red]{}[/]", " ".join(entry.flags)) if entry.flags else ""
        lines.append(Text.assemble(styled("[bold cyan]{}[/] {}", f"[T{entry.tier}]", entry.title), flags))
        lines += [styled("     {}", line) for line in entry.lines]
    listed = Text("\n").join(lines or [Text("No sources.")])
    console.print(Panel(listed, title="Sources cited", title_align="left"), highlight=False)
    for name, verdict in claims.items():
        console.print(f"{name}: {verdict}", highlight=False, markup=False)
    if reply is None:
        _show_layers(document)
        show_budget(document)


def _told(document: ContextPack, shown: Sequence[PanelEntry], claims: Mapping[str, str]) -> dict[str, object]:
    parts = document.model_dump(mode="json", include={"id", "budget_report", "drop_report", "warnings"})
    layers = document.envelope.model_dump(mode="json", include={"layers", "prefix"})
    return {**parts, **layers, "sources": [asdict(entry) for entry in shown], "claims": dict(claims)}


def _show_layers(document: ContextPack) -> None:
    table = Table("layer", "segments", "tokens", "SHA-256", header_style="bold", title="Layers", title_justify="left")
    for layer in document.envelope.layers:
        shown = ", ".join(f"{one.segment} ({one.form})" for one in layer.segments)
        table.add_row(layer.layer, shown, str(layer.tokens), layer.digest[:16])
    console.print(table)
    prefix = document.envelope.prefix
    why = f" ({', '.join(prefix.reasons)})" if prefix.reasons else ""
    console.print(f"Prefix {prefix.digest[:16]}: {prefix.change}{why}", highlight=False)


@pack.command()
def render(
    file: PackPath,
    provider: Annotated[Provider, typer.Option("--for", help="Whose API takes the prompt.")] = "openai",
) -> None:
    """The prompt of a pack in the shape of a provider's API, as JSON."""
    raw(json.dumps(rendered(_pack(file), provider), ensure_ascii=False, indent=2))


def _pack(file: Path) -> ContextPack:
    try:
        return ContextPack.model_validate(parse_json(file.read_bytes(), depth=200))
    except ValidationError as error:
        raise FieldInvalidError(f"{file} is not a pack", fields=[(str(file), "is not a pack")]) from error
