"""What happened, told in plain words, with how far each of them is proved."""

import json

import pytest

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from gateway.audit.why import AccountWriter, ProofStatus, titles
from ledger.lane import Submission
from ledger.query import Filter
from ledger.record import FindingCount
from tests.support.bundles import SHIPPED
from tests.support.strategies import ORIGIN, keys, new_lane, ruling, sequencer, uid, write_request


@pytest.fixture
def told(tmp_path):
    """A teller over a sealed request of three rulings, and one that waits for its checkpoint."""
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    write_request(lane, ["released", "denied", "released"])
    sequencer(store).run()
    yield AccountWriter(store, keys(), (), {"JUR-001": "Not approved there"}), store, lane
    store.close()


def request_of(store):
    return json.loads(store.query(Filter(limit=1)).records[0])["request_id"]


def test_a_request_in_order(told):
    """
    Each record is a sentence with the title of its rule, proved against the signed checkpoint, and the pack is complete.
    """
    writer_of_accounts, store, _ = told
    account = writer_of_accounts.tell(request_of(store), "gfm")
    sentences = [chapter.sentence for chapter in account.entries]
    assert sentences[0] == "Item item-0 was released as it is."
    assert sentences[1] == "Item item-1 was refused (JUR-001 Not approved there)."
    assert sentences[3].endswith("was sealed with 2 of 3 items.")
    assert all(chapter.proof.holds for chapter in account.entries)
    assert account.closing == "Complete: the pack commits to exactly the 3 rulings on record."


def test_one_item_alone(told):
    """
    Of one item only its own records are told, with the pack it was for.
    """
    writer_of_accounts, store, _ = told
    account = writer_of_accounts.tell(request_of(store), "gfm", "item-1")
    assert [chapter.record["kind"] for chapter in account.entries] == ["item.ruled", "pack.sealed"]
    assert "item-0" not in "".join(chapter.sentence for chapter in account.entries)


def test_a_ruling_that_is_missing_is_told(told):
    """
    Where the pack commits to other rulings than are on record, the closing says so.
    """
    writer_of_accounts, store, _ = told
    request_id = request_of(store)
    store._connection.executescript("DROP TRIGGER entries_no_DELETE; DELETE FROM entries WHERE idx = 0")
    assert writer_of_accounts.tell(request_id, "gfm").closing.startswith("INCOMPLETE: the pack commits to 3 rulings")


def test_a_request_without_a_pack(told):
    """
    Rulings alone are told as such, with what was found and done.
    """
    writer_of_accounts, store, lane = told
    request_id = uid()
    found = (FindingCount(type="pii:PERSON", count=2),)
    lane.commit([Submission([ruling(request_id, "x", "redacted", codes=(), obligations=("fence",), findings=found)])])
    sequencer(store).run()
    account = writer_of_accounts.tell(request_id, "gfm")
    assert account.entries[0].sentence == (
        "Item x was released with parts taken out, with fence; screening found 2 of pii:PERSON."
    )
    assert account.closing == "No pack was sealed; 1 rulings are on record."


def test_another_tenant_is_told_nothing(told):
    """
    Names lead to requests of the asker's tenant alone.
    """
    writer_of_accounts, store, _ = told
    assert writer_of_accounts.requests_of("item-1", "gfm") == [request_of(store)]
    assert writer_of_accounts.requests_of("item-1", "other") == []
    assert writer_of_accounts.requests_of("nothing", None) == []


def test_a_key_that_did_not_sign(told):
    """
    Under keys that the log was not signed with no sentence is called proved.
    """

    _, store, _ = told
    stranger = Ed25519Verifier(Ed25519Signer(ORIGIN, Ed25519PrivateKey.generate()).key)
    account = AccountWriter(store, (stranger,), (), {}).tell(request_of(store), "gfm")
    assert {str(chapter.proof) for chapter in account.entries} == {
        "NOT PROVED: the proof does not lead to the signed checkpoint"
    }


@pytest.mark.parametrize(
    ("proof", "text"),
    [
        (ProofStatus(None, 0, 0, holds=False), "durable, not under a checkpoint yet"),
        (ProofStatus(3, 9, 0, holds=True), "entry 3 of 9, proved against the signed checkpoint"),
        (
            ProofStatus(3, 9, 2, holds=True),
            "entry 3 of 9, proved against the signed checkpoint, cosigned by 2 witnesses",
        ),
    ],
)
def test_how_far_it_is_proved(proof, text):
    """
    Durable, proved and cosigned are three different things to say.
    """
    assert str(proof) == text


def test_titles_are_the_officers():
    """
    Every code of the shipped rules has the title that its officer gave it.
    """
    assert titles(SHIPPED)["TRU-001"] == "Source never allowed"
    assert all(titles(SHIPPED).values())
