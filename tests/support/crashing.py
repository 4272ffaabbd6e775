"""Processes that write a ledger until they are killed."""

import contextlib
import json
import multiprocessing
import os
import random
import signal
import sys
import time

from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from ledger.lane import LaneWriter, Submission
from ledger.record import Draft, GatewayPart
from ledger.sqlite.store import SqliteStore
from ledger.store import Store
from tests.support.strategies import ORIGIN, new_lane, ruling, sequencer, signer, uid

forks = multiprocessing.get_context("forkserver")
forks.set_forkserver_preload(["tests.support.crashing"])


def open_at(position: str) -> Store:
    """A store by the path of its file or the URL of its database."""
    if not position.startswith("postgresql"):
        return SqliteStore(Path(position))
    from adapters.ledger.postgres.store import PostgresStore  # a driver that writers of files need not load

    return PostgresStore(position)


def write_for_ever(position: str, replica: str, told: Connection, key: str | None = None) -> None:
    """Say what will be written, write it, say that it was acknowledged; sequence now and then."""
    store = open_at(position)
    lane = LaneWriter(store, ORIGIN, GatewayPart(replica=replica, build="test"), signer())
    turn = 0
    while True:
        drafts = [ruling(uid(), f"i{n}") for n in range(5)]
        told.send(("try", [draft.model_dump_json() for draft in drafts]))
        [written] = lane.commit([Submission(drafts)])
        assert isinstance(written, list)
        told.send(("ack", [one.record.decision_id for one in written]))
        turn += 1
        if key and turn % 3 == 0:
            sequencer(store, key=key).run()


class Writer:
    """One such process."""

    def __init__(self, position: str, replica: str, key: str | None = None) -> None:
        self.heard, told = forks.Pipe(duplex=False)
        self.process = forks.Process(target=write_for_ever, args=(position, replica, told, key), daemon=True)
        self.process.start()
        told.close()
        self.acknowledged: set[str] = set()
        self.last: list[Draft] = []

    def listen(self) -> None:
        """Take in what it has said so far."""
        try:
            while self.heard.poll():
                kind, said = self.heard.recv()
                if kind == "ack":
                    self.acknowledged.update(said)
                else:
                    self.last = [Draft.model_validate_json(one) for one in said]
        except EOFError:
            return

    def kill(self) -> None:
        """Kill it with SIGKILL, and take in its last words."""
        assert self.process.pid is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGKILL)
        self.process.join()
        self.listen()
        self.heard.close()


def kill_at_random(position: str, replica: str, key: str | None = None) -> Writer:
    """A writer, killed at a random moment after its first acknowledgement."""
    writer = Writer(position, replica, key)
    while not writer.acknowledged:
        writer.heard.poll(30)
        writer.listen()
    time.sleep(random.random() * 0.02)
    writer.kill()
    return writer


def acknowledged_is_stored(store: Store, acknowledged: set[str]) -> None:
    """Every decision that a writer was told is durable is there."""
    missing = acknowledged - store.stored(sorted(acknowledged)).keys()
    assert not missing


def write_under_faults(arguments: Sequence[str]) -> None:
    """Write some packs, in order; print what was acknowledged, and what was not."""
    store, lane = new_lane(Path(arguments[0]))
    for _ in range(int(arguments[1])):
        drafts = [ruling(uid(), f"i{n}") for n in range(5)]
        try:
            [written] = lane.commit([Submission(drafts)])
        except Exception as error:
            print(json.dumps({"refused": type(error).__name__}), flush=True)
        else:
            assert isinstance(written, list)
            print(json.dumps({"ack": [one.record.decision_id for one in written]}), flush=True)
    store.close()


if __name__ == "__main__":
    write_under_faults(sys.argv[1:])
