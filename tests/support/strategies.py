"""
Whole ledgers, as the gateway would write them.

Processes that are killed import this module too, so it loads no more than they need.
"""

import uuid

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from adapters.ledger.ed25519 import Ed25519Signer, Ed25519Verifier
from ledger.erasable import commit, fresh_salt
from ledger.lane import LaneWriter, Submission, Written
from ledger.query import Filter
from ledger.record import Draft, GatewayPart, ItemPart, PackPart, Record
from ledger.sequencer import Sequencer
from ledger.sqlite.store import SqliteStore
from ledger.store import Store
from ledger.tlog.merkle import root_hash

ORIGIN = "test.local/ledger"
AT = "2026-03-01T09:15:00.000000Z"
REPLICA = GatewayPart(replica="00000000-0000-4000-8000-000000000001", build="test")


@cache
def signer() -> Ed25519Signer:
    """The key of the test's log: the same in every process of a test, since lanes sign what they write."""
    return Ed25519Signer(ORIGIN, Ed25519PrivateKey.from_private_bytes(b"the key of the tests' own logs.."))


def keys() -> tuple[Ed25519Verifier, ...]:
    return (Ed25519Verifier(signer().key),)


def sequencer(store: Store, key: str | None = None) -> Sequencer:
    """A sequencer with the test's key, or with one from another process."""
    held = Ed25519Signer.parse(key) if key else signer()
    return Sequencer(store, ORIGIN, [held], lambda: [Ed25519Verifier(held.key), *keys()])


def uid() -> str:
    return str(uuid.uuid4())


def ruling(request_id: str, item_id: str = "item", outcome: str = "released", **changes: object) -> Draft:
    """The draft of an `item.ruled` record."""
    fields: dict[str, Any] = {
        "kind": "item.ruled",
        "decision_id": uid(),
        "trace_id": "trace",
        "request_id": request_id,
        "tenant": "gfm",
        "subject": "token",
        "agent": "RISK",
        "item": ItemPart(id=item_id, commitment=commit(fresh_salt(), b"x"), bytes=1, media_type="text/plain"),
        "outcome": outcome,
        "codes": () if outcome == "released" else ("JUR-001",),
        "at": AT,
    }
    return Draft(**{**fields, **changes})


def write_request(lane: LaneWriter, outcomes: list[str]) -> None:
    """One request with a ruling per outcome, and its sealed pack."""
    request_id = uid()
    drafts = [ruling(request_id, f"item-{n}", outcome) for n, outcome in enumerate(outcomes)]
    [written] = lane.commit([Submission(drafts)])
    assert isinstance(written, list)
    lane.commit([Submission([sealing(request_id, written)])])


def sealing(request_id: str, written: Sequence[Written]) -> Draft:
    """The draft that seals a request's pack over all its rulings."""
    return Draft(
        kind="pack.sealed",
        decision_id=uid(),
        trace_id="trace",
        request_id=request_id,
        tenant="gfm",
        at=AT,
        pack=PackPart(
            id=f"pack_{request_id}",
            digest="0" * 64,
            items=tuple(w.record.decision_id for w in written if w.record.outcome == "released"),
            rulings=len(written),
            rulings_root=root_hash([w.leaf for w in written]).hex(),
            lane_head=written[-1].leaf.hex(),
        ),
    )


def write(lane: LaneWriter, *drafts: Draft, sealed: Sequence[bytes] = ()) -> list[Written]:
    """One submission, durable: the records that it became; raises what the lane answers for it."""
    [answer] = lane.commit([Submission(drafts, sealed)])
    if isinstance(answer, Exception):
        raise answer
    return answer


def found(store: Store, **wanted: object) -> list[str]:
    """Ids of the items of the rulings that a filter finds, in the order of the log."""
    rulings = (Record.decode(body) for body in store.query(Filter(**wanted)).records)
    return [ruling.item.id for ruling in rulings if ruling.item]


def new_lane(path: Path) -> tuple[SqliteStore, LaneWriter]:
    store = SqliteStore(path)
    return store, LaneWriter(store, ORIGIN, REPLICA, signer())
