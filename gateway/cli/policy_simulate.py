"""`ctxgate policy simulate`: the past, decided again under a candidate."""

import sys

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from rich.progress import Progress
from rich.table import Table

from gateway.bootstrap.ledger import open_ledger
from gateway.bootstrap.policies import compile_bundle, deciding_bundle
from gateway.cli.checking.exits import DIFFERS
from gateway.cli.checking.forms import AsOneDocument, facts
from gateway.cli.ledger.times import Since
from gateway.cli.output import console, errors
from gateway.content.parsing import shaped
from gateway.policy.bundle import load_bundle
from gateway.policy.retold import PastRetelling
from gateway.policy.store import BundleStore
from gateway.settings import Settings
from gateway.workbench.diff import registry_changes
from gateway.workbench.simulate import Simulation
from gateway.workbench.simulate import simulate as simulate_bundle
from ledger.query import Filter


def simulate(
    candidate: Annotated[Path, typer.Argument(exists=True, help="Candidate bundle folder.")],
    since: Since = None,
    tenant: Annotated[str | None, typer.Option()] = None,
    limit: Annotated[int | None, typer.Option(help="Decisions, at most.")] = None,
    fail_on: Annotated[
        str | None, typer.Option(help="Exit with 4 if there is a flip of this kind, such as newly-released.")
    ] = None,
    as_json: AsOneDocument = False,
) -> None:
    """Decide the ledger's past rulings again under a candidate, and say what flips, for whom."""
    given = {name: value for name, value in (("since", since), ("tenant", tenant)) if value is not None}
    settings, bundle = Settings(), load_bundle(candidate)
    engine, tell = compile_bundle(bundle), PastRetelling(bundle, BundleStore(settings.bundles_dir).stored)
    with open_ledger(settings) as ledger, Progress(console=errors, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("deciding again", total=limit)
        wanted, inputs = shaped(Filter, given), ledger.evidence.inputs
        result = simulate_bundle(
            ledger.store, inputs, engine, wanted, tell=tell, limit=limit, progress=lambda: bar.advance(task)
        )
    result.registry = tuple(registry_changes(deciding_bundle(settings), bundle))
    if as_json:
        facts(_document(result))
    else:
        _show_simulation(result)
    if fail_on is not None and result.flips[fail_on]:
        raise typer.Exit(DIFFERS)


def _document(result: Simulation) -> dict[str, object]:
    groups = ("by_role", "by_jurisdiction", "by_source", "by_code")
    counted = {
        name: [
            {"flip": kind, "name": said, "decisions": count} for (kind, said), count in getattr(result, name).items()
        ]
        for name in groups
    }
    whole = {name: value for name, value in asdict(result).items() if name not in groups}
    return {**whole, **counted}


def _show_simulation(result: Simulation) -> None:
    console.print(f"{result.decisions} decisions: {result.unchanged} unchanged, {result.erased} erased.")
    for sentence in result.registry:
        console.print(sentence, highlight=False, markup=False)
    table = Table("flip", "decisions", "roles", "jurisdictions", "sources", "rules", header_style="bold")
    for kind, count in sorted(result.flips.items(), key=lambda flip: (flip[0] != "newly-released", flip[0])):
        parts = (result.by_role, result.by_jurisdiction, result.by_source, result.by_code)
        cells = (", ".join(f"{name} {n}" for (k, name), n in sorted(part.items()) if k == kind) for part in parts)
        table.add_row(kind, str(count), *cells)
    if result.flips:
        console.print(table)
    for flip in sorted(result.examples, key=lambda flip: flip.kind != "newly-released"):
        console.print(
            f"{flip.kind}: {flip.item_id}: {flip.before} → {flip.after} {' '.join(flip.codes)} ({flip.decision_id})",
            highlight=False,
        )
