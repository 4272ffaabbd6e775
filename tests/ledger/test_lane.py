import pytest

from ledger.errors import DuplicateDecisionError, LedgerUnavailableError, RecordInvalidError
from ledger.lane import LaneWriter, Submission
from ledger.tlog.merkle import ZERO_HASH, leaf_hash
from tests.support.strategies import ORIGIN, REPLICA, ruling, uid


def submit(lane, *drafts):
    [answer] = lane.commit([Submission(drafts)])
    return answer


def test_records_are_chained_without_gaps(lane):
    """
    Every record names the leaf hash of the one before, and the first names none.
    """
    written = submit(lane, *(ruling(uid(), f"i{n}") for n in range(5)))
    prev = ZERO_HASH
    for seq, one in enumerate(written):
        assert (seq, prev.hex()) == (one.record.lane.seq, one.record.lane.prev)
        prev = leaf_hash(one.record.encode())


def test_a_new_start_takes_a_new_epoch(lane):
    """
    A process that starts again never extends the chain of the one before it.
    """
    [first] = submit(lane, ruling(uid()))
    again = LaneWriter(lane.store, ORIGIN, REPLICA)
    [second] = submit(again, ruling(uid()))
    assert (first.record.lane.epoch, first.record.lane.seq) == (1, 0)
    assert (second.record.lane.epoch, second.record.lane.seq) == (2, 0)


def test_a_retry_is_the_same_decision(lane):
    """
    The same decision id gives the record that is there, not a second one.
    """
    draft = ruling(uid())
    [first] = submit(lane, draft)
    [again] = submit(lane, draft.model_copy(update={"item": None}))
    assert first.record.encode() == again.record.encode()
    assert lane.store.count() == 1


def test_a_retry_that_says_something_else_is_refused(lane):
    """
    A decision id cannot be used to turn a refusal into consent.
    """
    draft = ruling(uid(), outcome="denied")
    submit(lane, draft)
    answer = submit(lane, draft.model_copy(update={"outcome": "released", "codes": ()}))
    assert isinstance(answer, DuplicateDecisionError)


def test_one_bad_submission_does_not_stop_the_others(lane):
    """
    In a group only the request whose record is outside the format hears of it, and leaves no gap.
    """
    good, bad = ruling(uid()), ruling(uid()).model_copy(update={"tenant": "x" * 70_000})
    answers = lane.commit([Submission([bad]), Submission([good])])
    assert isinstance(answers[0], RecordInvalidError)
    assert answers[1][0].record.lane.seq == 0


def test_after_a_failed_write_the_lane_is_left(lane, monkeypatch):
    """
    When it is not known whether a write is durable, the next one goes to a new epoch.
    """
    submit(lane, ruling(uid()))
    real = lane.store.append

    def fail(entries, erasures):
        raise LedgerUnavailableError("no space left")

    monkeypatch.setattr(lane.store, "append", fail)
    with pytest.raises(LedgerUnavailableError):
        submit(lane, ruling(uid()))
    monkeypatch.setattr(lane.store, "append", real)
    [written] = submit(lane, ruling(uid()))
    assert (written.record.lane.epoch, written.record.lane.seq) == (2, 0)


def test_two_writers_cannot_extend_one_lane(lane):
    """
    A fork of a lane is refused by the store itself.
    """
    submit(lane, ruling(uid()))
    fork = LaneWriter(lane.store, ORIGIN, REPLICA, _epoch=1, _seq=0)
    with pytest.raises(LedgerUnavailableError):
        submit(fork, ruling(uid()))
