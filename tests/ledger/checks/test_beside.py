"""What is kept beside the log is held against it: names behind tokens, and sealed sides of records."""

import pytest

from ledger.checks.beside import Beside, keeps_aside
from ledger.erasable import commit_person
from ledger.errors import LedgerCorruptError
from ledger.lane import Submission
from ledger.record import ItemPart
from ledger.store import Erasure
from ledger.verify import verify
from tests.support.strategies import ORIGIN, keys, new_lane, ruling, sequencer, uid, write
from tests.support.tampering import tamper

ITEM = ItemPart(id="x", commitment="ab" * 32, bytes=1, media_type="text/plain")


@pytest.fixture
def path(tmp_path):
    """A ledger with two persons and two rulings on each, all of them with sealed sides."""
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    for name in ("ann", "ben"):
        person = store.person("gfm", name, b"key of " + name.encode())
        said = commit_person(person.salt, "gfm", name)
        drafts = [ruling(uid(), subject=person.token, person=said) for _ in range(2)]
        write(lane, *drafts, sealed=[b"sealed", b"sealed"])
    sequencer(store).run()
    store.close()
    return tmp_path / "ledger.sqlite"


def check(path):
    store, _ = new_lane(path)
    try:
        return verify(store, origin=ORIGIN, keys=keys(), beside=Beside(store))
    finally:
        store.close()


def erase(path, name, *, on_record):
    """Forget a person, with the record that says so or without."""
    store, lane = new_lane(path)
    token = store.known_person("gfm", name).token
    draft = ruling(uid(), kind="erasure", subject=None, outcome=None, item=ITEM.model_copy(update={"id": token}))
    other = ruling(uid(), kind="request.opened", subject=None, item=None, outcome=None)
    lane.commit([Submission([draft if on_record else other], erasures=[Erasure("gfm", name)])])
    sequencer(store).run()
    store.close()


class TestPersons:
    def test_as_written_it_fits(self, path):
        """
        What these tests refuse is refused for what they changed.
        """
        assert check(path).records == 4

    @pytest.mark.parametrize(
        "statements",
        [
            (
                ("UPDATE subjects SET subject = 'none' WHERE subject = 'ann'",),
                ("UPDATE subjects SET subject = 'ann' WHERE subject = 'ben'",),
                ("UPDATE subjects SET subject = 'ben' WHERE subject = 'none'",),
            ),
            (("UPDATE subjects SET subject = 'an innocent bystander' WHERE subject = 'ann'",),),
            (("UPDATE subjects SET tenant = 'another' WHERE subject = 'ann'",),),
            (("UPDATE subjects SET salt = randomblob(32) WHERE subject = 'ann'",),),
        ],
        ids=["swapped", "renamed", "of another tenant", "another salt"],
    )
    def test_another_name(self, path, statements):
        """
        A name that is another's than the records commit to is found, and which token it stands behind.
        """
        tamper(path, *statements)
        with pytest.raises(LedgerCorruptError, match=r"the person behind .*: the records commit to another name"):
            check(path)

    def test_an_erased_person_is_no_finding(self, path):
        """
        Whoever was erased, with a record of it, is missed by nobody.
        """
        erase(path, "ann", on_record=True)
        assert check(path).records == 5

    def test_a_person_who_is_gone_without_a_record(self, path):
        """
        A name and its sealed sides that went without an erasure on record are found.
        """
        erase(path, "ann", on_record=False)
        with pytest.raises(LedgerCorruptError, match="gone"):
            check(path)

    def test_a_token_of_two_persons(self, tmp_path):
        """
        Records that commit to two persons under one token are found without any name.
        """
        store, lane = new_lane(tmp_path / "other.sqlite")
        token = store.person("gfm", "ann", b"key").token
        write(lane, *(ruling(uid(), item=None, subject=token, person=said * 32) for said in ("ab", "cd")))
        sequencer(store).run()
        with pytest.raises(LedgerCorruptError, match=r"entry 1: .*another person"):
            verify(store, origin=ORIGIN, keys=keys(), beside=Beside(store))
        store.close()

    def test_a_name_that_went_alone(self, tmp_path):
        """
        Where nothing was sealed for a person, the name that is gone is found all the same.
        """
        store, lane = new_lane(tmp_path / "other.sqlite")
        person = store.person("gfm", "ann", b"key")
        write(lane, ruling(uid(), item=None, subject=person.token))
        sequencer(store).run()
        store.close()
        tamper(tmp_path / "other.sqlite", ("DELETE FROM subjects",))
        with pytest.raises(LedgerCorruptError, match="the name is gone, and no erasure is on record"):
            check(tmp_path / "other.sqlite")


class TestEvidence:
    def test_a_sealed_side_that_is_gone(self, path):
        """
        A sealed side that was deleted without an erasure is found, with the entry that it belongs to.
        """
        tamper(path, ("DELETE FROM asides WHERE decision_id = (SELECT decision_id FROM entries WHERE idx = 2)",))
        with pytest.raises(LedgerCorruptError, match="entry 2: its sealed side is gone, and no erasure"):
            check(path)

    def test_under_another_persons_key(self, path):
        """
        A sealed side that was put under another person's key, so that it does not open, is found.
        """
        other = "(SELECT token FROM subjects WHERE subject = 'ben')"
        tamper(path, (f"UPDATE asides SET token = {other}",))
        with pytest.raises(LedgerCorruptError, match=r"entry 0: .*another person's key"):
            check(path)

    def test_which_records_have_one(self):
        """
        That a record has a sealed side follows from what it says: of its kind, and of what it commits to itself.
        """
        own = ruling(uid()).model_dump(mode="json") | {"schema": "ctxgate.ledger/2"}
        assert keeps_aside(own)
        assert not keeps_aside(own | {"item": None})
        assert keeps_aside(own | {"item": None, "policy": {"input_commitment": "ab" * 32}})
        assert not keeps_aside(own | {"kind": "item.dropped"})
        assert not keeps_aside(own | {"schema": "ctxgate.ledger/1"})

    def test_more_than_one_look_takes(self, tmp_path):
        """
        Sealed sides are looked for some at a time, the last few too.
        """
        store, lane = new_lane(tmp_path / "many.sqlite")
        token = store.person("gfm", "ann", b"key").token
        drafts = [ruling(uid(), subject=token) for _ in range(1001)]
        write(lane, *drafts, sealed=[b"sealed"] * 1001)
        sequencer(store).run()
        assert verify(store, origin=ORIGIN, keys=keys(), beside=Beside(store)).records == 1001
        store.close()
        tamper(tmp_path / "many.sqlite", ("DELETE FROM asides WHERE decision_id = ?", drafts[1000].decision_id))
        with pytest.raises(LedgerCorruptError, match="entry 1000"):
            check(tmp_path / "many.sqlite")
