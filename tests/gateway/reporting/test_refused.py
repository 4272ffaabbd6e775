"""What was refused by which control, and who stepped beside the rules, from counts."""

import json

from gateway.reporting.document import Chapter, Report, as_document
from gateway.reporting.evidence import LogEntry
from gateway.reporting.refused import overrides, refusals
from gateway.reporting.rulebook import rulebook
from gateway.reporting.tally import Tally
from tests.support.reports import BUNDLE, decided, drafted


def taken(*drafts):
    tally = Tally()
    for place, draft in enumerate(drafts):
        record = json.loads(draft.model_dump_json()) | {"lane": {"id": "replica", "epoch": 1, "seq": place}}
        tally.take(LogEntry(place, b"", record))
    return tally


def told(blocks):
    return as_document(Report("x", "x", "", (), (Chapter("x", tuple(blocks)),)))


def test_a_rule_of_two_controls_counts_for_each():
    """
    A refusal counts under every control that its rule implements, and once under the rule.
    """
    tally = taken(*(drafted("item.ruled", place, outcome="denied", codes=("JUR-001",)) for place in range(3)))
    document = told(refusals(tally, rulebook([BUNDLE])))
    assert [(row["control"], row["denied"]) for row in document["controls"]["rows"]] == [("DPO-014", 3), ("DPO-016", 3)]
    assert [(row["code"], row["denied"], row["quarantined"]) for row in document["codes"]["rows"]] == [
        ("JUR-001", 3, 0)
    ]


def test_what_was_released_refuses_nothing():
    """
    Codes that come with a release, such as a notice, are no refusals.
    """
    tally = taken(drafted("item.ruled", 1, outcome="released", codes=("AGENT-DECLARED",)))
    document = told(refusals(tally, rulebook([BUNDLE])))
    assert document["codes"]["rows"] == document["controls"]["rows"] == []


def test_an_exception_that_no_bundle_has():
    """
    Uses of an exception that is in no bundle any more are told without an owner.
    """
    document = told(overrides(taken(drafted("exception.used", 1, exceptions=("EXC-2020-001",))), [BUNDLE]))
    assert document["exceptions"]["rows"] == [
        {"id": "EXC-2020-001", "uses": 1, "owner": None, "codes": (), "expires": None}
    ]


def test_an_act_says_what_it_was():
    """
    A code of an act on a bundle stands beside what it means.
    """
    act = drafted("bundle.activated", 1, tenant="-", codes=("FETCHED",), policy=decided())
    [row] = told(overrides(taken(act), [BUNDLE]))["bundles"]["rows"]
    assert (row["flag"], row["revision"]) == (("from the bundle server",), BUNDLE.revision)
