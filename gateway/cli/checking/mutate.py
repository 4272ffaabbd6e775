"""`ctxgate policy mutate`: change each line of the rules in turn, and say which changes no case notices."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from gateway.bootstrap.policies import compile_bundle, failing_rego_tests
from gateway.cli.checking.exits import NOT_HELD
from gateway.cli.checking.forms import AsOneDocument, facts
from gateway.cli.output import console, styled
from gateway.errors import NotFoundError
from gateway.policy.bundle import Bundle, load_bundle
from gateway.settings import Settings
from gateway.workbench.cases import OfficerCase, load_cases
from gateway.workbench.mutants.unheld import known_unheld
from gateway.workbench.mutation import Mutation
from gateway.workbench.mutation import mutate as mutated


def mutate(
    area: Annotated[list[str] | None, typer.Argument(help="Folders under policies/context. Default: all.")] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Name for each change the case that notices it.")] = False,
    bundle: Annotated[Path | None, typer.Option(help="Bundle folder. Default: the one of the settings.")] = None,
    as_json: AsOneDocument = False,
) -> None:
    """Leave out each line and each alternative of the rules in turn, turn comparisons round, and say what no case notices."""
    root = bundle or Settings().policies_dir
    loaded = load_bundle(root)
    folders = {Path(name).parent.name for name in loaded.modules}
    if unknown := set(area or ()) - folders:
        raise NotFoundError(f"there is no area {min(unknown)}; there are {', '.join(sorted(folders))}")
    if as_json:
        mutation = mutated(loaded, load_cases(root), compile_bundle, tests=failing_rego_tests, areas=area or None)
        missing = known_unheld(root).missing(mutation.survivors)
        facts({"areas": mutation.areas, "changes": [asdict(one) for one in mutation.changes], "missing": len(missing)})
        raise typer.Exit(NOT_HELD if missing else 0)
    if show_mutation(loaded, load_cases(root), root, areas=area or None, every=every):
        raise typer.Exit(NOT_HELD)


def show_mutation(
    bundle: Bundle,
    cases: Sequence[OfficerCase],
    root: Path,
    *,
    areas: Collection[str] | None = None,
    every: bool = False,
) -> bool:
    """Say which changes no case notices; whether there are any, beside those that are known."""
    mutation = mutated(bundle, cases, compile_bundle, tests=failing_rego_tests, areas=areas)
    known = known_unheld(root)
    missing = known.missing(mutation.survivors)
    for change in mutation.changes if every else ():
        if change.noticed_by:
            console.print(f"{change.where} {change.condition}: {change.noticed_by}", highlight=False, markup=False)
    for change in missing:
        console.print(
            styled(
                "[yellow]missing case[/] {}: {}: nothing notices it {}.", change.where, change.rule, change.condition
            ),
            highlight=False,
        )
    settled = known.settled(mutation.changes)
    for line in settled:
        console.print(styled("[yellow]take out of mutation.yaml[/] {}", line), highlight=False)
    _sum_up(mutation, len(mutation.survivors) - len(missing))
    return bool(missing or settled)


def _sum_up(mutation: Mutation, known: int) -> None:
    held = mutation.conditions - len(mutation.survivors)
    told = f" {known} more are known, with reasons, in mutation.yaml." if known else ""
    console.print(
        f"{mutation.areas} areas, {mutation.silent} of which only warn: "
        f"{held} of {mutation.conditions} changes of a line are noticed by a case or a test.{told}"
    )
