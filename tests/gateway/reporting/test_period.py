"""The report of a period, from a log."""

import json

import pytest

from gateway.errors import ReportTooLargeError
from gateway.reporting.document import as_document, visible
from gateway.reporting.page import as_page
from gateway.reporting.pdf import as_pdf
from gateway.reporting.period import period_report
from gateway.reporting.span import span_of
from ledger.query import Filter
from tests.support.reports import (
    BUNDLE,
    HOSTILE,
    PageReader,
    decided,
    drafted,
    item,
    material,
    number,
    squeezed,
    text_of,
    write_pack,
)
from tests.support.strategies import sequencer, write

SPAN = span_of("2026-03-01", "2026-03-31")


@pytest.fixture
def lived(log):
    """A log of a month in which much happened, with records before, after and of another tenant."""
    store, lane = log
    old, new = "2026-02-20T00:00:00.000000Z", "2026-04-02T00:00:00.000000Z"
    system = {"tenant": "-", "agent": None, "purpose": None, "policy": decided(entrypoint="context")}
    write(lane, drafted("bundle.activated", 700, at=old, codes=("ACTIVATED",), **system))
    write_pack(lane)
    write(
        lane,
        drafted("item.ruled", 701, tenant="other", outcome="denied", codes=("JUR-001",), policy=decided()),
        drafted("item.ruled", 702, at=new, outcome="denied", codes=("JUR-001",), policy=decided()),
        drafted("bundle.activated", 703, codes=("BREAK-GLASS", "ROLLED-BACK"), **system),
        drafted("request.opened", 704, outcome="denied", codes=("GW-152", "SCP-003")),
        drafted("quarantine.reviewed", 705, codes=("RELEASE-PROPOSED",), exceptions=("held-1",)),
        drafted("exception.reviewed", 710, codes=("APPROVED",), exceptions=("EXR-1",)),
        drafted("token.revealed", 706, outcome="released"),
        drafted("erasure", 707, item=item("token-7"), codes=("ERASED",)),
        drafted("erasure.certified", 708, item=item("token-7"), codes=("CERTIFIED",)),
        drafted("ledger.read", 709, subject="auditor", codes=("FILTER-ITEM_ID",)),
    )
    sequencer(store).run()
    return store


def test_figures_are_the_databases(lived):
    """
    The volumes of all tenants are those that the database counts.
    """
    document = as_document(period_report(material(lived), SPAN, None))
    wanted = Filter(since=SPAN.since, until=SPAN.until)
    assert {row["kind"]: row["count"] for row in document["kinds"]["rows"]} == {
        one.value: one.count for one in lived.series(wanted, "kind", None)
    }
    ruled = wanted.model_copy(update={"kind": "item.ruled"})
    [agent] = document["agents"]["rows"]
    assert {name: agent[name] for name in ("released", "redacted", "quarantined", "denied")} == {
        one.value: one.count for one in lived.series(ruled, "outcome", None)
    }
    assert {row["code"]: row["denied"] + row["quarantined"] for row in document["codes"]["rows"]} == {
        one.value: one.count for one in lived.series(ruled, "code", None)
    }
    assert document["period"]["records"] == sum(one.count for one in lived.series(wanted, "kind", None))


def test_refusals_by_control(lived):
    """
    A committee sees which control refused how much, by which rules, and who owns them.
    """
    document = as_document(period_report(material(lived), SPAN, "gfm"))
    rows = {row["control"]: row for row in document["controls"]["rows"]}
    assert rows["DPO-014"] == {
        "control": "DPO-014", "codes": ("JUR-001",), "owners": ("AI Governance",), "denied": 1, "quarantined": 0,
    }  # fmt: skip
    assert rows["AIG-012"]["quarantined"] == 1
    assert rows["no control"]["codes"] == ("JUR-002",)
    assert [row["code"] for row in document["requests"]["rows"]] == ["GW-152", "SCP-003"]


def test_who_stepped_beside_the_rules(lived):
    """
    Exceptions, reviews, bundles that one person changed alone, values that were told, erasures and readings all stand there.
    """
    document = as_document(period_report(material(lived), SPAN, None))
    assert document["exceptions"]["rows"][0]["owner"] == "Head of Product Control"
    assert document["reviews"]["rows"][0]["held"] == ("held-1",)
    assert document["exempting"]["rows"][0]["id"] == ("EXR-1",)
    [act] = document["bundles"]["rows"]
    assert act["flag"] == ("one person alone, under time pressure", "back to an earlier bundle")
    assert document["detokenisations"]["rows"] == [{"kind": "—", "outcome": "released", "count": 1}]
    assert document["erasures"]["rows"][0]["certificate"] == number(708)
    assert document["readings"]["rows"] == [{"subject": "auditor", "codes": "FILTER-ITEM_ID", "count": 1}]
    assert "1 bundles were changed by one person alone." in document["summary"][1]


def test_bundles_in_force(lived):
    """
    What decided is told from the beginning of the period on, also where it was activated before.
    """
    document = as_document(period_report(material(lived), SPAN, "gfm"))
    assert [row["at"][:10] for row in document["in_force"]["rows"]] == ["2026-02-20", "2026-03-01"]
    assert [(row["revision"], row["rulings"], row["here"]) for row in document["revisions"]["rows"]] == [
        (BUNDLE.revision, 5, True)
    ]


def test_a_tenants_own(lived):
    """
    Of another tenant nothing is counted; what decides for every tenant is.
    """
    document = as_document(period_report(material(lived), SPAN, "other"))
    kinds = {row["kind"]: row["count"] for row in document["kinds"]["rows"]}
    assert kinds == {"item.ruled": 1, "bundle.activated": 1}


def test_the_ends_are_proved(lived):
    """
    The first and the last record of the period stand there with places and proofs.
    """
    rows = as_document(period_report(material(lived), SPAN, None))["ends"]["rows"]
    inside = lived.query(Filter(since=SPAN.since, until=SPAN.until, limit=1000))
    assert [row["index"] for row in rows] == [inside.indexes[0], inside.indexes[-1]]
    assert all("proved against the signed checkpoint" in row["proof"] for row in rows)


def test_more_than_is_taken(lived):
    """
    A period with more records than may be asked for is refused with a code, and no part is shown for the whole.
    """
    assert period_report(material(lived), SPAN, "gfm", most=16)
    with pytest.raises(ReportTooLargeError):
        period_report(material(lived), SPAN, "gfm", most=15)


def test_a_period_without_anything(log):
    """
    Of an empty log there is a report all the same, in both forms.
    """
    report = period_report(material(log[0]), SPAN, None)
    assert as_document(report)["period"]["records"] == 0
    assert "The period has no record." in PageReader(as_page(report)).text
    assert squeezed("The period has no record.") in text_of(as_pdf(report))


def test_a_period_that_goes_on(lived):
    """
    Where the log ends within the period the report says so, and speaks of the time of the checkpoint.
    """
    report = period_report(material(lived), span_of("2026-03-01", "2199-01-01"), None)
    assert report.at == lived.published().at
    assert report.summary[-1] == "The period is not over: the log ends within it."


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_names_everywhere(log, hostile):
    """
    Names from outside, wherever the report has them, are shown letter by letter.
    """
    store, lane = log
    name = hostile.replace("\x00", "")
    code = name if name.isprintable() else "JUR-001"
    shared = {"agent": name, "purpose": name, "subject": name, "tenant": "gfm"}
    write(
        lane,
        drafted("item.ruled", 1, outcome="denied", codes=(code,), policy=decided(name), **shared),
        drafted("exception.used", 2, exceptions=(name,), **shared),
        drafted("quarantine.reviewed", 3, exceptions=(name,), **shared),
        drafted("erasure", 4, item=item(name), **shared),
        drafted("ledger.read", 5, **shared),
        drafted("record.refused", 6, item=item(name), **shared),
        drafted("bundle.activated", 7, policy=decided(name), **shared),
    )
    sequencer(store).run()
    report = period_report(material(store), SPAN, None)
    page, shown = PageReader(as_page(report)), visible(name)
    assert not {"script", "img"} & set(page.tags)
    assert page.text.count(" ".join(shown.split())) >= 10
    assert text_of(as_pdf(report)).count(squeezed(shown)) >= 10


def test_the_same_log_is_the_same_report(lived):
    """
    Made again from the same log, both forms are the same bytes.
    """
    one, other = (period_report(material(lived), SPAN, None) for _ in range(2))
    assert as_page(one) == as_page(other)
    assert as_pdf(one) == as_pdf(other)
    assert json.dumps(as_document(one)) == json.dumps(as_document(other))
