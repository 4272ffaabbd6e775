import asyncio

import pytest

from ledger.errors import LedgerBusyError, LedgerUnavailableError
from ledger.lane import Submission
from ledger.writer import GroupCommitWriter
from tests.support.strategies import ruling, uid


class CountingLane:
    """A lane that counts its transactions and can be told to fail."""

    def __init__(self, lane, error=None):
        self.lane, self.error, self.groups = lane, error, []

    def commit(self, submissions):
        self.groups.append(len(submissions))
        if self.error:
            raise self.error
        return self.lane.commit(submissions)


async def test_many_requests_share_transactions(lane):
    """
    Requests that arrive while a transaction is under way are committed together, each with its own answer.
    """
    counting = CountingLane(lane)
    writer = GroupCommitWriter(counting)
    drafts = [ruling(uid()) for _ in range(40)]
    answers = await asyncio.gather(*(writer.append(Submission([draft])) for draft in drafts))
    await writer.close()
    assert [d.decision_id for d in drafts] == [one.record.decision_id for [one] in answers]
    assert sum(counting.groups) == 40
    assert len(counting.groups) < 10


async def test_a_full_queue_pushes_back(lane):
    """
    More submissions than the queue holds are refused at once; none of those accepted is lost.
    """
    writer = GroupCommitWriter(lane, queue_length=5)
    tries = [asyncio.create_task(writer.append(Submission([ruling(uid())]))) for _ in range(30)]
    done = await asyncio.gather(*tries, return_exceptions=True)
    await writer.close()
    accepted = [one for one in done if isinstance(one, list)]
    assert all(isinstance(one, list | LedgerBusyError) for one in done)
    assert 0 < len(accepted) < 30
    assert len(accepted) == lane.store.count()


@pytest.mark.parametrize("error", [LedgerUnavailableError("disk"), ValueError("bug")])
async def test_every_waiter_hears_of_a_failure(lane, error):
    """
    When a transaction fails, whatever the reason, everybody who waits for it is told.
    """
    writer = GroupCommitWriter(CountingLane(lane, error))
    done = await asyncio.gather(*(writer.append(Submission([ruling(uid())])) for _ in range(3)), return_exceptions=True)
    await writer.close()
    assert [LedgerUnavailableError] * 3 == [type(one) for one in done]


async def test_a_caller_who_leaves_does_not_undo_its_records(lane):
    """
    A cancelled request may or may not have been answered, but what was accepted becomes durable.
    """
    writer = GroupCommitWriter(lane)
    task = asyncio.create_task(writer.append(Submission([ruling(uid())])))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await writer.close()
    assert lane.store.count() == 1
