"""What somebody who has the database writes into it: without the log's key, or with a careless process that signs anything."""

import sqlite3

from pathlib import Path

from ledger.intake.signing import run_message, sign_with
from ledger.record import Draft, GatewayPart, Lane
from ledger.store import Run
from ledger.tlog.merkle import ZERO_HASH
from tests.support.strategies import ORIGIN, signer

FOREIGN = GatewayPart(replica="00000000-0000-4000-8000-00000000beef", build="test")
"""A process of the attacker's own."""


def body_of(draft: Draft) -> bytes:
    """The bytes that a draft has at the start of the attacker's lane."""
    lane = Lane(id=FOREIGN.replica, epoch=1, seq=0, prev=ZERO_HASH.hex())
    return draft.placed(origin=ORIGIN, lane=lane, gateway=FOREIGN).encode()


def slip_in(path: Path, body: bytes, name: str, *, signed: bool = False, following: int = 0) -> None:
    """A run of one record in the attacker's lane, past the store; *following* says how many more the run claims to have."""
    run = Run(FOREIGN.replica, 1, 0, 1 + following, (body,))
    signature = sign_with(signer(), run_message(ORIGIN, run)) if signed else bytes(68)
    with sqlite3.connect(path) as connection:
        connection.execute("INSERT INTO lanes VALUES (?, 1)", (run.lane,))
        values = (run.lane, run.first, run.next, signature)
        connection.execute("INSERT INTO runs (lane, epoch, first, next, signature) VALUES (?, 1, ?, ?, ?)", values)
        place = "INSERT INTO records (lane, epoch, seq, decision_id, body) VALUES (?, 1, 0, ?, ?)"
        connection.execute(place, (run.lane, name, body))
    connection.close()
