"""What verification remembers of each record lies on disk."""

import json
import tracemalloc

import pytest

from ledger.checks.decisions import Decisions
from ledger.checks.repeats import RepeatedDecisions
from ledger.checks.scratch import Scratch
from ledger.errors import LedgerCorruptError, LedgerUnavailableError
from ledger.tlog.merkle import leaf_hash, root_hash
from ledger.verify import verify
from tests.support.strategies import ORIGIN, keys, new_lane, sequencer, write_request


def peak(act):
    """Bytes of Python objects at most while something is done."""
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_ledger(tmp_path, monkeypatch):
    """
    Verifying a ledger of twice as many records takes no more memory than its batches do.
    """
    monkeypatch.setattr("ledger.verify._BATCH", 200)
    monkeypatch.setattr("ledger.checks.scratch._BATCH", 100)
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    peaks = []
    for requests in (22, 22):
        for _ in range(requests):
            write_request(lane, ["released"] * 99)
        sequencer(store).run()
        peaks.append(peak(lambda: verify(store, origin=ORIGIN, keys=keys())))
    store.close()
    assert peaks[1] < peaks[0] + 200_000, peaks


def rulings(count, request="r"):
    """Rulings as verification sees them: record and leaf."""
    for number in range(count):
        name = f"{request}-{number}"
        record = {"kind": "item.ruled", "decision_id": name, "request_id": request, "outcome": "released"}
        yield {**record, "tenant": "t"}, leaf_hash(name.encode())


def test_what_is_asked_of_all_is_asked_on_disk():
    """
    Ten thousand decisions, in requests of their own and in one, are held against a pack in the memory of a few batches.
    """
    with Scratch() as scratch:
        decisions, repeats = Decisions(scratch), RepeatedDecisions(scratch)

        def take():
            for number in range(5000):
                for record, leaf in (*rulings(1, f"own-{number}"),):
                    decisions.see("entry 0", record, leaf)
                    repeats.see("entry 0", record)
            for record, leaf in rulings(5000):
                decisions.see("entry 0", record, leaf)
            root = root_hash([leaf for _, leaf in rulings(7, "small")]).hex()
            for record, leaf in rulings(7, "small"):
                decisions.see("entry 0", record, leaf)
            pack = {"items": ["small-3"], "rulings": 7, "rulings_root": root}
            sealed = {"kind": "pack.sealed", "decision_id": "s", "request_id": "small", "pack": pack}
            decisions.see("entry 0", sealed, b"")
            decisions.require_once()
            decisions.check_packs()
            repeats.check()

        assert peak(take) < 1_500_000
        assert "own-4999-0" in decisions
        assert "own-5000-0" not in decisions


def test_the_later_of_two_is_named():
    """
    A decision id that stands twice is found with where it stands the second time.
    """
    with Scratch() as scratch:
        decisions = Decisions(scratch)
        for index, (record, leaf) in enumerate([*rulings(3), *rulings(1)]):
            decisions.see(f"entry {index}", record, leaf)
        with pytest.raises(LedgerCorruptError, match="entry 3: its decision id stands twice"):
            decisions.require_once()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rulings": 2}, "counts other rulings than the 3"),
        ({"rulings_root": "0" * 64}, "root"),
        ({"items": ["r-3"]}, "no ruling released"),
    ],
)
def test_packs_that_lie(changes, words):
    """
    A pack that counts, roots or packs otherwise than the rulings of its request is named.
    """
    right = {"items": ["r-1"], "rulings": 3, "rulings_root": root_hash([leaf for _, leaf in rulings(3)]).hex()}
    with Scratch() as scratch:
        decisions = Decisions(scratch)
        for record, leaf in rulings(3):
            decisions.see("entry", record, leaf)
        sealed = {
            "kind": "pack.sealed",
            "decision_id": "s",
            "request_id": "r",
            "pack": json.loads(json.dumps({**right, **changes})),
        }
        decisions.see("entry", sealed, b"")
        decisions.require_once()
        with pytest.raises(LedgerCorruptError, match=words):
            decisions.check_packs()


def test_no_room():
    """
    Where the temporary file has no room, that is what is said, and never that the ledger does not hold.
    """
    with Scratch() as scratch:
        scratch.table("t", "a TEXT")
        scratch._connection.execute("PRAGMA max_page_count = 3")
        with pytest.raises(LedgerUnavailableError, match="no room"):
            for _ in range(2000):
                scratch.add("t", "x" * 100)
