"""`ctxgate report change`, `exceptions`: what is changed in policy, and what is waived."""

from datetime import UTC, date, datetime
from typing import Annotated

import typer

from gateway.bootstrap.policies import compile_bundle, deciding_bundle
from gateway.cli.ledger.query import Tenant
from gateway.cli.report.making import AsPage, AsPdf, JsonReport, made, report, write
from gateway.errors import FieldInvalidError
from gateway.policy.bundle import Bundle
from gateway.policy.retold import PastRetelling
from gateway.policy.store import BundleStore
from gateway.reporting.change import BesideLog, change_report
from gateway.reporting.document import Report
from gateway.reporting.evidence import Material
from gateway.reporting.exceptions import SOON, exceptions_report
from gateway.reporting.span import span_of
from gateway.settings import Settings
from gateway.workbench.desk.review import every_review
from gateway.workbench.diff import registry_changes
from gateway.workbench.simulate import Simulation
from gateway.workbench.simulate import simulate as simulate_bundle
from ledger.query import Filter


@report.command()
def change(
    revision: Annotated[str, typer.Argument(help="Revision of a bundle, as records and proposals name it.")],
    simulate: Annotated[
        int, typer.Option(min=0, help="Past decisions to decide again under it, the oldest first; none by default.")
    ] = 0,
    html: AsPage = None,
    pdf: AsPdf = None,
    as_json: JsonReport = False,
) -> None:
    """Who asked for a change of policy and who let it decide, what it changes, what was tried, and the past decided again."""

    def make(material: Material) -> Report:
        reviews = every_review(revision, BundleStore(Settings().bundles_dir))
        past = (lambda bundle: _simulated(material, bundle, simulate)) if simulate else None
        return change_report(material, revision, BesideLog(reviews, past))

    write(made(make, {"report_change": revision}), html, pdf, as_json=as_json)


def _simulated(material: Material, bundle: Bundle, limit: int) -> Simulation:
    if material.inputs is None:
        raise FieldInvalidError(
            "what policy was asked is sealed, and the keys are not here", fields=[("--simulate", "needs them")]
        )
    tell = PastRetelling(bundle, BundleStore(Settings().bundles_dir).stored)
    engine = compile_bundle(bundle)
    result = simulate_bundle(material.store, material.inputs, engine, Filter(), tell=tell, limit=limit)
    result.registry = tuple(registry_changes(deciding_bundle(Settings()), bundle))
    return result


@report.command()
def exceptions(
    on: Annotated[str | None, typer.Option(help="Day, YYYY-MM-DD. Default: today in UTC.")] = None,
    soon: Annotated[int, typer.Option(min=0, max=3650, help="Days before its end in which one lapses soon.")] = SOON,
    tenant: Tenant = None,
    html: AsPage = None,
    pdf: AsPdf = None,
    as_json: JsonReport = False,
) -> None:
    """Which exceptions hold, which have lapsed or soon will, which nobody ever used, and who answers for them."""
    day = _day(on)
    asked = {"report_exceptions": day.isoformat(), **({"tenant": tenant} if tenant else {})}
    told = made(lambda material: exceptions_report(material, day, tenant, soon), asked)
    write(told, html, pdf, as_json=as_json)


def _day(text: str | None) -> date:
    if text is None:
        return datetime.now(UTC).date()
    # A day is a period of its own, and refused where that would be.
    return date.fromisoformat(span_of(text, text).since[:10])
