"""Where what a command found goes: to people, or as JSON, JUnit or SARIF."""

import json

from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer

from gateway.cli.output import console, raw, styled
from gateway.workbench.results.findings import BundleResult
from gateway.workbench.results.junit import junit
from gateway.workbench.results.sarif import sarif

AsOneDocument = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
JUnitFile = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit's XML, for pipelines.")]
SarifFile = Annotated[Path | None, typer.Option("--sarif", metavar="FILE", help="Write SARIF 2.1.0, for code hosts.")]
WatchFiles = Annotated[bool, typer.Option("--watch", help="Again whenever a file changes, until stopped.")]


def deliver(result: BundleResult, *, as_json: bool, junit_file: Path | None, sarif_file: Path | None) -> None:
    """Write the files that are asked for, and print the findings to people or as JSON."""
    if junit_file is not None:
        junit_file.write_text(junit(result))
    if sarif_file is not None:
        log = sarif(result.findings, version=version("ctxgate"), root=result.bundle)
        sarif_file.write_text(json.dumps(log, indent=2) + "\n")
    if as_json:
        raw(json.dumps(result.as_json(), ensure_ascii=False))
        return
    for one in result.findings:
        where = ":".join(map(str, filter(None, (one.file, one.line, one.column))))
        colour = "yellow" if one.kind == "no-case" else "red"
        line = styled(f"[{colour}]{{}}[/] [bold]{{}}[/]: {{}}", where, one.entry, one.message)
        console.print(line, highlight=False, soft_wrap=True)
        if one.hint:
            console.print(f"  {one.hint}", highlight=False, soft_wrap=True)
    for note in result.notes:
        console.print(note, highlight=False, soft_wrap=True)


def facts(document: object) -> None:
    """Print what a command found as one JSON document."""
    raw(json.dumps(document, ensure_ascii=False, default=str))
