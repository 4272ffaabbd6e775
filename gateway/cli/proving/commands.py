"""`ctxgate policy prove` and `ctxgate policy diff --exact`: what holds, or changes, for every input."""

import json

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gateway.bootstrap.ledger import open_ledger
from gateway.bootstrap.policies import compile_bundle, proof_engines
from gateway.cli.ledger.progress import progress_bar
from gateway.cli.output import console, raw, styled
from gateway.policy.bundle import Bundle, load_bundle
from gateway.policy.retold import PastRetelling
from gateway.policy.store import BundleStore
from gateway.settings import Settings
from gateway.workbench.proving.invariants import invariants_of
from gateway.workbench.proving.past import Decider, PastTouched, past_touched
from ledger.query import Filter

if TYPE_CHECKING:
    from gateway.workbench.proving.documents import Coverage, DecisionChange, InvariantProof, Shown

_MARKS = {"holds": "[green]✓[/]", "broken": "[red]✗[/]", "open": "[yellow]?[/]"}


def prove(
    folder: Annotated[Path | None, typer.Argument(help="Bundle folder. Default: the one of the settings.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the proof as a document.")] = False,
    with_opa: Annotated[
        bool, typer.Option("--opa/--no-opa", help="Let OPA decide counterexamples as well, where it is on the PATH.")
    ] = True,
    seconds: Annotated[float, typer.Option(min=1, help="For one check of the solver.")] = 20.0,
) -> None:
    """Show that the invariants of a bundle hold for every input, or bring an input that breaks one."""
    from gateway.workbench.proving.prove import prove as proved  # noqa: PLC0415 - the solver is loaded where it is used
    from gateway.workbench.proving.prove import unproved  # noqa: PLC0415 - as above

    bundle = load_bundle(folder or Settings().policies_dir)
    with proof_engines(with_opa=with_opa) as engines:
        total = len(invariants_of(bundle))
        with progress_bar("proving", total) as advance:
            proof = proved(bundle, engines.engines(), seconds=seconds, progress=advance)
    if as_json:
        raw(proof.model_dump_json(indent=2) + "\n")
    else:
        _tell(proof)
    if unproved(proof.shown):
        raise typer.Exit(1)


def _tell(proof: "InvariantProof") -> None:
    for one in proof.shown:
        console.print(styled(f"{_MARKS[one.verdict]} {{}} {{}}", one.id, one.title), highlight=False)
        _tell_why(one)
    _tell_coverage(proof.coverage)
    held = sum(one.verdict == "holds" for one in proof.shown)
    console.print(
        f"{held} of {len(proof.shown)} invariants hold for every input that the schema allows.", highlight=False
    )
    console.print(
        f"Decided by {', '.join(proof.engines)}; settled by {proof.solver}; proof {proof.digest}.", highlight=False
    )


def _tell_why(one: "Shown") -> None:
    if one.verdict == "holds":
        return
    console.print(f"  {one.says}", highlight=False, markup=False)
    if one.counterexample is None:
        console.print(f"  not settled: {one.reason}", highlight=False, markup=False)
        return
    facts = _facts(one.counterexample.differs)
    console.print(
        f"  permitted by {' and '.join(one.counterexample.engines)}: the plain case but {facts}",
        highlight=False,
        markup=False,
    )


def _facts(differs: Mapping[str, object]) -> str:
    return "; ".join(f"{name} = {json.dumps(value)}" for name, value in differs.items()) or "with nothing changed"


def _tell_coverage(coverage: "Coverage") -> None:
    console.print(
        f"Over {', '.join(coverage.entrypoints)}: {len(coverage.areas)} areas, {coverage.rules} rules, "
        f"{len(coverage.facts)} facts with every value, lists of any length.",
        highlight=False,
    )
    for place in coverage.not_covered:
        console.print(f"  not covered, so taken to be anything: {place}", highlight=False, markup=False)
    for rule in coverage.two_values:
        console.print(
            f"  may be given two values, where the engine fails and permits nothing: {rule}",
            highlight=False,
            markup=False,
        )


def exact(old: Bundle, new: Bundle, *, as_json: bool, seconds: float, past: bool = False) -> None:
    """Print all that two bundles decide differently, and how many decisions on record, where that is asked for."""
    from gateway.workbench.proving.exact import exact_diff  # noqa: PLC0415 - the solver is loaded where it is used

    with proof_engines(with_opa=True) as engines:
        found = exact_diff(old, new, engines.engines(), seconds=seconds)
    if past:
        counted = _past(old, new)
        of_past = {"past_decisions": counted.touched, "past_considered": counted.considered}
        found = found.model_copy(update=of_past).sealed()
    if as_json:
        raw(found.model_dump_json(indent=2) + "\n")
        return
    for change in found.changes:
        _tell_change(change)
    if found.past_considered is not None:
        console.print(
            f"Of {found.past_considered} decisions on record {found.past_decisions} come out differently.",
            highlight=False,
        )
    _tell_coverage(found.coverage[1])
    console.print(f"Decided by {', '.join(found.engines)}; settled by {found.solver}; {found.digest}.", highlight=False)


def _past(old: Bundle, new: Bundle) -> PastTouched:
    settings = Settings()
    kept = BundleStore(settings.bundles_dir).stored
    before, after = (Decider(compile_bundle(one), PastRetelling(one, kept)) for one in (old, new))
    with open_ledger(settings) as ledger, progress_bar("deciding again") as advance:
        return past_touched(ledger.store, ledger.evidence.inputs, before, after, Filter(), progress=advance)


def _tell_change(change: "DecisionChange") -> None:
    if change.verdict == "same":
        console.print(f"{change.entrypoint}: no input is decided differently.", highlight=False)
        return
    if change.verdict == "open":
        console.print(f"{change.entrypoint}: not settled: {change.reason}", highlight=False, markup=False)
        return
    console.print(f"{change.entrypoint}: decided differently:", highlight=False)
    for row in change.rows:
        where = "; ".join(f"{name}: {' or '.join(values)}" for name, values in row.where.items()) or "every input"
        word = "newly permitted" if row.change == "permitted" else "newly refused"
        console.print(f"  {word}: {where}", highlight=False, markup=False)
        console.print(f"    such as: {_facts(row.example.differs)}", highlight=False, markup=False)
    if not change.complete:
        console.print(f"  There may be more: {change.reason}", highlight=False, markup=False)
