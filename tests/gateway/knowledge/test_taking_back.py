"""Taking documents back."""

from datetime import timedelta

import pytest

from gateway.errors import DocumentUnknownError
from gateway.knowledge.taking_back import purge_overdue, withdraw
from gateway.knowledge.taking_in import take_in
from tests.support.knowledge import CORPUS, OFFICER, kinds, offered, texts_of


def bytes_of(folder):
    return b"".join(path.read_bytes() for path in folder.glob("knowledge.sqlite*"))


async def test_what_is_taken_back_is_not_found(room):
    """A document that is taken back is found by no request from then on, and carried over by none; its text stays for a while."""
    await take_in(room, offered(), OFFICER)
    ids = [one.id for one in room.store.findable()]
    assert room.store.withdrawn("gfm", [("booking", "1.0"), ("nothing", None)]) == [False, False]
    assert await withdraw(room, CORPUS, "booking", OFFICER) == 1
    assert room.store.chunks(ids) == {}
    assert room.store.tuples("gfm") == []
    assert len(room.index.ids()) == 0
    assert room.store.withdrawn("gfm", [("booking", "1.0"), ("booking", "2.0")]) == [True, False]
    assert room.store.withdrawn("other", [("booking", "1.0")]) == [False]
    assert kinds(room) == ["document.accepted", "document.withdrawn"]
    assert room.ledger.drafts[0].item.commitment == room.ledger.drafts[1].item.commitment


async def test_a_purge_leaves_no_text(room, tmp_path):
    """What is purged stands in no file any more: neither the text of any version nor its title."""
    await take_in(room, offered("# Booking\n\nCANARY-ONE.\n"), OFFICER)
    await take_in(room, offered("# CANARY-TITLE\n\nCANARY-TWO.\n", version="1.1"), OFFICER)
    assert b"CANARY-ONE" in bytes_of(tmp_path)
    assert await withdraw(room, CORPUS, "booking", OFFICER, purge=True) == 2
    assert b"CANARY" not in bytes_of(tmp_path)
    assert [one.purged for one in room.store.versions("gfm", history=True)] == [True, True]
    with pytest.raises(DocumentUnknownError):
        await withdraw(room, CORPUS, "booking", OFFICER, purge=True)


async def test_a_purge_leaves_what_others_say(room):
    """Findings in a text that stands in another document too stay."""
    await take_in(room, offered(), OFFICER)
    await take_in(room, offered(name="copy"), OFFICER)
    await withdraw(room, CORPUS, "booking", OFFICER, purge=True)
    assert room.store.unscreened("injection", "1", 10) == []
    assert len(texts_of(room)) == 2


async def test_nobody_takes_back_what_is_not_theirs(room):
    """There is nothing to take back of another tenant, of another name, or twice."""
    await take_in(room, offered(), OFFICER)
    for tenant, name in (("other", "booking"), ("gfm", "nothing")):
        with pytest.raises(DocumentUnknownError):
            await withdraw(room, CORPUS, name, OFFICER.model_copy(update={"tenant": tenant}))
    await withdraw(room, CORPUS, "booking", OFFICER)
    with pytest.raises(DocumentUnknownError):
        await withdraw(room, CORPUS, "booking", OFFICER)


async def test_texts_are_kept_as_long_as_the_corpus_keeps_them(room):
    """Texts of versions that are not used any more go once the corpus keeps them no longer, and not before."""
    await take_in(room, offered(), OFFICER)
    await take_in(room, offered("# New\n\nNew.\n", version="1.1"), OFFICER)
    room.clock.now += timedelta(days=9)
    assert await purge_overdue(room, CORPUS, 10, OFFICER) == 0
    room.clock.now += timedelta(days=2)
    assert await purge_overdue(room, CORPUS, 10, OFFICER) == 1
    assert texts_of(room) == ["# New\n\nNew."]


async def test_a_document_that_was_taken_back_may_come_again(room):
    """What was taken back may be taken in again, under the same version."""
    await take_in(room, offered(), OFFICER)
    await withdraw(room, CORPUS, "booking", OFFICER)
    assert (await take_in(room, offered(), OFFICER)).outcome == "accepted"
    assert room.store.withdrawn("gfm", [("booking", "1.0")]) == [False]
