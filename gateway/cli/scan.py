"""`ctxgate scan`: what the detectors see in files, without a request."""

import asyncio
import html
import json

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final, TextIO, TypeVar

import typer

from rich.progress import Progress
from rich.table import Table

from gateway.bootstrap.detectors import screening
from gateway.bootstrap.policies import configured_bundle
from gateway.cli.output import console, errors, raw, styled
from gateway.errors import DetectorError, FieldInvalidError
from gateway.model import Finding
from gateway.settings import Settings
from gateway.workbench.scan import Scan, ScanLimits, scan_texts

_T = TypeVar("_T")

TOGETHER = 32
"""Texts given to the workers at once."""


class Profile(StrEnum):
    """What is looked for."""

    structured = "structured"
    patterns = "patterns"
    full = "full"


Files = Annotated[list[Path] | None, typer.Argument(exists=True, dir_okay=False, help="Texts or JSON documents.")]
Jsonl = Annotated[
    Path | None, typer.Option(exists=True, dir_okay=False, help='Lines of {"id", "text"} instead of files.')
]
Out = Annotated[Path | None, typer.Option("--out", help="Where to write the findings of --jsonl, a line each.")]
Html = Annotated[Path | None, typer.Option("--html", help="Write a page with the findings marked in the texts.")]
Show = Annotated[bool, typer.Option("--show", help="Print the values that were found. Never by itself.")]


def scan(
    files: Files = None,
    profile: Annotated[Profile, typer.Option(help="structured, patterns, or full with names.")] = Profile.full,
    trust: Annotated[str, typer.Option(help="Trust class whose injection threshold holds.")] = "UNTRUSTED",
    jsonl: Jsonl = None,
    out: Out = None,
    html: Html = None,
    show: Show = False,
) -> None:
    """Print what is found in texts: offsets and types, never values unless asked."""
    if (jsonl is None) == (not files):
        raise FieldInvalidError("give either files or --jsonl", fields=[("files", "either files or --jsonl")])
    settings = Settings()
    limits = ScanLimits.of(configured_bundle(settings), trust)
    if jsonl is not None:
        raise typer.Exit(asyncio.run(_scan_lines(jsonl, out, profile, settings, limits)))
    texts = [_read(path) for path in files or []]
    scans = asyncio.run(_scan_all(texts, profile, settings, limits))
    named = list(zip(map(str, files or []), texts, scans, strict=True))
    _print(named, show=show)
    if html is not None:
        html.write_text(highlighted(named))


async def _scan_all(texts: Sequence[str], profile: str, settings: Settings, limits: ScanLimits) -> list[Scan]:
    async with screening(settings) as detectors:
        found: list[Scan] = []
        with Progress(console=errors, transient=True) as progress:
            task = progress.add_task("scanning", total=len(texts))
            for some in _batches(texts):
                found += await scan_texts(some, profile, detectors=detectors, limits=limits)
                progress.advance(task, len(some))
        return found


async def _scan_lines(jsonl: Path, out: Path | None, profile: str, settings: Settings, limits: ScanLimits) -> int:
    """Findings line by line, in order; a text that could not be screened says so, and the exit code is 1."""
    failed = 0
    with jsonl.open() as lines:
        total = sum(1 for line in lines if line.strip())
    target = out.open("w") if out else None
    async with screening(settings) as detectors:
        with Progress(console=errors, transient=True) as progress:
            task = progress.add_task("scanning", total=total)
            for some in _batches(_lines(jsonl)):
                for answer in await _answers(some, profile, detectors, limits):
                    failed += "error" in answer
                    _write(json.dumps(answer, ensure_ascii=False), target)
                    progress.advance(task)
    if target:
        target.close()
    return 1 if failed else 0


def _write(line: str, target: TextIO | None) -> None:
    if target is None:
        raw(line)
    else:
        print(line, file=target)


def _lines(jsonl: Path) -> Iterator[dict[str, Any]]:
    with jsonl.open() as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                row = json.loads(line)
            except ValueError:
                row = None
            if not (isinstance(row, dict) and isinstance(row.get("text"), str) and "id" in row):
                fields = [(f"line {number}", "needs id and text")]
                raise FieldInvalidError("a line is not an object with id and text", fields=fields)
            yield row


def _batches(rows: Iterable[_T]) -> Iterator[list[_T]]:
    rest = iter(rows)
    while some := list(islice(rest, TOGETHER)):
        yield some


async def _answers(
    rows: Sequence[dict[str, Any]], profile: str, detectors: Sequence[Any], limits: ScanLimits
) -> list[dict[str, Any]]:
    """Answers for some rows together, or one by one where together they fail."""
    if len(rows) > 1:
        try:
            return await _together(rows, profile, detectors, limits)
        except DetectorError:
            # One text fails all that are screened with it; which one it is, only asking for each alone tells.
            pass
    return [await _alone(row, profile, detectors, limits) for row in rows]


async def _together(
    rows: Sequence[dict[str, Any]], profile: str, detectors: Sequence[Any], limits: ScanLimits
) -> list[dict[str, Any]]:
    scans = await scan_texts([row["text"] for row in rows], profile, detectors=detectors, limits=limits)
    return [
        {
            "id": row["id"],
            "findings": [_shown(finding) for finding in scanned.findings],
            "injection_score": scanned.injection_score,
            "injection_flagged": scanned.injection_flagged,
        }
        for row, scanned in zip(rows, scans, strict=True)
    ]


async def _alone(row: dict[str, Any], profile: str, detectors: Sequence[Any], limits: ScanLimits) -> dict[str, Any]:
    """The answer for one row; one that cannot be screened counts as an injection."""
    try:
        [answer] = await _together([row], profile, detectors, limits)
    except DetectorError as error:
        return {
            "id": row["id"],
            "error": error.code,
            "findings": [],
            "injection_score": 1.0,
            "injection_flagged": True,
        }
    return answer


def _shown(finding: Finding) -> dict[str, Any]:
    return finding.model_dump(include={"kind", "type", "start", "end", "score", "detector", "via"})


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except UnicodeDecodeError as error:
        raise FieldInvalidError(f"{path} is not UTF-8", fields=[(str(path), "not UTF-8")]) from error


def _print(named: Sequence[tuple[str, str, Scan]], *, show: bool) -> None:
    for name, text, scanned in named:
        table = Table(title=name, header_style="bold", title_justify="left")
        for column in ("kind", "type", "start", "end", "score", "detector", "via"):
            table.add_column(column, overflow="fold")
        if show:
            table.add_column("value", no_wrap=True)
        for one in scanned.findings:
            value = [text[one.start : one.end]] if show else []
            row = (one.kind, one.type, str(one.start), str(one.end), f"{one.score:.2f}", one.detector, one.via)
            table.add_row(*row, *value)
        console.print(table)
        verdict = "[red]set aside[/]" if scanned.injection_flagged else "[green]not set aside[/]"
        score = f"{scanned.injection_score:.2f}"
        console.print(styled(f"{{}}: injection {{}}, {verdict}", name, score), highlight=False)


_STYLE: Final = (
    "body{font:16px/1.6 system-ui;max-width:60rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;background:#f6f6f6;"
    "padding:1rem}mark{border-radius:.2em;padding:0 .15em}mark.pii{background:#ffe08a}mark.injection{background:#ffb3a7}"
    "@media(prefers-color-scheme:dark){body{background:#161616;color:#ddd}pre{background:#222}mark{color:#111}}"
)

_POLICY: Final = """<meta http-equiv=Content-Security-Policy content="default-src 'none'; style-src 'unsafe-inline'">"""
"""Nothing is loaded and nothing runs, whatever the texts hold."""


def highlighted(named: Sequence[tuple[str, str, Scan]]) -> str:
    """One HTML page for texts and their findings; each mark says type, score and detector when pointed at."""
    parts = [
        f"<h2>{html.escape(name)}</h2><p>Injection {scan.injection_score:.2f}"
        f"{', set aside' if scan.injection_flagged else ''}</p><pre>{_marked(text, scan.findings)}</pre>"
        for name, text, scan in named
    ]
    head = f"<meta charset=utf-8>{_POLICY}<meta name=viewport content='width=device-width'><title>ctxgate scan</title><style>{_STYLE}</style>"
    return f"<!doctype html><html lang=en><head>{head}</head><body><h1>Findings</h1>{''.join(parts)}</body></html>"


def _marked(text: str, findings: Sequence[Finding]) -> str:
    pieces, done = [], 0
    # Marks do not overlap: personal data first, then what is left of the windows.
    for finding in _apart(findings):
        pieces.append(html.escape(text[done : finding.start]))
        title = f"{finding.type} {finding.score:.2f} {finding.detector}"
        inside = html.escape(text[finding.start : finding.end])
        pieces.append(f'<mark class="{finding.kind}" title="{html.escape(title)}">{inside}</mark>')
        done = finding.end
    return "".join([*pieces, html.escape(text[done:])])


def _apart(findings: Sequence[Finding]) -> list[Finding]:
    kept: list[Finding] = []
    for finding in sorted(findings, key=lambda one: (one.kind != "pii", one.end - one.start)):
        if finding.start < finding.end and all(finding.end <= o.start or o.end <= finding.start for o in kept):
            kept.append(finding)
    return sorted(kept, key=lambda one: one.start)
