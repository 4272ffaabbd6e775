"""`ctxgate policy`: the officer's commands."""

import asyncio
import shutil
import subprocess

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from rich.table import Table

from gateway.bootstrap.policies import build_archive, compile_bundle, other_engine
from gateway.bootstrap.process import system_clock
from gateway.cli.output import console, raw, styled
from gateway.cli.policy_facts import facts_of, past_facts
from gateway.cli.policy_new import new, prompt
from gateway.cli.policy_simulate import simulate
from gateway.errors import FieldInvalidError
from gateway.policy.areas import areas_of
from gateway.policy.bundle import Bundle, load_bundle
from gateway.policy.entrypoints import NAMES
from gateway.policy.supply.numbering import Numbering
from gateway.settings import Settings
from gateway.workbench.case_tests import FILE, case_tests
from gateway.workbench.cases import load_cases, rules_of, run
from gateway.workbench.checks import check as check_bundle
from gateway.workbench.diff import diff as diff_bundles
from gateway.workbench.explain import Explanation
from gateway.workbench.explain import explain as explain_facts
from gateway.workbench.mutation import mutate
from gateway.workbench.pages import policies_page
from gateway.workbench.scaffold import write_areas

policy = typer.Typer(no_args_is_help=True, help="Check, test, explain, compare and simulate policies.")
policy.add_typer(new, name="new")
policy.command()(prompt)

Folder = Annotated[Path | None, typer.Argument(help="Bundle folder. Default: the one of the settings.")]


def _bundle(folder: Path | None) -> tuple[Path, Bundle]:
    root = folder or Settings().policies_dir
    return root, load_bundle(root)


@policy.command()
def check(folder: Folder = None) -> None:
    """Say what keeps a bundle from deciding, with file, line and a hint."""
    root, bundle = _bundle(folder)
    compile_bundle(bundle)
    problems = check_bundle(bundle)
    for problem in problems:
        where = f"{problem.file}:{problem.line}"
        console.print(styled("[red]{}[/] [bold]{}[/]: {}", where, problem.rule, problem.message), highlight=False)
        console.print(f"  {problem.hint}", highlight=False, markup=False)
    if problems:
        raise typer.Exit(1)
    console.print(styled("[green]{} may decide.[/] Revision {}", root, bundle.revision), highlight=False)


@policy.command("test")
def run_tests(folder: Folder = None) -> None:
    """Run the cases on the embedded engine and on OPA, the Rego tests, and drop each condition in turn."""
    root, bundle = _bundle(folder)
    cases = load_cases(root)
    failures = run(compile_bundle(bundle, rules_of(cases)), cases)
    for failure in failures:
        console.print(styled("[red]✗[/] {}", failure), highlight=False)
    console.print(f"{len(cases) - len(failures)} of {len(cases)} cases hold on the embedded engine.")
    opa = shutil.which("opa")
    if opa is None:
        console.print(styled("[yellow]opa is not here: the Rego tests did not run.[/]"))
    elif _rego_tests_fail(opa, root, bundle):
        console.print(styled("[red]✗[/] The Rego tests fail on OPA, or do not cover every line."))
        raise typer.Exit(1)
    else:
        console.print("The Rego tests hold on OPA and cover every line.")
    mutation = mutate(bundle, cases, compile_bundle)
    for survivor in mutation.survivors:
        console.print(
            styled(
                "[yellow]missing case[/] {}: nothing notices when `{}` is dropped.", survivor.area, survivor.condition
            ),
            highlight=False,
        )
    held = mutation.conditions - len(mutation.survivors)
    console.print(
        f"{mutation.areas} areas, {mutation.silent} of which only warn: "
        f"{held} of {mutation.conditions} conditions are held by a case."
    )
    if failures or mutation.survivors:
        raise typer.Exit(1)


def _rego_tests_fail(opa: str, root: Path, bundle: Bundle) -> bool:
    """Whether the Rego tests fail on OPA, with the cases as they are now and not as they were written to Rego last."""
    with TemporaryDirectory() as folder:
        copy = Path(folder, "policies")
        shutil.copytree(root, copy)
        (copy / FILE).write_text(case_tests(bundle))
        return _fails([opa, "test", "-b", str(copy), "--coverage", "--threshold", "100"], quiet=True)


def _fails(command: list[str], *, quiet: bool) -> bool:
    output = subprocess.DEVNULL if quiet else None
    return subprocess.run(command, stdout=output, check=False).returncode != 0  # noqa: S603 - a tool from the PATH


@policy.command()
def lint(folder: Folder = None) -> None:
    """Check the bundle, and run OPA's and Regal's linters where they are."""
    root, _ = _bundle(folder)
    check(folder)
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
    check(folder)
    _, bundle = _bundle(folder)
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
) -> None:
    """List the areas, in the order in which they are asked, and the entrypoints that ask them."""
    root, bundle = _bundle(folder)
    listed = areas_of(bundle)
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
) -> None:
    """Show the checklist of each area for one item, and the smallest change that would release it."""
    settings, entrypoint = Settings(), "release"
    _, bundle = _bundle(folder)
    if decision is not None:
        facts: Mapping[str, object] = past_facts(settings, decision)
        # What was refused on its labels was never screened, so that only the areas of labels have something to say.
        entrypoint = "release" if "findings" in facts else "admit"
    elif item is not None and subject is not None:
        facts = facts_of(item, subject, request, now, bundle, settings)
    else:
        raise FieldInvalidError("give --item and --as, or --decision", fields=[("--item", "is missing")])
    _show(explain_facts(bundle, facts, compile_bundle, entrypoint))


def _show(explanation: Explanation) -> None:
    table = Table("", "area", "condition", "facts read", "tables", header_style="bold")
    for condition in explanation.conditions:
        mark = styled("[green]✓[/]" if condition.holds else "[red]✗[/]")
        facts = ", ".join(f"{name}={value}" for name, value in condition.facts.items())
        table.add_row(mark, condition.area, condition.name.replace("_", " "), facts, " ".join(condition.tables))
    console.print(table)
    console.print(styled("Outcome: [bold]{}[/]", explanation.outcome))
    for reason in explanation.reasons:
        controls = " ".join(reason.controls)
        console.print(styled("[red]{}[/] {} {}", reason.code, reason.message, controls), highlight=False)
    if explanation.change:
        changes = " and ".join(f"{name} were {value}" for name, value in explanation.change.items())
        console.print(f"It would be {explanation.through} if {changes}.", highlight=False)


@policy.command()
def diff(old: Annotated[Path, typer.Argument(exists=True)], new: Annotated[Path, typer.Argument(exists=True)]) -> None:
    """Say in words what differs between two bundle folders."""
    sentences = diff_bundles(load_bundle(old), load_bundle(new))
    for sentence in sentences:
        console.print(sentence, highlight=False, markup=False)
    if not sentences:
        console.print("Nothing that decides differs.")


policy.command()(simulate)


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
