"""Which checkpoints are kept for good."""

import re

import pytest

from gateway.settings import HOME
from ledger.checkpoints.kept import SPAN, cosigned_at, crosses, in_one_step, is_kept
from ledger.lane import LaneWriter
from ledger.store import LONGEST_RUN, Published
from ledger.tlog.checkpoint import Checkpoint, read_checkpoint
from ledger.tlog.note import cosign, sign
from tests.support.strategies import ORIGIN, REPLICA, new_lane, ruling, sequencer, signer, uid, write
from tests.support.witnessing import new_witness

HOUR = 3600


@pytest.fixture
def witnesses(tmp_path):
    made = [new_witness(tmp_path, f"w{n}.test") for n in (1, 2)]
    yield [one.signer for one in made]
    for one in made:
        one.state.close()


def note(size, at=0, witnesses=()):
    text = str(Checkpoint(ORIGIN, size, bytes(32)))
    return sign(text, [signer()]) + "".join(cosign(text, one, at) for one in witnesses)


def test_one_of_each_span(witnesses):
    """
    Without witnesses the first of each span is kept and no other.
    """
    kept = []
    for size in (1, 2, SPAN - 1, SPAN, SPAN + 1, 3 * SPAN + 5, 3 * SPAN + 6):
        if is_kept(size, note(size), kept):
            kept.append(Published(size, "", note(size)))
    assert [one.size for one in kept] == [1, SPAN, 3 * SPAN + 5]


def test_of_each_hour_the_one_with_the_most_cosignatures(witnesses):
    """
    Of each hour, by the witnesses' own times, the first with more cosignatures than any before it.
    """
    kept = []
    for size, (at, count) in enumerate(
        [(0, 0), (10, 0), (20, 1), (30, 1), (40, 2), (50, 2), (50, 1), (HOUR + 1, 1), (HOUR + 2, 2), (HOUR + 3, 2)], 1
    ):
        text = note(size, at, witnesses[:count])
        if is_kept(size, text, kept):
            kept.append(Published(size, "", text))
    assert [one.size for one in kept] == [1, 3, 5, 8, 9]
    assert cosigned_at(kept[2].note) == [40, 40]


def test_a_store_keeps_what_the_rule_says(store, witnesses):
    """
    However often a log is signed, its store holds what is kept for good and the newest with each number of cosignatures.
    """
    lane = LaneWriter(store, ORIGIN, REPLICA, signer())
    sizes = []
    for n in range(12):
        write(lane, ruling(uid(), f"i{n}"))
        published = sequencer(store).run()
        if n % 3 == 0:
            text = str(read_checkpoint(published.note))
            both = "".join(cosign(text, one, 1_800_000_000 + n) for one in witnesses)
            store.publish(read_checkpoint(published.note), published.at, published.note + both)
        sizes.append(published.size)
    assert [one.size for one in store.checkpoints()] == [1, 1]
    assert [one.size for one in store.newest()] == [10, 12]
    assert store.published().size == 12


def test_a_newer_one_of_a_smaller_tree_is_not_the_newest(store):
    """
    A checkpoint that comes late does not take the place of one of a larger tree, and of two of one size the later is served.
    """
    lane = LaneWriter(store, ORIGIN, REPLICA, signer())
    for n in range(3):
        write(lane, ruling(uid(), f"i{n}"))
        newest = sequencer(store).run()
    store.publish(Checkpoint(ORIGIN, 2, bytes(32)), "2026", note(2))
    assert store.published() == newest
    again = Published(3, "2027", newest.note)
    store.publish(read_checkpoint(newest.note), again.at, again.note)
    assert store.published() == again


def test_a_log_that_grows_past_a_span_is_signed_there(tmp_path, monkeypatch):
    """
    Also where no checkpoint is asked for, each span gets one on the way; verifiers rely on that.
    """
    monkeypatch.setattr("ledger.checkpoints.kept.SPAN", 600)
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    for _ in range(8):
        write(lane, *(ruling(uid(), f"i{n}") for n in range(250)))
    sequencer(store).catch_up()
    spans = {one.size // 600 for one in store.checkpoints()}
    assert spans == {0, 1, 2, 3}
    assert crosses(0, 1)
    assert crosses(599, 600)
    assert not crosses(600, 1199)
    store.close()


def test_no_step_is_longer_than_a_span():
    """
    However much waits, a step takes half a span at most, with the run that it begins with.
    """
    assert in_one_step([100] * 1000) == SPAN // 2 // 100
    assert in_one_step([10 * SPAN, 1]) == 1
    assert LONGEST_RUN <= SPAN // 2


def test_the_page_says_the_same():
    """
    FORMAT.md has the rule with its number.
    """
    assert re.search(rf"{SPAN:,}", (HOME / "ledger/FORMAT.md").read_text())
