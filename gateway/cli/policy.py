"""`ctxgate policy`: the officer's commands."""

import asyncio
import shutil
import subprocess

from collections.abc import Mapping
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from rich.table import Table

from gateway.bootstrap.policies import build_archive, compile_bundle, other_engine
from gateway.bootstrap.process import system_clock
from gateway.cli.checking.command import Folder, check, require_decidable, run_tests
from gateway.cli.checking.forms import AsOneDocument, facts
from gateway.cli.checking.mutate import mutate
from gateway.cli.desk.bundles import activate, propose, review, rollback, shadow
from gateway.cli.output import console, raw, styled
from gateway.cli.policy_facts import facts_of, past_facts
from gateway.cli.policy_new import new, prompt
from gateway.cli.policy_simulate import simulate
from gateway.cli.proving.commands import exact as tell_exact
from gateway.cli.proving.commands import prove
from gateway.errors import FieldInvalidError
from gateway.policy.areas import areas_of
from gateway.policy.bundle import Bundle, load_bundle
from gateway.policy.entrypoints import NAMES
from gateway.policy.supply.numbering import Numbering
from gateway.settings import Settings
from gateway.workbench.case_changes import cases_changed
from gateway.workbench.cases import load_cases
from gateway.workbench.diff import diff as diff_bundles
from gateway.workbench.explain import Explanation
from gateway.workbench.explain import explain as explain_facts
from gateway.workbench.publishing.pages import policies_page
from gateway.workbench.scaffold import write_areas

policy = typer.Typer(no_args_is_help=True, help="Check, test, explain, compare and simulate policies.")
policy.add_typer(new, name="new")
policy.command()(prompt)
policy.command()(check)
policy.command("test")(run_tests)
policy.command()(mutate)


def _bundle(folder: Path | None) -> tuple[Path, Bundle]:
    root = folder or Settings().policies_dir
    return root, load_bundle(root)


def _fails(command: list[str], *, quiet: bool) -> bool:
    output = subprocess.DEVNULL if quiet else None
    return subprocess.run(command, stdout=output, check=False).returncode != 0  # noqa: S603 - a tool from the PATH


@policy.command()
def lint(folder: Folder = None) -> None:
    """Check the bundle, and run OPA's and Regal's linters where they are."""
    root = folder or Settings().policies_dir
    require_decidable(root)
    for command in (["opa", "check", "--strict", "-b", str(root)], ["regal", "lint", str(root)]):
        tool = shutil.which(command[0])
        if tool is None:
            console.print(styled("[yellow]{} is not here.[/]", command[0]))
        elif _fails([tool, *command[1:]], quiet=False):
            raise typer.Exit(1)


@policy.command()
def build(
    out: Annotated[Path, typer.Option(help="Archive to write.")] = Path("bundle.tar.gz"),
    sign: Annotated[Path | None, typer.Option(help="Private key in PEM, EC P-256 or RSA.")] = None,
    serial: Annotated[
        int | None, typer.Option(min=1, help="Must rise with every archive. Default: the seconds since 1970.")
    ] = None,
    days: Annotated[int, typer.Option(min=1, max=3650, help="After how many days the archive expires.")] = 30,
    folder: Folder = None,
) -> None:
    """Check a bundle and write it as an archive that OPA and the gateway read, signed where there is a key."""
    bundle = require_decidable(folder or Settings().policies_dir)
    now = system_clock().replace(microsecond=0)
    numbering = Numbering(
        serial=serial or int(now.timestamp()), expires=f"{now + timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}"
    )
    out.write_bytes(build_archive(bundle, sign, numbering))
    signed, size = "signed" if sign else "not signed", out.stat().st_size
    console.print(f"{out}: {signed}, {size} bytes", highlight=False)
    console.print(f"Serial {numbering.serial}, expires {numbering.expires}", highlight=False)


@policy.command()
def areas(
    folder: Folder = None,
    write: Annotated[bool, typer.Option(help="Write the lines of context.rego that ask them.")] = False,
    as_json: AsOneDocument = False,
) -> None:
    """List the areas, in the order in which they are asked, and the entrypoints that ask them."""
    root, bundle = _bundle(folder)
    listed = areas_of(bundle)
    if as_json:
        facts([{**area.model_dump(), "asked_by": listed.asking(area)} for area in listed.listed])
        return
    table = Table("area", "title", "asked by", "", header_style="bold")
    for area in listed.listed:
        kinds = [word for word, is_so in (("warns", area.warns), ("waivable", area.waivable)) if is_so]
        table.add_row(area.name, area.title, ", ".join(listed.asking(area)), ", ".join(kinds))
    console.print(table)
    if write:
        console.print("context.rego is written anew." if write_areas(root) else "context.rego asks them already.")


@policy.command()
def docs(folder: Folder = None) -> None:
    """Print the page that lists every rule."""
    _, bundle = _bundle(folder)
    raw(policies_page(bundle))


@policy.command()
def explain(
    item: Annotated[Path | None, typer.Option(exists=True, help="An item, as in a request.")] = None,
    subject: Annotated[Path | None, typer.Option("--as", exists=True, help="The person's claims.")] = None,
    request: Annotated[Path | None, typer.Option(exists=True, help="The request around the item.")] = None,
    decision: Annotated[str | None, typer.Option(help="A decision id from the ledger instead.")] = None,
    now: Annotated[str | None, typer.Option(help="The time to decide at. Default: now.")] = None,
    folder: Annotated[Path | None, typer.Option("--bundle", help="Bundle folder.")] = None,
    as_json: AsOneDocument = False,
) -> None:
    """Show the checklist of each area for one item, and the smallest change that would release it."""
    settings, entrypoint = Settings(), "release"
    _, bundle = _bundle(folder)
    # What was assumed is for people; another program gets one document and nothing else.
    console.quiet = as_json
    if decision is not None:
        told: Mapping[str, object] = past_facts(settings, decision)
        # What was refused on its labels was never screened, so that only the areas of labels have something to say.
        entrypoint = "release" if "findings" in told else "admit"
    elif item is not None and subject is not None:
        told = facts_of(item, subject, request, now, bundle, settings)
    else:
        raise FieldInvalidError("give --item and --as, or --decision", fields=[("--item", "is missing")])
    explanation = explain_facts(bundle, told, compile_bundle, entrypoint)
    console.quiet = False
    if as_json:
        facts(asdict(explanation))
    else:
        _show(explanation)


def _show(explanation: Explanation) -> None:
    table = Table("", "area", "condition", "facts read", "tables", header_style="bold")
    for condition in explanation.conditions:
        mark = styled("[green]✓[/]" if condition.holds else "[red]✗[/]")
        read = ", ".join(f"{name}={value}" for name, value in condition.facts.items())
        table.add_row(mark, condition.area, condition.name.replace("_", " "), read, " ".join(condition.tables))
    console.print(table)
    console.print(styled("Outcome: [bold]{}[/]", explanation.outcome))
    for reason in explanation.reasons:
        controls = " ".join(reason.controls)
        console.print(styled("[red]{}[/] {} {}", reason.code, reason.message, controls), highlight=False)
    if explanation.change:
        changes = " and ".join(f"{name} were {value}" for name, value in explanation.change.items())
        console.print(f"It would be {explanation.through} if {changes}.", highlight=False)


@policy.command()
def diff(
    old: Annotated[Path, typer.Argument(exists=True)],
    new: Annotated[Path, typer.Argument(exists=True)],
    exact: Annotated[bool, typer.Option("--exact", help="Show every input that is decided differently.")] = False,
    as_json: AsOneDocument = False,
    seconds: Annotated[float, typer.Option(min=1, help="With --exact: for one check of the solver.")] = 20.0,
    past: Annotated[
        bool,
        typer.Option("--past", help="With --exact: count the ledger's decisions that come out differently as well."),
    ] = False,
) -> None:
    """Say in words what differs between two bundle folders, and which cases and Rego tests the new one does without."""
    before, after = load_bundle(old), load_bundle(new)
    if exact:
        tell_exact(before, after, as_json=as_json, seconds=seconds, past=past)
        return
    if past:
        raise FieldInvalidError(
            "past decisions are counted beside an exact difference", fields=[("--past", "add --exact")]
        )
    decides, lost = diff_bundles(before, after), cases_changed(before.checks, after.checks)
    if as_json:
        cases = [one.model_dump() for one in lost]
        facts({"old": before.revision, "new": after.revision, "differences": decides, "cases": cases})
        return
    sentences = [*decides, *map(str, lost)]
    for sentence in sentences:
        console.print(sentence, highlight=False, markup=False)
    if not sentences:
        console.print("Nothing that decides differs.")


policy.command()(simulate)
policy.command()(prove)
for at_a_gateway in (propose, review, activate, rollback, shadow):
    policy.command()(at_a_gateway)


@policy.command()
def parity(
    folder: Folder = None,
    url: Annotated[str | None, typer.Option(help="OPA server. Default: the one of the settings.")] = None,
) -> None:
    """Ask a running OPA server for every case, and compare with the embedded engine."""
    root, bundle = _bundle(folder)
    differing = asyncio.run(_differing(root, bundle, url))
    for name in differing:
        console.print(styled("[red]✗[/] {}", name), highlight=False)
    if differing:
        raise typer.Exit(1)
    console.print(styled("[green]Both engines give the same documents.[/]"))


async def _differing(root: Path, bundle: Bundle, url: str | None) -> list[str]:
    mine = compile_bundle(bundle)
    found: list[str] = []
    async with other_engine(Settings(), bundle, url) as theirs:
        for case in load_cases(root):
            for entrypoint in NAMES:
                theirs_says = list(await theirs.evaluate(entrypoint, [case.facts]))
                if theirs_says != [mine.query(entrypoint, case.facts)]:
                    found += [f"{case.area}: {case.name}: {entrypoint}"]
    return found
