"""
Reports over HTTP, for auditors of a tenant.

Rules held here: a report is of the caller's own tenant, and of what decides for every tenant; that it was asked for is on record
before anything is read; reports are made one after another on a thread of their own, and of no more records than a bound, so that
nobody's requests wait for them; a page comes with the policy that lets a browser do nothing but show it.
"""

import asyncio

from collections.abc import Callable, Mapping
from datetime import date
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import HTMLResponse, JSONResponse, Response

from gateway.api.dependencies import Caller, RunningGateway, actor_of, only_described, require
from gateway.audit.acts import record_reading
from gateway.bootstrap.gateway import Gateway
from gateway.bootstrap.replay import witness_keys
from gateway.concurrency.threads import FairThreads
from gateway.errors import RecordError
from gateway.model import Subject
from gateway.policy.store import BundleStore
from gateway.reporting.change import BesideLog, change_report
from gateway.reporting.document import Report, as_document
from gateway.reporting.evidence import Material
from gateway.reporting.exceptions import SOON, exceptions_report
from gateway.reporting.pack import pack_report
from gateway.reporting.page import as_page, content_policy
from gateway.reporting.pdf import MEDIA_TYPE, as_pdf
from gateway.reporting.period import period_report
from gateway.reporting.span import span_of
from gateway.workbench.desk.review import every_review
from ledger.errors import LedgerError

router = APIRouter(prefix="/v1/reports", dependencies=[Depends(only_described)])

MOST_RECORDS: Final = 100_000
"""Records of a period over HTTP, at most; `ctxgate report period` takes as many as there are."""

_makers: Final = FairThreads(1, "reports")
_FORMS: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "The report",
        "content": {"application/json": {}, "text/html": {}, MEDIA_TYPE: {}},
    }
}

ReportForm = Annotated[
    Literal["json", "html", "pdf"], Query(alias="format", description="`html` is one page, `pdf` is PDF/A.")
]
OnDay = Annotated[
    str | None,
    Query(
        description="Such as 2026-10-31. Default: today in UTC.", max_length=10, pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
    ),
]


@router.get("/pack/{pack_id}", responses=_FORMS)
async def pack(
    pack_id: Annotated[str, Path(description="Of a pack, its request, or a decision on a candidate.", max_length=300)],
    gateway: RunningGateway,
    subject: Caller,
    form: ReportForm = "json",
) -> Response:
    """What became of every candidate of a pack, by which rule of whom, with its proofs and how to check them."""
    asked = {"report_pack": pack_id}
    return await _answered(
        gateway, subject, asked, form, lambda material: pack_report(material, pack_id, subject.tenant)
    )


@router.get("/period", responses=_FORMS)
async def period(
    gateway: RunningGateway,
    subject: Caller,
    since: Annotated[str, Query(description="First day, or a time with an offset.", max_length=40)],
    until: Annotated[str, Query(description="Last day, or the time up to which.", max_length=40)],
    form: ReportForm = "json",
) -> Response:
    """How much was decided in a time, what was refused by which control, who stepped beside the rules, and where there are gaps."""
    require(subject, "ledger:read")
    span, tenant = span_of(since, until), subject.tenant
    asked = {"report_period": span.title, "since": span.since, "until": span.until}
    return await _answered(
        gateway, subject, asked, form, lambda material: period_report(material, span, tenant, MOST_RECORDS)
    )


@router.get("/change/{revision}", responses=_FORMS)
async def change(
    revision: Annotated[str, Path(description="Revision, as records name it.", pattern=r"^sha256:[0-9a-f]{64}$")],
    gateway: RunningGateway,
    subject: Caller,
    form: ReportForm = "json",
) -> Response:
    """Who asked for a change of policy and who let it decide, what it changes, and what was tried."""
    kept = BundleStore(gateway.settings.bundles_dir)
    return await _answered(
        gateway,
        subject,
        {"report_change": revision},
        form,
        lambda material: change_report(material, revision, BesideLog(every_review(revision, kept))),
    )


@router.get("/exceptions", responses=_FORMS)
async def exceptions(
    gateway: RunningGateway,
    subject: Caller,
    on: OnDay = None,
    soon: Annotated[int, Query(description="Days before its end.", ge=0, le=3650)] = SOON,
    form: ReportForm = "json",
) -> Response:
    """Which exceptions hold, which have lapsed or soon will, which nobody of the tenant ever used, and who answers for them."""
    require(subject, "ledger:read")
    day, tenant = (
        gateway.clock().date() if on is None else date.fromisoformat(span_of(on, on).since[:10]),
        subject.tenant,
    )
    asked = {"report_exceptions": day.isoformat()}
    return await _answered(
        gateway, subject, asked, form, lambda material: exceptions_report(material, day, tenant, soon)
    )


async def _answered(
    gateway: Gateway,
    subject: Subject,
    asked: Mapping[str, str],
    form: str,
    make: Callable[[Material], Report],
) -> Response:
    require(subject, "ledger:read")
    await record_reading(asked, actor_of(subject), gateway.clock(), ledger=gateway.recorder)
    try:
        await gateway.ledger.keeper.round()
        made = _makers.submit(subject.tenant, lambda: _response(make(_material(gateway)), form, gateway))
        return await asyncio.wrap_future(made)
    except (LedgerError, OSError) as error:
        raise RecordError("the ledger did not answer") from error


def _material(gateway: Gateway) -> Material:
    parts, kept = gateway.ledger.parts, BundleStore(gateway.settings.bundles_dir).stored
    deciding = kept(gateway.switching.version.revision)
    return Material(gateway.store, parts.keys, witness_keys(parts), parts.trust, kept, deciding)


def _response(report: Report, form: str, gateway: Gateway) -> Response:
    """The report in its form, made where it holds up nobody."""
    if form == "json":
        return JSONResponse(as_document(report))
    if form == "html":
        policy = f"{content_policy()}; frame-ancestors 'none'; sandbox"
        return HTMLResponse(as_page(report), headers={"content-security-policy": policy})
    named = {"content-disposition": f'attachment; filename="{report.kind}.pdf"'}
    return Response(as_pdf(report, gateway.settings.report_fonts), media_type=MEDIA_TYPE, headers=named)
