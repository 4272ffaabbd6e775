"""The report of governed exceptions."""

from dataclasses import replace
from datetime import date

import pytest

from gateway.reporting.document import as_document, visible
from gateway.reporting.exceptions import exceptions_report
from gateway.reporting.page import as_page
from gateway.reporting.pdf import as_pdf
from tests.support.reports import BUNDLE, GRANTED, HOSTILE, PageReader, drafted, material, squeezed, text_of
from tests.support.strategies import sequencer, write

DAY = date(2026, 3, 2)


def granting(*entries):
    """A bundle that grants these."""
    return replace(BUNDLE, data={"context": {"exceptions": {"granted": list(entries), "waivable": ["INJ-003"]}}})


def told(log, *entries, on=DAY, tenant=None, soon=30):
    return as_document(exceptions_report(material(log[0], deciding=granting(*entries)), on, tenant, soon))


@pytest.mark.parametrize(
    ("expires", "state"),
    [
        ("2026-03-01", "lapsed"),
        ("2026-03-02", "lapsed"),
        ("2026-03-02T00:00:00Z", "lapsed"),
        ("2026-03-02T09:00:00Z", "lapsing soon"),
        ("2026-03-03", "lapsing soon"),
        ("2026-04-01", "lapsing soon"),
        ("2026-04-02", "in force"),
    ],
)
def test_states(log, expires, state):
    """
    An exception has lapsed from the start of the day that it names, and is told some days before.
    """
    document = told(log, {**GRANTED, "expires": expires})
    [row] = document["exceptions"]["rows"]
    assert row["state"] == state
    assert document["counts"][state.replace(" ", "_")] == 1


def test_uses(log):
    """
    Uses are counted up to the day, of the tenant or of all, with the last; one that nobody used is told.
    """
    store, lane = log
    days = ["2026-02-01", "2026-03-01", "2026-03-02", "2026-03-03"]
    for place, day in enumerate(days):
        at = f"{day}T10:00:00.000000Z"
        write(lane, drafted("exception.used", place, exceptions=("EXC-2026-001",), at=at))
    write(lane, drafted("exception.used", 10, exceptions=("EXC-2024-009",), tenant="other"))
    sequencer(store).run()
    entries = [GRANTED, {**GRANTED, "id": "EXC-2026-002"}]
    document = told(log, *entries)
    assert [(row["id"], row["uses"], row["last"][:10]) for row in document["exceptions"]["rows"]] == [
        ("EXC-2026-001", 3, "2026-03-02"),
        ("EXC-2026-002", 0, ""),
    ]
    assert document["counts"]["never_used"] == ("EXC-2026-002",)
    assert document["gone"]["rows"] == [{"id": "EXC-2024-009", "uses": 1, "last": "2026-03-01T09:15:00.000000Z"}]
    assert told(log, *entries, tenant="gfm")["gone"]["rows"] == []


def test_on_request(log):
    """
    Exceptions on request are told by the steps on record, with tokens and uses, and not among those of old bundles.
    """
    store, lane = log
    one, other = ("EXR-0123456789abcdef",), ("EXR-00000000000000ff",)
    write(
        lane,
        drafted("exception.reviewed", 1, exceptions=one, codes=("ASKED",), subject="token-1"),
        drafted("exception.reviewed", 2, exceptions=one, codes=("APPROVED",), subject="token-2"),
        drafted("exception.reviewed", 3, exceptions=other, codes=("ASKED",), subject="token-3"),
        drafted("exception.used", 4, exceptions=one, codes=one),
        drafted("exception.reviewed", 5, exceptions=one, codes=("REVOKED",), subject="token-4", tenant="other"),
    )
    sequencer(store).run()
    rows = {row["id"]: row for row in told(log, GRANTED, tenant="gfm")["requested"]["rows"]}
    assert {key: rows[one[0]][key] for key in ("state", "asked_by", "approved_by", "revoked_by", "uses")} == {
        "state": "approved", "asked_by": "token-1", "approved_by": "token-2", "revoked_by": None, "uses": 1,
    }  # fmt: skip
    assert rows[other[0]]["state"] == "asked"
    document = told(log, GRANTED)
    assert document["gone"]["rows"] == []
    assert {row["state"] for row in document["requested"]["rows"]} == {"revoked", "asked"}


def test_what_can_be_waived(log):
    """
    The rules that may be waived at all stand there with control and owner, and broken entries are counted.
    """
    document = told(log, {**GRANTED, "owner": ""})
    assert document["waivable"]["rows"][0]["controls"] == ("AIG-012",)
    assert (document["counts"]["not_whole"], document["exceptions"]["rows"]) == (1, [])


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_names_everywhere(log, hostile):
    """
    Reasons and owners, and ids of exceptions in old records, are shown letter by letter.
    """
    store, lane = log
    name = hostile.replace("\x00", "")
    write(lane, drafted("exception.used", 1, exceptions=(name,)))
    sequencer(store).run()
    words = {"reason": f"because {name}", "rollback_trigger": f"until {name}"}
    report = exceptions_report(material(store, deciding=granting({**GRANTED, **words})), DAY, None)
    page, shown = PageReader(as_page(report)), visible(name)
    assert not {"script", "img"} & set(page.tags)
    assert page.text.count(" ".join(shown.split())) >= 3
    assert text_of(as_pdf(report)).count(squeezed(shown)) >= 3
