"""`ctxgate kb eval`: how well documents are found, measured with golden sets."""

import asyncio
import json

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

import typer

from rich.table import Table

from gateway.bootstrap.policies import deciding_bundle
from gateway.cli.checking.exits import DIFFERS, FAILS, LEAKS, MAY_NOT_DECIDE
from gateway.cli.checking.forms import AsOneDocument, JUnitFile
from gateway.cli.kb import opened
from gateway.cli.output import console, errors, raw, styled
from gateway.errors import ConfigurationError, FieldInvalidError
from gateway.knowledge.quality.baseline import Movement, load, movement, store
from gateway.knowledge.quality.evaluation import GoldenResult, evaluate
from gateway.knowledge.quality.golden import ReadGolden, read_golden, unknown_documents
from gateway.knowledge.quality.results import as_document, junit
from gateway.knowledge.quality.verdict import QualityVerdict, verdict
from gateway.knowledge.quality.watching import baseline_file, golden_files
from gateway.model.knowledge.quality import QualityTable
from gateway.policy.bundle import Bundle
from gateway.policy.registry import registry_of
from gateway.policy.vetting.check import Misplaced
from gateway.ports.finding import Finder
from gateway.settings import Settings

GoldenPaths = Annotated[
    list[Path] | None, typer.Argument(help="Golden sets, or folders of them. Default: the folder of the settings.")
]

_COLOURS: Final = {
    "reached": "green",
    "below target": "yellow",
    "alarm": "red",
    "not measured": "dim",
    "no room": "dim",
}
_MOST: Final = 10


@dataclass(frozen=True, slots=True)
class Measured:
    """A golden set, and what it came to."""

    evaluation: GoldenResult
    told: QualityVerdict
    moved: Movement | None


def evaluate_golden(
    golden: GoldenPaths = None,
    baseline: Annotated[
        Path | None, typer.Option(help="Compare with this file. Default: NAME.baseline.json beside the golden set.")
    ] = None,
    store_it: Annotated[bool, typer.Option("--store", help="Keep what is measured as the baseline.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Only say what is wrong with the golden sets.")] = False,
    as_json: AsOneDocument = False,
    junit_file: JUnitFile = None,
) -> None:
    """
    Ask golden sets, and hold what is found against the bundle's thresholds and the baseline.

    Ends with 4 where a figure fell too far below the baseline, 7 where a golden set is wrong, 8 where a figure is beyond its alarm,
    10 where anything is found that must not be.
    """
    settings = Settings()
    bundle = deciding_bundle(settings)
    files = paths_of(golden, settings)
    if baseline is not None and len(files) > 1:
        raise FieldInvalidError("--baseline is for one golden set", fields=[("--baseline", "name one golden set")])
    read = [read_all(file, bundle) for file in files]
    if check:
        console.print(
            f"{len(read)} golden sets, {sum(len(one.questions) for one in read)} questions: nothing is wrong."
        )
        return
    measured = asyncio.run(_measure(settings, files, read, table_of(bundle), baseline))
    if junit_file is not None:
        junit_file.write_text(junit((one.evaluation, one.told) for one in measured))
    if as_json:
        raw(json.dumps([as_document(one.evaluation, one.told, one.moved) for one in measured], ensure_ascii=False))
    else:
        for one in measured:
            show(one)
    # Of several golden sets the gravest decides: one that leaks is never hidden by another that only drifted.
    status = max(map(status_of, measured), key=_SEVERITY.index)
    if store_it:
        _store(files, measured, baseline)
    raise typer.Exit(status)


_SEVERITY: Final = (0, DIFFERS, FAILS, LEAKS)


def status_of(measured: Measured) -> int:
    """With which status a measurement ends."""
    told = measured.told
    return LEAKS if told.leaks else FAILS if told.poor else DIFFERS if told.drifted else 0


def paths_of(golden: Sequence[Path] | None, settings: Settings) -> list[Path]:
    """
    The files of golden sets that are meant.

    Raises:
        ConfigurationError: none are named, and none are set.
    """
    named = list(golden or ()) or ([settings.knowledge_golden] if settings.knowledge_golden else [])
    files = [file for path in named for file in (golden_files(path) if path.is_dir() else [path])]
    if not files:
        raise ConfigurationError("no golden set is named, and CTXGATE_KNOWLEDGE_GOLDEN holds none")
    return files


def read_all(file: Path, bundle: Bundle) -> ReadGolden:
    """
    The golden set of a file.

    Raises:
        typer.Exit: it is wrong; where and why is printed.
    """
    read = read_golden(file, bundle)
    if isinstance(read, ReadGolden):
        return read
    raise _wrong(read)


def _wrong(found: Sequence[Misplaced]) -> typer.Exit:
    for one in found:
        where = f"{one.file}:{one.line}:{one.column}"
        errors.print(styled("[red]{}[/] [bold]{}[/]: {}", where, one.entry, one.message), soft_wrap=True)
        errors.print(f"  {one.hint}", highlight=False, soft_wrap=True)
    return typer.Exit(MAY_NOT_DECIDE)


def table_of(bundle: Bundle) -> QualityTable:
    """
    The thresholds of a bundle.

    Raises:
        ConfigurationError: it has none.
    """
    table = registry_of(bundle).quality
    if table is None:
        raise ConfigurationError("the bundle that decides has no table registry/quality")
    return table


def require_documents(file: Path, golden: ReadGolden, finder: Finder) -> None:
    """
    Refuse a golden set that names documents which are not there.

    Raises:
        typer.Exit: it does; which is printed.
    """
    tenants = {one.subject.tenant for one in golden.askers.values()}
    found = unknown_documents(file, {tenant: frozenset(finder.documents(tenant)) for tenant in tenants})
    if found:
        raise _wrong(found)


async def _measure(
    settings: Settings, files: list[Path], read: list[ReadGolden], table: QualityTable, baseline: Path | None
) -> list[Measured]:
    found = []
    async with opened.opened(settings) as findable:
        for file, golden in zip(files, read, strict=True):
            require_documents(file, golden, findable.finder)
            evaluation = await evaluate(golden, findable.finder, table.depth)
            known = baseline or baseline_file(file)
            moved = movement(load(known), evaluation, table) if known.is_file() else None
            found.append(Measured(evaluation, verdict(evaluation, table, moved), moved))
    return found


def _store(files: list[Path], measured: list[Measured], baseline: Path | None) -> None:
    for file, one in zip(files, measured, strict=True):
        if one.told.leaks:
            errors.print(f"The baseline of {one.evaluation.golden} is left as it is: what leaks is no baseline.")
            continue
        target = baseline or baseline_file(file)
        store(one.evaluation, target)
        errors.print(f"Stored {target}.", highlight=False)


def show(measured: Measured) -> None:
    """Print a measurement for people."""
    evaluation, moved = measured.evaluation, measured.moved
    table = Table(title=f"{evaluation.golden}, best {evaluation.depth}", title_justify="left", header_style="bold")
    for name in ("figure", "value", "target", "alarm", "baseline", ""):
        table.add_column(name, justify="left" if name in {"figure", ""} else "right")
    lines = {line.figure: line for line in measured.told.lines}
    for name, value in evaluation.figures.items():
        line = lines.get(name)
        before = moved.before.get(name) if moved else None
        standing = "drift" if moved and name in moved.drifted else line.standing if line else ""
        table.add_row(
            name,
            f"{value:.3f}",
            f"{line.target:g}" if line else "",
            f"{line.alarm:g}" if line else "",
            "" if before is None else f"{before:.3f}",
            styled(f"[{_COLOURS.get(standing, 'red')}]{{}}[/]", standing),
        )
    console.print(table)
    for one in evaluation.questions:
        if one.leaked or one.refused_by_gate:
            console.print(styled("[red]{}[/] finds {}", one.id, ", ".join(one.leaked) or "what the gate refuses"))
    missed = [one for one in evaluation.questions if one.missed]
    for one in missed[:_MOST]:
        console.print(styled("{} misses {}", one.id, ", ".join(one.missed)), highlight=False)
    if len(missed) > _MOST:
        console.print(f"{len(missed) - _MOST} more questions miss something; --json lists them.")
    if moved:
        text = f"{moved.compared} questions compared with the baseline, {moved.left_out} left out"
        console.print(f"{text}; changed since: {', '.join(moved.changed) or 'nothing'}.", highlight=False)
