"""Faults while records are written: kills, failing system calls, full disks, lost servers.  The promise is always the same:
what was acknowledged is there, lanes have no gaps, and what was not acknowledged may be tried again as the same decision."""

import json
import os
import random
import shutil
import subprocess
import sys
import uuid

from contextlib import closing
from pathlib import Path

import pytest

from adapters.ledger.postgres.store import PostgresStore
from ledger.errors import LedgerError, LedgerUnavailableError, UnsafeDurabilityError
from ledger.lane import LaneWriter, Submission
from ledger.record import Record
from ledger.sqlite.store import SqliteStore
from tests.conftest import need
from tests.support.crashing import Writer, kill_at_random, open_at
from tests.support.oracle import check_store
from tests.support.services import Postgres
from tests.support.strategies import ORIGIN, REPLICA, keys, new_lane, ruling, sequencer, signer, uid, write_request


@pytest.fixture(params=["sqlite", "postgres"])
def position(request, tmp_path):
    """Where a ledger is: a file, or a database."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.sqlite")
    server = request.getfixturevalue("postgres")
    return server.url(server.new_ledger(), "gateway")


def acknowledged_is_stored(store, acknowledged):
    missing = acknowledged - store.stored(sorted(acknowledged)).keys()
    assert not missing


def retried(store, writer):
    """Trying again what the killed writer tried last gives the records that are there, or makes them."""
    lane, names = LaneWriter(store, ORIGIN, REPLICA), [draft.decision_id for draft in writer.last]
    before = store.stored(names)
    try:
        [written] = lane.commit([Submission(writer.last)])
    except LedgerUnavailableError:
        # The server was still at the dead writer's commit: the records appeared between the look and the write.
        before = store.stored(names)
        assert len(before) == len(names)
        [written] = lane.commit([Submission(writer.last)])
    assert len(before) in {0, len(writer.last)}, "a transaction was torn"
    for one in written:
        assert before.get(one.record.decision_id, one.record.encode()) == one.record.encode()
    return {one.record.decision_id for one in written}


@pytest.mark.parametrize("kills", [40, pytest.param(200, marks=pytest.mark.soak)])
def test_kills_lose_nothing_acknowledged(position, kills):
    """
    After each of many kills at random moments every acknowledged record is there, no lane has a gap, and a retry of what
    was under way is the same decision.
    """
    acknowledged = set()
    store = open_at(position)
    for turn in range(kills):
        writer = kill_at_random(position, REPLICA.replica, signer().secret)
        acknowledged |= writer.acknowledged
        acknowledged_is_stored(store, writer.acknowledged)
        acknowledged |= retried(store, writer)
        if turn % 20 == 19:
            sequencer(store).run()
            check_store(store, ORIGIN, keys())
    acknowledged_is_stored(store, acknowledged)
    store.close()


def test_eight_writers_that_are_killed_at_random(position):
    """
    Eight processes that write lanes and sequence at once, killed and started again at random, make one log without gaps,
    repeats or lost records, each lane in its own order.
    """
    replicas = [str(uuid.UUID(int=n)) for n in range(1, 9)]
    writers = {replica: Writer(position, replica, signer().secret) for replica in replicas}
    acknowledged = set()
    for _ in range(24):
        replica = random.choice(replicas)
        while not writers[replica].acknowledged:
            writers[replica].heard.poll(30)
            writers[replica].listen()
        writers[replica].kill()
        acknowledged |= writers[replica].acknowledged
        writers[replica] = Writer(position, replica, signer().secret)
    for writer in writers.values():
        writer.kill()
        acknowledged |= writer.acknowledged
    store = open_at(position)
    sequencer(store).run()
    verified = check_store(store, ORIGIN, keys())
    assert verified.records >= len(acknowledged) > 100
    acknowledged_is_stored(store, acknowledged)
    store.close()


class TestPostgresServer:
    @pytest.fixture
    def server(self):
        from tests.support.services import POSTGRES

        need(POSTGRES is not None, "PostgreSQL")
        import tempfile

        folder = Path(tempfile.mkdtemp(prefix="ctxgate-pg-"))
        server = Postgres(folder)
        server.start()
        yield server
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)

    def test_kills_of_the_server(self, server):
        """
        When the database itself is killed in the middle of appends, what it acknowledged is there after it recovered.
        """
        name, acknowledged = server.new_ledger(), set()
        for _ in range(4):
            writer = Writer(server.url(name, "gateway"), REPLICA.replica)
            while len(writer.acknowledged) < 40:
                writer.heard.poll(30)
                writer.listen()
            server.kill()
            writer.kill()
            acknowledged |= writer.acknowledged
            server.start()
        store = PostgresStore(server.url(name, "gateway"))
        acknowledged_is_stored(store, acknowledged)
        sequencer(store).run()
        check_store(store, ORIGIN, keys())
        store.close()

    @pytest.mark.parametrize("setting", ["fsync=off", "synchronous_commit=off", "full_page_writes=off"])
    def test_a_server_that_would_lose_records_is_refused(self, server, setting):
        """
        A gateway does not start on a database that acknowledges what a power cut would take.
        """
        name = server.new_ledger()
        server.stop()
        server.start(setting)
        with pytest.raises(UnsafeDurabilityError, match=setting.partition("=")[0]):
            PostgresStore(server.url(name, "gateway"))

    def test_a_database_that_was_not_migrated_is_refused(self, server):
        """
        A schema of another version is an error that says what to do, not a surprise later.
        """
        server.sql("postgres", "CREATE DATABASE empty")
        with pytest.raises(LedgerUnavailableError, match="migrate"):
            PostgresStore(server.url("empty"))


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


FAULTS = [
    *(
        f"{call}:error={error}:when={when}"
        for call in ("pwrite64", "fdatasync")
        for error in ("EIO", "ENOSPC")
        for when in ("6", "4+")
    ),
    "openat:error=EIO:when=1",
    "openat:error=ENOSPC:when=2",
    "ftruncate:error=EIO:when=1",
    "pwrite64:signal=KILL:when=9",
    "fdatasync:signal=KILL:when=5",
    "pread64:error=EIO:when=6",
]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_system_call_that_fails(tmp_path, fault):
    """
    When the disk errs, is full, or the process dies inside a system call, nothing acknowledged is lost: the ledger
    verifies when it is opened again, or is refused.
    """
    need(shutil.which("strace") is not None, "strace")
    acknowledged, _ = traced(tmp_path, fault)
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


class FailingStore:
    """Passes everything on, and fails one call, before or after it was done."""

    def __init__(self, store, call, *, after):
        self._store, self._call, self._after, self.failed = store, call, after, False

    def __getattr__(self, name):
        real = getattr(self._store, name)
        if name != self._call or self.failed:
            return real

        def failing(*args):
            self.failed = True
            if self._after:
                real(*args)
            raise LedgerUnavailableError("injected")

        return failing


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("call", ["head", "waiting", "extend", "published", "publish"])
def test_a_sequencer_that_fails_at_any_step(position, call, after):
    """
    Whichever step fails, before or after it was stored, the next round goes on from there to the same root.
    """
    store = open_at(position)
    lane = LaneWriter(store, ORIGIN, REPLICA)
    for _ in range(3):
        write_request(lane, ["released", "denied"])
    with pytest.raises(LedgerUnavailableError):
        sequencer(FailingStore(store, call, after=after)).run()
    published = sequencer(store).run()
    assert (published.size, store.head().size) == (9, 9)
    assert check_store(store, ORIGIN, keys()).records == 9
    bodies = store.entries(0, 9)
    assert [Record.decode(body).lane.seq for body in bodies] == list(range(9))
    store.close()


def test_verifying_while_others_write(position):
    """
    A ledger that several processes write and sequence is verified as it stands at one moment, without false alarm.
    """
    replicas = [str(uuid.UUID(int=n)) for n in range(1, 4)]
    writers = [Writer(position, replica, signer().secret) for replica in replicas]
    for writer in writers:
        while not writer.acknowledged:
            writer.heard.poll(30)
            writer.listen()
    for _ in range(6):
        # A sequencer among sequencers is never told that the log went back; the first run sees to a first checkpoint.
        with closing(open_at(position)) as other:
            sequencer(other).run()
        if position.startswith("postgresql"):
            store = PostgresStore(position, frozen=True)
        else:
            store = SqliteStore(Path(position))
            store.freeze()
        with closing(store):
            check_store(store, ORIGIN, keys())
    for writer in writers:
        writer.kill()
