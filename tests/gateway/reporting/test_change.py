"""The report of a change of policy."""

from collections import Counter
from dataclasses import replace

import pytest

from gateway.errors import NotFoundError, ReportTooLargeError
from gateway.reporting import change as made_of
from gateway.reporting.change import BesideLog, change_report
from gateway.reporting.document import as_document, visible
from gateway.reporting.page import as_page
from gateway.reporting.pdf import as_pdf
from gateway.workbench.case_changes import CaseChange
from gateway.workbench.desk.review import Review
from gateway.workbench.simulate import Flip, Simulation
from tests.support.bundles import SHIPPED
from tests.support.reports import BUNDLE, HOSTILE, PageReader, decided, drafted, material, number, squeezed, text_of
from tests.support.strategies import sequencer, write

OLD = replace(BUNDLE, revision=f"sha256:{'a' * 64}")
RULES = {name: rego.replace("Outside", "Beyond") for name, rego in BUNDLE.modules.items()}
NEW = replace(BUNDLE, revision=f"sha256:{'b' * 64}", modules=RULES)
KEPT = {OLD.revision: OLD, NEW.revision: NEW}


def step(place, kind, revision, subject, *codes):
    policy = decided(revision, "context")
    return drafted(kind, place, tenant="-", subject=subject, agent=None, purpose=None, policy=policy, codes=codes)


@pytest.fixture
def changed(log):
    """A log in which a bundle was proposed by one person and activated by another, after another one decided."""
    store, lane = log
    write(lane, step(1, "bundle.activated", OLD.revision, None, "STARTED"))
    write(lane, step(2, "bundle.proposed", NEW.revision, "token-1", "PROPOSED"))
    write(lane, step(3, "bundle.activated", NEW.revision, "token-2", "ACTIVATED"))
    sequencer(store).run()
    return store


def kept(revision):
    try:
        return KEPT[revision]
    except KeyError:
        raise NotFoundError("there is no bundle of that revision") from None


def told(store, revision=NEW.revision, found=None, **changes):
    return as_document(change_report(material(store, kept=kept, **changes), revision, found or BesideLog()))


def test_who_did_what(changed):
    """
    A committee sees who proposed and who activated, by their tokens, with records and proofs.
    """
    document = told(changed)
    assert [(row["kind"], row["subject"], row["decision_id"]) for row in document["acts"]["rows"]] == [
        ("bundle.proposed", "token-1", number(2)),
        ("bundle.activated", "token-2", number(3)),
    ]
    assert all("proved against the signed checkpoint" in row["proof"] for row in document["acts"]["rows"])
    assert document["summary"][:2] == [
        "It has decided.",
        "It was proposed by 1 and activated by 1 other persons, by their tokens.",
    ]


def test_the_same_person(log):
    """
    Where one token stands behind proposal and activation the first sentences say so.
    """
    store, lane = log
    write(lane, step(2, "bundle.proposed", NEW.revision, "token-1", "PROPOSED"))
    write(lane, step(3, "bundle.activated", NEW.revision, "token-1", "ACTIVATED"))
    write(lane, step(4, "bundle.activated", NEW.revision, "token-1", "BREAK-GLASS", "ROLLED-BACK"))
    sequencer(store).run()
    summary = told(store)["summary"]
    assert "SAME PERSON: who proposed it is among those who activated it." in summary
    assert "One person alone went back to it, under time pressure." in summary


def test_what_it_changes(changed):
    """
    The change is told in words, against the bundle that decided before at that replica.
    """
    document = told(changed)
    assert document["compared"] == {"before": OLD.revision, "after": NEW.revision, "kept": True}
    [row] = document["differences"]["rows"]
    assert row["sentence"].endswith("the refusal JUR-001 (Beyond the request) is described differently.")


def test_a_proposal_is_compared_with_what_decides(log):
    """
    What has never decided is compared with the bundle that decides now.
    """
    store, lane = log
    write(lane, step(2, "bundle.proposed", NEW.revision, "token-1", "PROPOSED"))
    sequencer(store).run()
    document = told(store, deciding=OLD)
    assert document["compared"]["before"] == OLD.revision
    assert document["summary"][0] == "It has never decided."


def test_the_first_bundle_of_all(changed):
    """
    Before the first bundle there was none, and nothing is told of a difference.
    """
    document = told(changed, OLD.revision)
    assert document["compared"]["before"] is None
    assert "differences" not in document


def test_a_bundle_that_is_not_kept(log):
    """
    Of a bundle that is not here the steps are told, and that nothing more can be.
    """
    store, lane = log
    write(lane, step(1, "bundle.rejected", "sha256:gone", "token-1", "GW-203"))
    sequencer(store).run()
    document = told(store, "sha256:gone")
    assert "The bundle is not kept here, so that nothing can be said of what is in it." in document["summary"]
    assert document["acts"]["rows"][0]["codes"] == ("GW-203",)


REVIEW = Review(
    revision=NEW.revision,
    against=OLD.revision,
    case_files="sha256:c",
    differences=(),
    cases=12,
    tests=3,
    removed=(CaseChange(kind="removed", file="trust/cases.yaml", case="social media", message="is gone"),),
    proved=("Nothing is released that was not before.",),
)


def test_what_was_found(changed):
    """
    How many cases and tests held, which cases went and what was proved stands there as the desk kept it.
    """
    document = told(changed, found=BesideLog([REVIEW]))
    assert document["reviews"]["rows"] == [
        {"against": OLD.revision, "cases": 12, "tests": 3, "files": "sha256:c"},
    ]
    assert document["cases"]["rows"] == [{"sentence": "trust/cases.yaml: social media: is gone"}]
    assert document["proved"]["rows"] == [{"sentence": "Nothing is released that was not before."}]


def test_the_past_decided_again(changed):
    """
    A simulation is asked for with the bundle, and its figures and examples stand there.
    """
    flip = Flip("newly-released", number(7), "item-7", "denied", "released", ("JUR-001",))
    result = Simulation(10, 1, 8, Counter({"newly-released": 1}), examples=[flip])
    result.by_role["newly-released", "analyst-x"] = 1
    asked = []
    document = told(changed, found=BesideLog(simulate=lambda bundle: asked.append(bundle) or result))
    assert asked == [NEW]
    assert document["simulation"] == {"decisions": 10, "unchanged": 8, "erased": 1}
    assert [(row["by"], row["value"], row["count"]) for row in document["flips"]["rows"]] == [
        ("all", "", 1), ("role", "analyst-x", 1),
    ]  # fmt: skip
    assert document["examples"]["rows"][0]["item"] == "item-7"


def test_what_is_wrong_with_it_now(changed):
    """
    The shipped bundle has no problem, and one that lacks everything has some.
    """
    assert told(changed)["problems"]["total"] > 0
    shipped = {NEW.revision: replace(SHIPPED, revision=NEW.revision), OLD.revision: OLD}
    document = as_document(change_report(material(changed, kept=shipped.__getitem__), NEW.revision, BesideLog()))
    assert document["problems"]["rows"] == []


@pytest.mark.parametrize("revision", ["sha256:none", "", "x" * 300])
def test_nothing_of_that_revision(changed, revision):
    """
    What the log has no step of is not found.
    """
    with pytest.raises(NotFoundError):
        told(changed, revision)


def test_more_than_one_report_takes(changed, monkeypatch):
    """
    A bundle with more records than a report takes is refused with a code.
    """
    monkeypatch.setattr(made_of, "MOST_RECORDS", 1)
    with pytest.raises(ReportTooLargeError):
        told(changed)


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_texts_everywhere(log, hostile):
    """
    Tables, cases and what was found, as somebody wrote them, are shown letter by letter.
    """
    store, lane = log
    name = hostile.replace("\x00", "")
    write(lane, step(1, "bundle.proposed", NEW.revision, name, *([name] if name.isprintable() else [])))
    sequencer(store).run()
    new = replace(NEW, data={"context": {"exceptions": {"granted": [], "said": name}}})
    review = REVIEW.model_copy(
        update={
            "proved": (name,),
            "removed": (CaseChange(kind="removed", file="f", case="c", message=name),),
            "against": name,
        }
    )
    stuff = material(store, kept={NEW.revision: new}.__getitem__, deciding=OLD)
    report = change_report(stuff, NEW.revision, BesideLog([review]))
    page, shown = PageReader(as_page(report)), visible(name)
    assert not {"script", "img"} & set(page.tags)
    assert page.text.count(" ".join(shown.split())) >= 5
    assert text_of(as_pdf(report)).count(squeezed(shown)) >= 5
