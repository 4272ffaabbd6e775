"""The store in one SQLite file: full disks, failing system calls, files that are no ledger."""

import json
import os
import shutil
import subprocess
import sys

from pathlib import Path

import pytest

from ledger.errors import LedgerError, LedgerUnavailableError
from ledger.lane import Submission
from ledger.sqlite.store import SqliteStore
from tests.support.crashing import acknowledged_is_stored
from tests.support.oracle import check_store
from tests.support.services import need
from tests.support.strategies import ORIGIN, found, keys, new_lane, ruling, sequencer, uid, write


def test_a_file_that_is_not_a_ledger_is_refused(tmp_path):
    """
    The store does not write over something else.
    """
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(LedgerUnavailableError):
        SqliteStore(path)


def test_a_full_disk_is_an_error_and_nothing_is_half_written(lane):
    """
    When space runs out the whole group is refused; when it returns, writing goes on.
    """
    write(lane, ruling(uid(), "before"))
    connection = lane.store._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    with pytest.raises(LedgerUnavailableError):
        write(lane, *(ruling(uid(), f"big{n}", codes=("X" * 200,)) for n in range(200)))
    connection.execute("PRAGMA max_page_count = 1000000")
    write(lane, ruling(uid(), "after"))
    sequencer(lane.store).run()
    assert found(lane.store) == ["before", "after"]
    assert check_store(lane.store, ORIGIN, keys()).records == 2


def traced(tmp_path, *inject):
    """A writer whose system calls on the ledger's files fail as told; what it acknowledged, and how it ended."""
    ledger = tmp_path / "ledger.sqlite"
    paths = [part for suffix in ("", "-wal", "-shm") for part in ("-P", f"{ledger}{suffix}")]
    command = ["strace", "-f", "-qq", "-o", os.devnull, *paths, *[p for one in inject for p in ("-e", f"inject={one}")]]
    done = subprocess.run(
        [*command, sys.executable, "-m", "tests.support.crashing", str(ledger), "12"],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {name for line in lines for name in line.get("ack", ())}, done.returncode


OPENING = [
    "pwrite64:error=EIO:when=6",
    "pwrite64:error=ENOSPC:when=4+",
    "fdatasync:error=EIO:when=2",
    "fdatasync:error=ENOSPC:when=2+",
    "openat:error=EIO:when=1",
    "openat:error=ENOSPC:when=2",
    "ftruncate:error=EIO:when=1",
    "pwrite64:signal=KILL:when=9",
    "pread64:error=EIO:when=6",
]
"""Faults while an empty file becomes a ledger."""

WRITING = [
    *(
        f"{call}:error={error}:when={when}"
        for call, first in (("pwrite64", 120), ("fdatasync", 7))
        for error in ("EIO", "ENOSPC")
        for when in (str(first), f"{first}+")
    ),
    "pwrite64:signal=KILL:when=130",
    "fdatasync:signal=KILL:when=8",
]
"""Faults while a ledger that is there is written to: after some of twelve transactions, and before the last."""


@pytest.mark.parametrize("fault", OPENING + WRITING)
def test_a_system_call_that_fails(tmp_path, fault):
    """
    When the disk errs, is full, or the process dies inside a system call, nothing acknowledged is lost: the ledger
    verifies when it is opened again, or is refused.
    """
    need(shutil.which("strace") is not None, "strace")
    if fault in WRITING:
        SqliteStore(tmp_path / "ledger.sqlite").close()
    acknowledged, _ = traced(tmp_path, fault)
    assert (0 < len(acknowledged) < 60) == (fault in WRITING), "the fault came at another moment"
    try:
        store = SqliteStore(tmp_path / "ledger.sqlite")
    except LedgerError:
        assert not acknowledged
        return
    acknowledged_is_stored(store, acknowledged)
    if store.count():
        sequencer(store).run()
        check_store(store, ORIGIN, keys())
    store.close()


def test_the_faults_are_real(tmp_path):
    """
    The same writer without a fault acknowledges everything, and with a lasting one not.
    """
    need(shutil.which("strace") is not None, "strace")
    (tmp_path / "whole").mkdir()
    assert len(traced(tmp_path / "whole")[0]) == 60
    assert len(traced(tmp_path, "fdatasync:error=EIO:when=4+")[0]) < 60


def test_a_full_disk(tmp_path):
    """
    On a file system that is full an append is an error and nothing is half written; when space returns, writing goes on.
    """
    need(os.geteuid() == 0, "root, to mount a small file system")
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], check=True)
    try:
        store, lane = new_lane(disk / "ledger.sqlite")
        acknowledged = set()
        with pytest.raises(LedgerUnavailableError):
            for _ in range(500):
                [written] = lane.commit([Submission([ruling(uid(), f"i{n}") for n in range(20)])])
                acknowledged |= {one.record.decision_id for one in written}
        subprocess.run(["mount", "-o", "remount,size=16m", disk], check=True)
        lane.commit([Submission([ruling(uid(), "after")])])
        acknowledged_is_stored(store, acknowledged)
        sequencer(store).run()
        assert check_store(store, ORIGIN, keys()).records == len(acknowledged) + 1
        store.close()
    finally:
        subprocess.run(["umount", disk], check=True)


def test_a_frozen_store_stands_still(log):
    """
    What is verified while others write is the ledger of one moment.
    """
    store, lane = log
    write(lane, ruling(uid()))
    sequencer(store).run()
    frozen = SqliteStore(store_path(store))
    frozen.freeze()
    write(lane, ruling(uid()), ruling(uid()))
    sequencer(store).run()
    assert frozen.head().size == 1
    assert check_store(frozen, ORIGIN, keys()).records == 1
    assert store.head().size == 3
    frozen.close()


def store_path(store):
    """Where a store in a file lies."""
    return Path(store._connection.execute("PRAGMA database_list").fetchone()[2])


def test_many_ids_are_asked_for_in_some_statements(lane):
    """
    More decisions than fit in one statement are all found, and those that are not there are left out.
    """
    written = [one.record.decision_id for one in write(lane, *(ruling(uid(), f"i{n}") for n in range(1_100)))]
    assert set(lane.store.stored([*written, *(uid() for _ in range(300))])) == set(written)
