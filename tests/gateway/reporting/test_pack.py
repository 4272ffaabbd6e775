"""The report of one pack."""

import hashlib

from dataclasses import replace
from pathlib import Path

import pytest

from gateway.errors import NotFoundError, ReportTooLargeError
from gateway.reporting import pack as made_of
from gateway.reporting.document import as_document, visible
from gateway.reporting.pack import pack_report
from gateway.reporting.page import as_page
from gateway.reporting.pdf import as_pdf
from ledger.query import Filter
from ledger.record import SourcePart
from ledger.tlog.checkpoint import Proof, verify_proof
from tests.support.reports import BUNDLE, HOSTILE, REQUEST, PageReader, material, number, squeezed, text_of, write_pack
from tests.support.strategies import AT, keys, sequencer

PACK = f"pack_{REQUEST}"
SNAPSHOT = Path(__file__).parent / "pack.txt"


@pytest.fixture
def told(log):
    """A ledger of one pack, under a checkpoint."""
    store, lane = log
    write_pack(lane)
    sequencer(store).run()
    return store


def test_every_candidate_with_its_verdict(told):
    """
    A committee sees each candidate once, in order, with its verdict, the rules, what was found, and whether it is in the pack.
    """
    rows = as_document(pack_report(material(told), PACK, None))["verdicts"]["rows"]
    assert [(row["item"], row["outcome"], row["packed"]) for row in rows] == [
        ("sop-4.2.1", "released", "yes"),
        ("mail-7", "redacted", "no"),
        ("mail-8", "quarantined", "no"),
        ("hkma-circular", "denied", "no"),
        ("old-guide", "released", "yes"),
    ]
    assert rows[0]["source"] == "SOP (4)"
    assert rows[0]["obligations"] == ("cite",)
    assert rows[1]["findings"] == ("2 of pii:PERSON",)
    assert rows[3]["codes"] == ("JUR-001", "JUR-002")


def test_rules_have_controls_and_owners(told):
    """
    Each rule that spoke stands there with the title, the control and the owner that the bundle of the pack gives it.
    """
    rows = as_document(pack_report(material(told), PACK, "gfm"))["rules"]["rows"]
    assert rows[1] == {
        "code": "INJ-003", "title": "Suspected injection", "controls": ("AIG-012",), "owner": "AI Governance", "count": 1,
    }  # fmt: skip
    assert rows[0]["title"] == "Allowed, and left out of the pack: duplicate"


def test_a_bundle_that_is_not_here(told):
    """
    Where the bundle is not kept the codes stand alone, and the report says that it is not here.
    """
    other = material(told, deciding=replace(BUNDLE, revision="sha256:other"))
    document = as_document(pack_report(other, PACK, None))
    assert document["versions"]["here"] is False
    assert document["rules"]["rows"][1]["title"] == ""
    assert document["exceptions"]["rows"][0]["reason"] == "not in the bundle"


def test_exceptions_with_owner_and_end(told):
    """
    An exception that was used stands there with the item, who answers for it and when it ends.
    """
    [row] = as_document(pack_report(material(told), PACK, None))["exceptions"]["rows"]
    assert (row["id"], row["item"], row["owner"], row["expires"]) == (
        "EXC-2026-001", "old-guide", "Head of Product Control", "2026-06-30",
    )  # fmt: skip


def test_its_proof_can_be_checked_from_the_report_alone(told):
    """
    An examiner who has the report and the log's key checks the proof, the leaf and the checkpoint without the gateway.
    """
    document = as_document(pack_report(material(told), PACK, None))
    leaf = bytes.fromhex(document["sealed"]["leaf"])
    proof = Proof.parse("\n".join(document["proof"]))
    assert verify_proof(proof, leaf, keys()) == set()
    [body] = told.query(Filter(pack_id=PACK)).records
    assert leaf == hashlib.sha256(b"\0" + body).digest()
    assert {row["proof"] for row in document["records"]["rows"]} == {
        f"entry {index} of 8, proved against the signed checkpoint" for index in range(8)
    }
    assert document["summary"][2:] == [
        "Complete: the pack commits to exactly the 5 rulings on record.",
        "8 of 8 records are proved against a checkpoint that the log signed.",
    ]


def test_what_is_not_proved_is_said_so(told):
    """
    Under keys that did not sign the checkpoint no record is called proved.
    """
    stranger = replace(material(told), keys=())
    document = as_document(pack_report(stranger, PACK, None))
    assert document["log"]["signed"] is False
    assert document["summary"][3].startswith("0 of 8 records")


@pytest.mark.parametrize("name", [PACK, REQUEST, number(3)])
def test_by_any_of_its_names(told, name):
    """
    The pack, its request and a decision on a candidate lead to the same report.
    """
    assert as_document(pack_report(material(told), name, "gfm"))["request"]["pack_id"] == PACK


@pytest.mark.parametrize(("name", "tenant"), [("pack_unknown", None), (PACK, "other"), ("", "gfm")])
def test_nothing_of_that_name(told, name, tenant):
    """
    What is not there, or is another tenant's, is not found; both are answered alike.
    """
    with pytest.raises(NotFoundError, match="the ledger has no pack, request or decision of that id"):
        pack_report(material(told), name, tenant)


def test_more_than_one_report_takes(told, monkeypatch):
    """
    A request with more records than a report takes is refused with a code, and no part is shown for the whole.
    """
    monkeypatch.setattr(made_of, "MOST_RECORDS", 7)
    with pytest.raises(ReportTooLargeError):
        pack_report(material(told), PACK, None)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_names_everywhere(log, hostile):
    """
    Names from outside, in every place where a record has one, are shown letter by letter on the page and in the PDF.
    """
    store, lane = log
    name = hostile.replace("\x00", "")
    source = SourcePart(id=name, version=name, jurisdiction=name, classification=name)
    more = {
        "source": source,
        "obligations": (name,),
        "exceptions": (name,),
        "agent": name,
        "purpose": name,
        "subject": name,
    }
    write_pack(
        lane, ((name, "released", (), more), (name, "denied", (name,) if name.isprintable() else ("JUR-001",), more))
    )
    sequencer(store).run()
    report = pack_report(material(store), PACK, "gfm")
    page, shown = PageReader(as_page(report)), visible(name)
    assert "script" not in page.tags
    assert "img" not in page.tags
    assert page.text.count(" ".join(shown.split())) >= 12
    assert text_of(as_pdf(report)).count(squeezed(shown)) >= 12


def test_the_same_ledger_is_the_same_report(told):
    """
    Made again from the same log, both forms are the same bytes.
    """
    one, other = (pack_report(material(told), PACK, None) for _ in range(2))
    assert as_page(one) == as_page(other)
    assert as_pdf(one) == as_pdf(other)
    assert one.at == AT


def test_the_text_of_the_page(told):
    """
    The page says what it said when it was last read as a whole (`pack.txt`).
    """
    text = "\n".join(
        one.strip() for one in PageReader(as_page(pack_report(material(told), PACK, None))).texts if one.strip()
    )
    assert SNAPSHOT.read_text() == f"{text}\n"
