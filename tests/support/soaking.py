"""Replicas that write and keep one log until they are killed, and an auditor who asks, verifies and exports all the time."""

import asyncio
import contextlib
import os
import signal

from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from adapters.ledger.postgres.store import PostgresStore
from gateway.audit.keeper import LogKeeper
from ledger.export import write_log
from ledger.lane import LaneWriter, Submission, Written
from ledger.log import LogReader
from ledger.pin import HeadPin
from ledger.query import Filter
from ledger.record import GatewayPart
from ledger.sequencer import Sequencer
from ledger.store import Published
from ledger.writer import GroupCommitWriter
from tests.support.commands import verify_export
from tests.support.crashing import forks
from tests.support.oracle import check_store
from tests.support.strategies import ORIGIN, keys, ruling, sealing, sequencer, signer, uid
from tools.verify_ledger import PARTS

FEW = 5
"""Rulings of a request."""


class Telling(Sequencer):
    """A sequencer that says when a round is done, and what one failed with."""

    told: Connection

    def run(self) -> Published | None:
        try:
            published = super().run()
        except Exception as error:
            self.told.send(("failed", f"{type(error).__name__}: {error}"))
            raise
        self.told.send(("round", 1))
        return published


def replicate(url: str, replica: str, folder: str, told: Connection) -> None:
    """Write requests, and keep the log up beside, as a gateway does."""
    asyncio.run(_replicate(PostgresStore(url, proof=signer().proof), replica, Path(folder), told))


async def _replicate(store: PostgresStore, replica: str, folder: Path, told: Connection) -> None:
    pin = HeadPin(folder / f"{replica}.pin")
    lane = LaneWriter(store, ORIGIN, GatewayPart(replica=replica, build="test"), signer())
    working = Telling(store, ORIGIN, [signer()], keys, seen=lambda: pin.read().checkpoint)
    working.told = told
    keeper = LogKeeper(working, pin, position=lambda: lane.position, seconds=0.2)
    keeping = asyncio.get_running_loop().create_task(keeper.run())
    writer = GroupCommitWriter(lane)
    while not keeping.done():
        for written in await asyncio.gather(*(_request(writer) for _ in range(3))):
            told.send(("ack", [one.record.decision_id for one in written]))


async def _request(writer: GroupCommitWriter) -> list[Written]:
    request_id = uid()
    rulings = await writer.append(Submission([ruling(request_id, f"i{n}") for n in range(FEW)]))
    return rulings + await writer.append(Submission([sealing(request_id, rulings)]))


@dataclass
class Replica:
    """One such process, and what it said."""

    url: str
    name: str
    folder: Path
    acknowledged: set[str] = field(default_factory=set)
    failures: list[str] = field(default_factory=list)
    rounds: int = 0

    def start(self) -> None:
        """Start it, again if it was killed."""
        self._heard, told = forks.Pipe(duplex=False)
        self._process = forks.Process(target=replicate, args=(self.url, self.name, str(self.folder), told), daemon=True)
        self._process.start()
        told.close()

    def listen(self) -> None:
        """Take in what it has said so far."""
        with contextlib.suppress(EOFError):
            while self._heard.poll():
                kind, said = self._heard.recv()
                if kind == "ack":
                    self.acknowledged.update(said)
                elif kind == "failed":
                    self.failures.append(said)
                else:
                    self.rounds += said

    def kill(self) -> None:
        """Kill it with SIGKILL, and take in its last words."""
        assert self._process.pid is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()
        self.listen()
        self._heard.close()


def audit(url: str, folder: Path) -> int:
    """What an auditor does beside: a question, a verification and an export, each from the store of a moment; entries exported."""
    store = PostgresStore(url, proof=signer().proof)
    with contextlib.closing(store):
        sequencer(store).catch_up()
        store.query(Filter(kind="pack.sealed", limit=10))
    frozen = PostgresStore(url, frozen=True)
    with contextlib.closing(frozen):
        check_store(frozen, ORIGIN, keys())
        published = frozen.published()
        if published is None:
            return 0
        folder.mkdir()
        write_log(frozen, folder, published)
        (folder / "log.vkey").write_text("".join(f"{one.key}\n" for one in keys()))
        (folder / "policy.tlog").write_text("".join(f"log {one.key}\n" for one in keys()) + "quorum none\n")
        assert LogReader(frozen).root(published.size)
    done = verify_export(folder, *(word for part in PARTS for word in ("--waive", part)))
    assert done.returncode == 0, done.stdout
    return published.size
