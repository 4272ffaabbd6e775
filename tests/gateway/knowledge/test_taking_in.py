"""Taking documents in."""

import asyncio

from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.knowledge.findings import KnownFindings
from gateway.errors import (
    CorpusUnknownError,
    DocumentRefusedError,
    DocumentTooLargeError,
    DocumentUnreadableError,
    FieldInvalidError,
    RecordError,
)
from gateway.knowledge.records import said_of_kept
from gateway.knowledge.taking_in import take_in
from gateway.screening.find import screen_texts
from tests.support.fakes import BrokenLedger
from tests.support.knowledge import CORPUS, OFFICER, Reading, kinds, offered, room_at, shipped, texts_of


async def test_a_document_is_found_whole(room):
    """
    A document that policy accepts is found with all its chunks, each with its labels and its section, and on record once.
    """
    taken = await take_in(room, offered(), OFFICER)
    assert (taken.outcome, taken.chunks) == ("accepted", 2)
    assert texts_of(room) == ["# Booking\n\nBook before noon.", "## Late trades\n\nAsk the desk head."]
    found = room.store.chunks([one.id for one in room.store.findable()]).values()
    assert [chunk.path for chunk in found] == [("Booking",), ("Booking", "Late trades")]
    sections = [one.labels.doc_section for one in room.store.tuples("gfm")]
    assert sections == ["Booking", "Late trades"]
    labels = room.store.tuples("gfm")[0].labels
    assert (labels.source_id, labels.corpus, labels.source_type) == ("booking", CORPUS, "bank_sop")
    assert kinds(room) == ["document.accepted"]
    assert sorted(room.index.ids()) == [one.id for one in room.store.findable()]


async def test_a_record_commits_to_the_version_and_tells_nothing(room):
    """
    The record says who, when and under which policy, commits to what is kept, and holds neither text nor what labels say.
    """
    taken = await take_in(room, offered(notice_no="Notice of tests"), OFFICER)
    [draft] = room.ledger.drafts
    [kept] = room.store.versions("gfm")
    assert draft.item.commitment == kept.proof.commitment(said_of_kept(kept))
    assert draft.decision_id == taken.record == kept.proof.record
    text = draft.model_dump_json()
    assert not any(word in text for word in ("noon", "Notice of tests", "Global Markets", "Late trades"))


async def test_a_newer_version_takes_the_place_of_the_older(room):
    """
    From the moment that a newer version is found the older one is not; the index holds the newer one alone.
    """
    await take_in(room, offered(), OFFICER)
    before = room.store.epoch
    await take_in(room, offered("# Booking\n\nBook before ten.\n", version="1.1"), OFFICER)
    assert texts_of(room) == ["# Booking\n\nBook before ten."]
    assert room.store.epoch > before
    assert sorted(room.index.ids()) == [one.id for one in room.store.findable()]
    states = [one.version.status for one in room.store.versions("gfm", CORPUS, "booking", history=True)]
    assert states == ["superseded", "accepted"]


@pytest.mark.parametrize(
    ("change", "codes"),
    [
        ({"version": "0.9"}, ("KNW-008",)),
        ({"data_classification": "SECRET"}, ("KNW-004", "KNW-009")),
        ({"jurisdiction": "FR"}, ("KNW-005",)),
        ({"domain": "HR"}, ("KNW-006",)),
        ({"effective_date": None}, ("KNW-002",)),
        ({"expiry_date": "2026-02-01"}, ("KNW-007",)),
        ({"document_type": "gossip"}, ("KNW-003", "KNW-004")),
    ],
)
async def test_what_policy_refuses_stays_outside(room, detector, change, codes):
    """
    What policy refuses by its labels is on record as refused, is not even looked into, and changes nothing.
    """
    await take_in(room, offered(), OFFICER)
    looked = len(detector.seen)
    with pytest.raises(DocumentRefusedError) as refused:
        await take_in(room, offered("# Other\n\nOther.\n", **{"version": "2.0", **change}), OFFICER)
    assert refused.value.reasons == codes
    assert len(detector.seen) == looked
    assert kinds(room) == ["document.accepted", "document.refused"]
    assert texts_of(room)[0].startswith("# Booking")


async def test_an_officer_of_another_role_takes_nothing_in(room):
    """An analyst takes no document in, and nobody one that they may not read."""
    with pytest.raises(DocumentRefusedError) as refused:
        await take_in(room, offered(), OFFICER.model_copy(update={"role": "analyst"}))
    assert refused.value.reasons == ("KNW-009",)


@pytest.mark.parametrize(
    "document",
    [
        offered("# Booking\n\nATTACK the model.\n"),
        offered("# ATTACK\n\nText.\n"),
        offered(owner="ATTACK the model now"),
        offered(remark="ATTACK the model now"),
    ],
)
async def test_a_suspicious_document_is_set_aside(room, document):
    """
    A document whose text, title, labels or metadata look like instructions is set aside: on record, kept, never found.
    """
    taken = await take_in(room, document, OFFICER)
    assert (taken.outcome, taken.codes) == ("set_aside", ("KNW-011",))
    assert texts_of(room) == []
    assert len(room.index.ids()) == 0
    assert kinds(room) == ["document.set_aside"]
    again = await take_in(room, document, OFFICER)
    assert (again.outcome, again.record) == ("set_aside", None)
    assert len(room.store.versions("gfm")) == 1


async def test_a_suspicious_version_leaves_the_one_in_use(room):
    """A newer version that is set aside leaves the older one in use; a clean one after it takes the place of both."""
    await take_in(room, offered(), OFFICER)
    await take_in(room, offered("# ATTACK\n\nText.\n", version="1.1"), OFFICER)
    assert texts_of(room)[0].startswith("# Booking")
    await take_in(room, offered("# Clean\n\nText.\n", version="1.2"), OFFICER)
    assert [one.version.status for one in room.store.versions("gfm")] == ["accepted"]


async def test_the_same_file_again_changes_nothing(room, detector):
    """The very same file is not looked into again and makes no version; added on another day it counts as looked at then."""
    await take_in(room, offered(), OFFICER)
    looked, epoch = len(detector.seen), room.store.epoch
    assert (await take_in(room, offered(), OFFICER)).outcome == "unchanged"
    assert (len(detector.seen), room.store.epoch) == (looked, epoch)
    room.clock.now += timedelta(days=2)
    again = await take_in(room, offered(), OFFICER)
    assert (again.outcome, again.record is not None) == ("unchanged", True)
    [kept] = room.store.versions("gfm", history=True)
    assert kept.origin.name == "2026-03-03"
    assert all(one.labels.fetched_at.startswith("2026-03-03") for one in room.store.tuples("gfm"))
    assert sorted(room.index.ids()) == [one.id for one in room.store.findable()]
    assert len(texts_of(room)) == 2


async def test_tenants_never_meet(room):
    """A document of one tenant is none of another's: not found, not listed, and its name is free."""
    await take_in(room, offered(), OFFICER)
    other = OFFICER.model_copy(update={"tenant": "other"})
    assert texts_of(room, "other") == []
    assert room.store.versions("other", history=True) == []
    assert (await take_in(room, offered("# Theirs\n\nTheirs.\n", version="0.1"), other)).outcome == "accepted"
    assert texts_of(room, "other") == ["# Theirs\n\nTheirs."]
    assert len(texts_of(room)) == 2


@pytest.mark.parametrize(
    ("document", "error"),
    [
        (offered(corpus="gossip"), CorpusUnknownError),
        (offered("x" * 100_001), DocumentTooLargeError),
        (offered(b"\xff\xfe\x00"), DocumentUnreadableError),
        (offered(" \n "), DocumentUnreadableError),
        (replace(offered(), media_type="application/pdf"), DocumentUnreadableError),
        (offered(name="a\u202eb"), FieldInvalidError),
        (offered(name=""), FieldInvalidError),
        (offered(version=1.1), FieldInvalidError),
        (offered(remark={"a": {"b": 1}}), FieldInvalidError),
        (offered(**{f"m{n}": n for n in range(30)}), FieldInvalidError),
    ],
)
async def test_what_cannot_be_judged_is_an_error(room, document, error):
    """A file that cannot be read, is too large, or says something in no form is refused with its own code, and nothing is kept."""
    with pytest.raises(error):
        await take_in(room, document, OFFICER)
    assert room.store.versions("gfm", history=True) == []


async def test_nothing_takes_effect_that_is_not_on_record(room):
    """Where the ledger does not answer nothing is taken in."""
    with pytest.raises(RecordError):
        await take_in(replace(room, ledger=BrokenLedger(room.ledger, 0)), offered(), OFFICER)
    assert room.store.versions("gfm", history=True) == []
    assert texts_of(room) == []


async def test_a_retired_corpus_takes_nothing(tmp_path):
    """A corpus that is retired takes no document in; one that is staged does."""

    def change(registry, status):
        row = registry.corpora[CORPUS].model_copy(update={"status": status})
        return registry.model_copy(update={"corpora": {**registry.corpora, CORPUS: row}})

    for status, codes in (("retired", ("KNW-001",)), ("staged", ())):
        room = room_at(tmp_path / status, pinned=shipped(lambda registry, status=status: change(registry, status)))
        if codes:
            with pytest.raises(DocumentRefusedError) as refused:
                await take_in(room, offered(), OFFICER)
            assert refused.value.reasons == codes
        else:
            assert (await take_in(room, offered(), OFFICER)).outcome == "accepted"


async def test_many_at_once_leave_one_in_use(room):
    """Of several that bring the same document at once each is judged against the one before it, and one is in use at the end."""
    documents = [offered(f"# Booking\n\nBook before {n}.\n", version=f"1.{n}") for n in range(6)]
    done = await asyncio.gather(*(take_in(room, one, OFFICER) for one in documents), return_exceptions=True)
    taken = [one for one in done if not isinstance(one, DocumentRefusedError)]
    assert all(one.outcome == "accepted" for one in taken)
    assert taken
    assert len(texts_of(room)) == 1
    assert sorted(room.index.ids()) == [one.id for one in room.store.findable()]


async def test_who_goes_away_leaves_nothing_half_done(room):
    """A caller who goes away while a document is taken in leaves it whole or not there at all."""
    task = asyncio.create_task(take_in(room, offered(), OFFICER))
    for _ in range(40):
        await asyncio.sleep(0.002)
        if kinds(room):
            break
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    async with room.writing():
        found = texts_of(room)
    assert len(found) in {0, 2}
    assert len(found) == len(room.index.ids())


async def test_what_was_found_is_known_to_requests(room, detector):
    """What was found when a document came in is kept by content: whoever asks about the same text pays a look-up."""
    await take_in(room, offered(), OFFICER)
    looked = len(detector.seen)
    known = KnownFindings(room.store, 100)
    for screening in ("pii/full", "pii/patterns", "injection", "rendering"):
        assert await screen_texts(texts_of(room), detector, screening, "gfm", known)
    assert len(detector.seen) == looked
    await screen_texts(texts_of(room), detector, "injection", "other", known)
    await screen_texts(texts_of(room), Reading("2"), "injection", "gfm", known)
    assert len(detector.seen) == looked + 2
