"""What all reports on the command line have in common: what they are made from, and the forms that they are written in."""

import asyncio
import json

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from gateway.bootstrap.policies import deciding_bundle
from gateway.bootstrap.replay import witness_keys
from gateway.cli.ledger.query import Audit, auditing
from gateway.cli.output import console, raw
from gateway.errors import ReportNotWrittenError
from gateway.policy.store import BundleStore
from gateway.reporting.document import Report, as_document
from gateway.reporting.evidence import Material
from gateway.reporting.page import as_page
from gateway.reporting.pdf import as_pdf
from gateway.settings import Settings

report = typer.Typer(no_args_is_help=True, help="Reports for a committee or an examiner: HTML, PDF, JSON.")

AsPage = Annotated[Path | None, typer.Option("--html", help="Write it as a page to this file.")]
AsPdf = Annotated[Path | None, typer.Option("--pdf", help="Write it as PDF/A to this file.")]
JsonReport = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]

Make = Callable[[Material], Report]


def made(make: Make, asked: Mapping[str, str]) -> Report:
    """
    A report from the ledger of the settings; that it was asked for is on record before anything is read.

    Raises:
        NotFoundError: there is no ledger.

        LedgerError, RecordError: the ledger did not answer, or that it is read is not on record.
    """
    return asyncio.run(_made(make, asked))


async def _made(make: Make, asked: Mapping[str, str]) -> Report:
    async with auditing() as audit:
        await audit.record_reading(dict(asked))
        await audit.queries.up_to_date()
        return await asyncio.to_thread(make, material_of(audit))


def material_of(audit: Audit) -> Material:
    """What reports are made from."""
    parts, settings = audit.parts, audit.settings
    kept = BundleStore(settings.bundles_dir).stored
    inputs = parts.evidence.inputs if audit.station is None else None
    return Material(parts.store, parts.keys, witness_keys(parts), parts.trust, kept, deciding_bundle(settings), inputs)


def write(made_: Report, page: Path | None, pdf: Path | None, *, as_json: bool) -> None:
    """
    Write a report in the forms that are asked for; without any, print what its summary says.

    Raises:
        ReportNotWrittenError: a file cannot be written.

        ReportFormError: it cannot be set as a PDF.
    """
    try:
        if page is not None:
            page.write_text(as_page(made_), encoding="utf-8")
        if pdf is not None:
            pdf.write_bytes(as_pdf(made_, Settings().report_fonts))
    except OSError as error:
        raise ReportNotWrittenError("the report cannot be written to that file") from error
    if as_json:
        raw(json.dumps(as_document(made_), ensure_ascii=False, indent=2))
        return
    console.print(made_.title, style="bold", highlight=False)
    for sentence in made_.summary:
        console.print(sentence, highlight=False)
    for file in filter(None, (page, pdf)):
        console.print(f"Wrote {file}.", highlight=False)
