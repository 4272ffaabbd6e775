"""The chain that one process writes."""

import pytest

from ledger.errors import DuplicateDecisionError, LedgerUnavailableError, RecordInvalidError
from ledger.lane import LaneWriter, Submission
from ledger.record import FindingCount
from ledger.tlog.merkle import ZERO_HASH, leaf_hash
from tests.support.strategies import ORIGIN, REPLICA, ruling, signer, uid


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
    again = LaneWriter(lane.store, ORIGIN, REPLICA, signer())
    [second] = submit(again, ruling(uid()))
    assert (first.record.lane.epoch, first.record.lane.seq) == (1, 0)
    assert (second.record.lane.epoch, second.record.lane.seq) == (2, 0)


def test_a_retry_is_the_same_decision(lane):
    """
    The same decision id gives the record that is there, not a second one.
    """
    draft = ruling(uid())
    [first] = submit(lane, draft)
    salted = draft.item.model_copy(update={"commitment": "0" * 64})
    [again] = submit(lane, draft.model_copy(update={"item": salted}))
    assert first.record.encode() == again.record.encode()
    assert (first.repeated, again.repeated) == (False, True)
    assert lane.store.count() == 1


def test_a_retry_that_says_something_else_is_refused(lane):
    """
    A decision id cannot be used to turn a refusal into consent.
    """
    draft = ruling(uid(), outcome="denied")
    submit(lane, draft)
    answer = submit(lane, draft.model_copy(update={"outcome": "released", "codes": ()}))
    assert isinstance(answer, DuplicateDecisionError)


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": "denied", "codes": ("X-1",)},
        {"request_id": uid()},
        {"item": None},
        {"obligations": ("fence",)},
        {"exceptions": ("EX-1",)},
        {"findings": (FindingCount(type="pii:PERSON", count=1),)},
        {"released_commitment": None},
        {"repeats": uid()},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_else_a_retry_says_is_another_decision(lane, change):
    """
    Of two drafts under one id nothing may differ but the salts under which they commit.
    """
    draft = ruling(uid()).model_copy(update={"released_commitment": "1" * 64})
    submit(lane, draft)
    answer = submit(lane, draft.model_copy(update=change))
    assert isinstance(answer, DuplicateDecisionError)
    assert answer.opened is None


def test_of_two_that_open_a_request_the_second_hears_of_the_first(lane):
    """
    Whoever finds the place of a decision taken by another one is told by which.
    """
    first = ruling(uid()).model_copy(update={"kind": "request.opened"})
    submit(lane, first)
    answer = submit(lane, first.model_copy(update={"request_id": uid()}))
    assert isinstance(answer, DuplicateDecisionError)
    assert answer.opened == first.request_id


@pytest.mark.parametrize("at_once", [False, True])
def test_a_part_of_a_submission_is_not_added_to(lane, at_once):
    """
    A submission of which some decisions are stored is refused whole, also where both come in one group: a pack may be sealed
    over what is there.
    """
    request = uid()
    one, two, three = (ruling(request, f"i{n}") for n in range(3))
    if at_once:
        _, answer = lane.commit([Submission([one, two]), Submission([one, two, three])])
    else:
        submit(lane, one, two)
        answer = submit(lane, one, two, three)
    assert isinstance(answer, DuplicateDecisionError)
    assert lane.store.count() == 2


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

    def fail(entries, erasures, signature):
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
    fork = LaneWriter(lane.store, ORIGIN, REPLICA, signer(), _epoch=1, _seq=0)
    with pytest.raises(LedgerUnavailableError):
        submit(fork, ruling(uid()))
