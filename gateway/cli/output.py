"""
What the commands print.

Rules held here: what others wrote is printed as it is written and never read as markup; of control, bidirectional and other
unseen characters a terminal gets the names.  Every command prints through this module, so that this is said once.
"""

import json
import re
import sys

from collections.abc import Iterable
from typing import Any, Final

import typer

from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from gateway.model import ContextPack
from ledger.record import Record

_UNSEEN: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
    r"\U000e0000-\U000e0fff]"
)
"""What moves a cursor, paints, links, reorders or hides; line ends, tabs and the joiners of Indic scripts are left alone."""


def visible(text: str) -> str:
    r"""The text with unseen characters by their names, such as ``\x1b`` or ``\u202e``."""
    return _UNSEEN.sub(lambda found: found.group().encode("unicode_escape", "surrogatepass").decode(), text)


class PlainConsole(Console):
    """A console that takes no text for markup and lets no control character through, whoever wrote it."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - rich's own
        super().__init__(markup=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:  # noqa: ANN401 - rich's own
        # Before it is measured, so that tables stay in line.
        return super().render_str(visible(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


def styled(template: str, *values: object) -> Text:
    """
    A text in colours.

    Args:
        template: with our own markup, and {} for each value.
        values: put in as they are written, whatever they look like.
    """
    return Text.from_markup(template.format(*(escape(visible(str(value))) for value in values)), emoji=False)


def raw(text: str, *, nl: bool = True) -> None:
    """Print for another program byte by byte; a terminal gets unseen characters by their names."""
    typer.echo(visible(text) if sys.stdout.isatty() else text, nl=nl)


def show_json(document: object) -> None:
    """Print what a command found as JSON, for another program."""
    raw(json.dumps(document, ensure_ascii=False, indent=2))


console: Final = PlainConsole()
errors: Final = PlainConsole(stderr=True)

_COLOURS: Final = {
    "released": "green",
    "redacted": "cyan",
    "dropped": "blue",
    "quarantined": "yellow",
    "denied": "red",
}


def show_candidates(rulings: list[Record], pack: ContextPack) -> None:
    """Each candidate with its outcome, codes and tokens."""
    tokens = {item.id: item.tokens for section in pack.sections for item in section.items}
    dropped = {drop.item_id: drop for drop in pack.drop_report}
    table = Table(title="Candidates", header_style="bold", title_justify="left")
    for name in ("item", "source", "tier", "outcome", "codes", "obligations"):
        table.add_column(name, overflow="fold")
    table.add_column("tokens", justify="right")
    for ruling in rulings:
        name = ruling.item.id if ruling.item else ""
        # The record says how an item was ruled on; that it then gave way to others only the pack knows.
        outcome = "dropped" if name in dropped else str(ruling.outcome)
        codes = [dropped[name].reason] if name in dropped else list(ruling.codes)
        table.add_row(
            name,
            (ruling.source.id if ruling.source else "") or "—",
            str(ruling.source.tier) if ruling.source and ruling.outcome != "denied" else "—",
            styled(f"[{_COLOURS[outcome]}]{{}}[/]", outcome),
            " ".join(codes),
            " ".join(ruling.obligations),
            str(tokens.get(name, "")),
        )
    console.print(table)


def show_budget(pack: ContextPack) -> None:
    """The pack's sections, budget, drops and warnings."""
    table = Table(title="Pack", header_style="bold", title_justify="left")
    table.add_column("section")
    for name in ("items", "tokens", "budget"):
        table.add_column(name, justify="right")
    for section in pack.sections:
        table.add_row(section.type, str(len(section.items)), str(section.token_actual), str(section.token_budget))
    report = pack.budget_report
    table.add_section()
    table.add_row("response headroom", "", str(report.response_headroom), "")
    table.add_row("total", "", str(report.allocated), str(report.total_tokens))
    console.print(table)
    drops = Table(title="Drop report", header_style="bold", title_justify="left")
    for name in ("item", "reason", "in favour of", "tokens saved"):
        drops.add_column(name)
    for drop in pack.drop_report:
        drops.add_row(drop.item_id, drop.reason, drop.in_favour_of or "", str(drop.token_savings))
    console.print(drops if pack.drop_report else "Nothing was dropped.")
    for action in report.overflow_actions:
        saved = f"{len(action.items)} items, {action.token_savings} tokens saved"
        console.print(styled("[blue]{}[/]: {}", action.action, saved))
    for warning in pack.warnings:
        console.print(styled("[yellow]{}[/] {} {}", warning.code, warning.message, " ".join(warning.items)))
