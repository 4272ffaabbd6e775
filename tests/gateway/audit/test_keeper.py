"""The task that keeps the log up."""

import asyncio

import pytest

from gateway.audit import keeper as module
from gateway.audit.keeper import LATE, LogKeeper
from gateway.bootstrap.gateway import running
from gateway.errors import RecordError
from ledger.errors import LedgerUnavailableError
from ledger.lane import Submission
from ledger.pin import HeadPin
from ledger.store import SetAside
from tests.support.attacking import FOREIGN, body_of, slip_in
from tests.support.clock import NOW
from tests.support.oracle import check_ledger, records
from tests.support.requests import asked
from tests.support.strategies import new_lane, ruling, sequencer, uid


async def test_the_folder_is_published_too(settings, subject, small, tmp_path):
    """
    Where a folder is set, the checkpoint and tiles lie there as files, without any entry.
    """
    async with running(settings.model_copy(update={"log_dir": tmp_path / "log"}), clock=lambda: NOW) as gateway:
        await gateway.pipeline.assemble(asked(small, subject))
        published = await gateway.ledger.keeper.round()
    assert (tmp_path / "log/tile/0").is_dir()
    assert not (tmp_path / "log/tile/entries").exists()
    size = int((tmp_path / "log/checkpoint").read_text().split("\n")[1])
    assert size >= published.size


class Sequencer:
    """A real one, that fails as often as it is told."""

    def __init__(self, store):
        self.store, self.failing, self._real = store, 0, sequencer(store)
        self.aside = self._real.aside

    def run(self):
        if self.failing:
            self.failing -= 1
            raise LedgerUnavailableError("gone")
        return self._real.run()

    def catch_up(self):
        return self._real.catch_up()


@pytest.fixture
async def kept(tmp_path):
    """A keeper of a log with one record that waits, and the lane that wrote it."""
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    [written] = lane.commit([Submission([ruling(uid())])])
    working = Sequencer(store)
    made = LogKeeper(working, HeadPin(tmp_path / "pin"), position=lambda: None, seconds=0.01)
    yield made, working, written, lane
    made.close()
    store.close()


async def test_a_round_signs_and_pins(kept, tmp_path):
    """
    After a round what was durable is under a signed checkpoint, and that is pinned.
    """
    made, *_ = kept
    published = await made.round()
    assert (published.size, made.published) == (1, published)
    assert HeadPin(tmp_path / "pin").read().checkpoint == published.note


async def test_questions_need_no_signature_each(kept):
    """
    Putting records into the log for a question makes no checkpoint.
    """
    made, working, written, _ = kept
    await made.sequenced()
    assert working.store.index_of(written[0].record.decision_id) == 0
    assert made.published is None


async def test_a_failure_is_counted_and_tried_again(kept):
    """
    A round that fails is on show, and the next one goes on; nobody who asks for durability alone notices.
    """
    made, working, *_ = kept
    working.failing = 2
    task = asyncio.create_task(made.run())
    while made.published is None:
        await asyncio.sleep(0.01)
    task.cancel()
    assert made.failures == 2


async def test_settled_is_under_a_checkpoint(kept):
    """
    Records are settled once the checkpoint covers them, and not by one of before.
    """
    made, _, written, lane = kept
    await made.settled(written, witnessed=False, seconds=30)
    assert made.published.size == 1
    [later] = lane.commit([Submission([ruling(uid())])])
    await made.settled(later, witnessed=False, seconds=30)
    assert made.published.size == 2


async def test_what_does_not_settle_is_not_released(kept):
    """
    Where the log is not kept up, or not in time, the records are not sure enough, which is an error.
    """
    made, working, written, _ = kept
    working.failing = 1
    with pytest.raises(RecordError, match="not under a checkpoint"):
        await made.settled(written, witnessed=False, seconds=30)
    # Nobody cosigns, so that it is never under enough cosignatures.
    with pytest.raises(RecordError):
        await made.settled(written, witnessed=True, seconds=0.05)


async def test_late_is_after_so_long_without_success(kept, monkeypatch):
    """
    A log that has stood still for longer than the limit is late, until the next round that succeeds.
    """
    made, *_ = kept
    now = module.time.monotonic() + LATE + 1
    monkeypatch.setattr(module.time, "monotonic", lambda: now)
    assert made.late
    await made.round()
    assert not made.late


async def test_keepers_of_two_replicas_take_turns(kept, tmp_path):
    """
    Any replica may bring the log up to date: whichever does, the other goes on from there the next time.
    """
    one, working, _, lane = kept
    other = LogKeeper(Sequencer(working.store), HeadPin(tmp_path / "other"), position=lambda: None, seconds=0.01)
    try:
        for size, keeper in enumerate((one, other, one, other), 1):
            assert (await keeper.round()).size == size
            lane.commit([Submission([ruling(uid())])])
    finally:
        other.close()


async def test_what_is_set_aside_is_on_record_and_in_the_log(settings, subject, small, capsys):
    """
    A run that nobody signed is set aside by a record of this process, once, with the code of why; the log says the lane.
    """
    async with running(settings, clock=lambda: NOW) as gateway:
        await gateway.pipeline.assemble(asked(small, subject))
        name = uid()
        slip_in(settings.ledger_file, body_of(ruling(uid(), decision_id=name)), name)
        for _ in range(3):
            published = await gateway.ledger.keeper.round()
        [refused] = records(gateway, kind="record.refused")
        assert (refused.codes, refused.outcome, refused.tenant) == (("RUN-SIGNATURE",), "denied", "-")
        assert refused.item.id == f"{FOREIGN.replica}/1/0-1"
        assert published.size == gateway.store.head().size
        assert check_ledger(gateway).aside == 1
    assert "RUN-SIGNATURE" in (said := "".join(capsys.readouterr()))
    assert FOREIGN.replica in said


async def test_a_lane_that_was_set_aside_is_left(settings, subject, small):
    """
    A process goes on in another epoch when what it wrote is set aside, since nothing that follows it can enter the log.
    """
    async with running(settings, clock=lambda: NOW) as gateway:
        [(lane, epoch)] = gateway.store.lanes()
        refusal = SetAside(lane, epoch, 9, 10, "RUN-PACK", uid(), b"")
        await gateway.ledger.keeper.record_refusal(refusal)
        [refused] = records(gateway, kind="record.refused")
        assert refused.lane.epoch == epoch + 1
        assert gateway.store.lanes() == [(lane, epoch), (lane, epoch + 1)]


class Nonsense(Sequencer):
    """A sequencer that meets what nobody thought of."""

    def run(self):
        if self.failing:
            self.failing -= 1
            raise KeyError("item")
        return super().run()


async def test_no_error_ends_the_task(tmp_path):
    """
    Whatever a round fails with, the next one is made; one that nobody foresaw is counted as any other.
    """
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    lane.commit([Submission([ruling(uid())])])
    working = Nonsense(store)
    working.failing = 3
    made = LogKeeper(working, HeadPin(tmp_path / "pin"), position=lambda: None, seconds=0.01)
    task = asyncio.get_running_loop().create_task(made.run())
    async with asyncio.timeout(30):
        while made.published is None:
            assert not task.done()
            await asyncio.sleep(0.01)
    assert made.failures == 3
    task.cancel()
    made.close()
    store.close()
