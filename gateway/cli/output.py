"""What the commands print."""

from typing import Final

from rich.console import Console
from rich.table import Table

from gateway.model import ContextPack
from ledger.record import Record

console: Final = Console()
errors: Final = Console(stderr=True)

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
            f"[{_COLOURS[outcome]}]{outcome}[/]",
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
        console.print(f"[blue]{action.action}[/]: {len(action.items)} items, {action.token_savings} tokens saved")
    for warning in pack.warnings:
        console.print(f"[yellow]{warning.code}[/] {warning.message} {' '.join(warning.items)}")
