"""Reports over HTTP: own tenant alone, on record, bounded, and nothing for a browser to do."""

from collections import Counter

from gateway.api.routes import reports
from gateway.reporting.page import content_policy
from tests.support.oracle import records
from tests.support.reports import PageReader, squeezed, text_of
from tests.support.web import gateway_of, is_problem

SCOPE = "ledger:read"
MONTH = "since=2026-03-01&until=2026-03-31"


async def test_a_pack_in_every_form(client, get, pack):
    """
    An auditor gets the report of a pack as JSON, as a page and as a PDF, with the same facts.
    """
    path = f"/v1/reports/pack/{pack['id']}"
    document = (await get(path, scope=SCOPE)).json()
    verdicts = Counter(row["outcome"] for row in document["verdicts"]["rows"])
    assert verdicts == Counter(one.outcome for one in records(gateway_of(client), kind="item.ruled"))
    page = await get(f"{path}?format=html", scope=SCOPE)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"] == f"{content_policy()}; frame-ancestors 'none'; sandbox"
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["cache-control"] == "no-store"
    pdf = await get(f"{path}?format=pdf", scope=SCOPE)
    assert (pdf.headers["content-type"], pdf.headers["content-disposition"]) == (
        "application/pdf", 'attachment; filename="pack.pdf"',
    )  # fmt: skip
    for fact in (pack["id"], document["sealed"]["leaf"]):
        assert fact in PageReader(page.text).text
        assert squeezed(fact) in text_of(pdf.content)
    assert document["summary"][-1].endswith("are proved against a checkpoint that the log signed.")
    assert [one.codes for one in records(gateway_of(client), kind="ledger.read")] == [("FILTER-REPORT_PACK",)] * 3


async def test_a_period_of_ones_own(client, get, pack):
    """
    A period has the caller's tenant's records alone.
    """
    document = (await get(f"/v1/reports/period?{MONTH}", scope=SCOPE)).json()
    kinds = {row["kind"]: row["count"] for row in document["kinds"]["rows"]}
    assert kinds["item.ruled"] == len(records(gateway_of(client), kind="item.ruled"))
    other = (await get(f"/v1/reports/period?{MONTH}", scope=SCOPE, tenant="other")).json()
    assert "item.ruled" not in {row["kind"] for row in other["kinds"]["rows"]}


async def test_a_change_and_exceptions(get, pack):
    """
    What decides for every tenant is told to auditors of each, and uses of exceptions are counted of their own.
    """
    revision = pack["policy"]["revision"]
    document = (await get(f"/v1/reports/change/{revision}", scope=SCOPE)).json()
    assert [row["kind"] for row in document["acts"]["rows"]] == ["bundle.activated"]
    rows = (await get("/v1/reports/exceptions?on=2026-06-01", scope=SCOPE)).json()["exceptions"]["rows"]
    assert {row["id"]: row["state"] for row in rows}["EXC-2026-001"] == "lapsing soon"
    page = await get("/v1/reports/exceptions?format=html", scope=SCOPE)
    assert "Head of Product Control" in page.text


REFUSED = [
    ("pack/pack_1", "packs:write", 403, "GW-107"),
    (f"period?{MONTH}", "packs:write", 403, "GW-107"),
    ("exceptions", "packs:write", 403, "GW-107"),
    (f"change/sha256:{'0' * 64}", "packs:write", 403, "GW-107"),
    ("pack/pack_unknown", SCOPE, 404, "GW-170"),
    (f"change/sha256:{'0' * 64}", SCOPE, 404, "GW-170"),
    ("change/latest", SCOPE, 422, "GW-120"),
    ("period?since=yesterday&until=2026-03-31", SCOPE, 422, "GW-120"),
    ("period?since=2026-03-31&until=2026-03-01", SCOPE, 422, "GW-120"),
    ("period", SCOPE, 422, "GW-120"),
    ("pack/pack_1?format=docx", SCOPE, 422, "GW-120"),
    ("exceptions?on=9999-12-31", SCOPE, 422, "GW-120"),
    ("exceptions?within=3", SCOPE, 422, "GW-120"),
    ("exceptions?on=0", SCOPE, 422, "GW-120"),
    ("exceptions?on=2026-13-45", SCOPE, 422, "GW-120"),
    ("exceptions?soon=-1", SCOPE, 422, "GW-120"),
]
"""What is asked, with which scope, and what is answered."""


async def test_refused(get):
    """
    Without the scope, for what is not there and for what makes no sense there is a problem with a code.
    """
    for path, scope, status, code in REFUSED:
        is_problem(await get(f"/v1/reports/{path}", scope=scope), status, code)


async def test_another_tenant_learns_nothing(get, pack):
    """
    A pack of another tenant is answered like one that is not there.
    """
    problems = []
    for name in (pack["id"], "pack_unknown"):
        problem = is_problem(await get(f"/v1/reports/pack/{name}", scope=SCOPE, tenant="asia"), 404, "GW-170")
        problems.append({**problem, "instance": "", "trace_id": ""})
    assert problems[0] == problems[1]


async def test_more_than_is_taken_over_http(get, pack, monkeypatch):
    """
    A period with more records than the bound is refused before it is gone through to its end.
    """
    monkeypatch.setattr(reports, "MOST_RECORDS", 2)
    is_problem(await get(f"/v1/reports/period?{MONTH}", scope=SCOPE), 413, "GW-251")
