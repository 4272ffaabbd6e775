"""`ctxgate report pack`, `period`: what the ledger says of one pack, and of a time."""

from typing import Annotated

import typer

from gateway.cli.ledger.query import Tenant
from gateway.cli.report.making import AsPage, AsPdf, JsonReport, made, report, write
from gateway.reporting.pack import pack_report
from gateway.reporting.period import period_report
from gateway.reporting.span import span_of


@report.command()
def pack(
    name: Annotated[str, typer.Argument(metavar="ID", help="Id of a pack, its request, or one of its decisions.")],
    tenant: Tenant = None,
    html: AsPage = None,
    pdf: AsPdf = None,
    as_json: JsonReport = False,
) -> None:
    """What became of every candidate of a pack, by which rule of whom, with its proofs and how to check them."""
    told = made(lambda material: pack_report(material, name, tenant), {"report_pack": name})
    write(told, html, pdf, as_json=as_json)


@report.command()
def period(
    since: Annotated[str, typer.Option(help="First day, or a time with an offset.")],
    until: Annotated[str, typer.Option(help="Last day, or the time up to which.")],
    tenant: Tenant = None,
    html: AsPage = None,
    pdf: AsPdf = None,
    as_json: JsonReport = False,
) -> None:
    """How much was decided in a time, what was refused by which control, who stepped beside the rules, and where there are gaps."""
    span = span_of(since, until)
    asked = {"report_period": "", "since": span.since, "until": span.until, **({"tenant": tenant} if tenant else {})}
    write(made(lambda material: period_report(material, span, tenant), asked), html, pdf, as_json=as_json)
