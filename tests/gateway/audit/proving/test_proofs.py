"""What is kept beside the ledger is believed by its own record alone, and only once that is in the log."""

import pytest

from gateway.audit.parts import proved_part
from gateway.audit.proving.proofs import RecordProofs
from gateway.errors import RecordError, UnprovedError
from gateway.model.base import RecordProof
from gateway.ports.ledger import KeptClaim
from tests.support.strategies import keys, new_lane, ruling, sequencer, uid, write

SAID = {"id": "REV-1", "verdict": "released"}


@pytest.fixture
def ledger(tmp_path):
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    yield store, lane
    store.close()


def act(said=SAID, *, code="RELEASED", tenant="gfm", kind="quarantine.reviewed", salt="ab" * 32):
    """The draft of an act, and the claim that it proves."""
    name = uid()
    proof = RecordProof(record=name, salt=salt)
    draft = ruling(
        uid(),
        kind=kind,
        decision_id=name,
        tenant=tenant,
        item=proved_part("REV-1", said, proof),
        outcome=None,
        codes=(code,),
    )
    return draft, KeptClaim("gfm", "quarantine.reviewed", "RELEASED", SAID, proof, frozenset({"RELEASED", "DENIED"}))


async def test_what_is_on_record_is_believed(ledger):
    """
    A claim is proved by a record in the log that says the same, and is answered with that record.
    """
    store, lane = ledger
    draft, claim = act()
    write(lane, draft)
    sequencer(store).run()
    [record] = await RecordProofs(store, keys()).require([claim])
    assert record["decision_id"] == draft.decision_id
    assert await RecordProofs(store, keys()).require([]) == []


@pytest.mark.parametrize(
    "change",
    [{"said": {**SAID, "verdict": "denied"}}, {"code": "SHOWN"}, {"tenant": "other"}, {"kind": "bundle.proposed"}],
    ids=["says something else", "another step", "of another tenant", "of another kind"],
)
async def test_a_record_that_says_something_else(ledger, change):
    """
    A record in the log proves no more than it says.
    """
    store, lane = ledger
    draft, claim = act(**change)
    write(lane, draft)
    sequencer(store).run()
    with pytest.raises(UnprovedError) as told:
        await RecordProofs(store, keys()).require([claim])
    assert (told.value.code, told.value.retryable) == ("GW-440", False)


async def test_a_record_that_is_not_in_the_log(ledger):
    """
    A row in the table of records proves nothing before it is under a checkpoint that the log signed.
    """
    store, lane = ledger
    draft, claim = act()
    write(lane, draft)
    proofs = RecordProofs(store, keys())
    with pytest.raises(UnprovedError):
        await proofs.require([claim])
    sequencer(store).run()
    with pytest.raises(UnprovedError):
        await RecordProofs(store, ()).require([claim])
    assert await proofs.require([claim])


async def test_no_record_at_all(ledger):
    """
    What names no record, or one that is not there, is not believed.
    """
    store, _ = ledger
    _, claim = act()
    for proof in (None, claim.proof):
        with pytest.raises(UnprovedError):
            await RecordProofs(store, keys()).require([KeptClaim("gfm", "erasure", "X", SAID, proof)])


async def test_what_a_later_record_took_back(ledger):
    """
    A claim is over once a later record about the same thing says something else; a mere look at it does not end it.
    """
    store, lane = ledger
    draft, claim = act()
    write(lane, draft, act(code="SHOWN")[0])
    sequencer(store).run()
    proofs = RecordProofs(store, keys())
    assert await proofs.require([claim])
    write(lane, act(code="DENIED")[0])
    sequencer(store).run()
    with pytest.raises(UnprovedError, match="later record"):
        await proofs.require([claim])


async def test_a_ledger_that_does_not_answer(tmp_path):
    """
    Where the ledger does not answer nothing is believed, and a retry may find it.
    """
    store, _ = new_lane(tmp_path / "ledger.sqlite")
    store.close()
    with pytest.raises(RecordError) as told:
        await RecordProofs(store, keys()).require([act()[1]])
    assert told.value.code == "GW-400"
