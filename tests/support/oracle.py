"""One oracle: after a step, everything in the ledger is verified again from storage."""

import json

from collections import Counter
from collections.abc import Sequence

from gateway.bootstrap.gateway import Gateway
from ledger.log import LogReader
from ledger.pin import NOTHING_PINNED, Pinned
from ledger.query import Filter
from ledger.record import Record
from ledger.sequencer import Sequencer
from ledger.store import Store
from ledger.tlog.checkpoint import Checkpoint, open_checkpoint, read_checkpoint
from ledger.tlog.merkle import leaf_hash, verify_consistency, verify_inclusion
from ledger.tlog.note import Verifier
from ledger.verify import Verified, verify


def check_ledger(gateway: Gateway) -> Verified:
    """The ledger holds together, is not behind its pin, and no two rulings name one item of a request."""
    parts = gateway.ledger.parts
    catch_up(gateway)
    parts.pin.check(gateway.store)
    verified = check_store(gateway.store, gateway.settings.origin, parts.keys, parts.pin.read())
    ruled = Counter((r.request_id, r.item.id) for r in records(gateway, kind="item.ruled") if r.item)
    assert not [key for key, count in ruled.items() if count > 1]
    return verified


def check_store(store: Store, origin: str, keys: Sequence[Verifier], pin: Pinned = NOTHING_PINNED) -> Verified:
    """
    Everything in a store, from storage: its own verification, and what every reader of the log relies on.

    Each entry is proved against the newest checkpoint by its tiles alone, and each checkpoint against the one before.
    """
    verified = verify(store, origin=origin, pin=pin, keys=keys)
    reader, published = LogReader(store), store.published()
    if published is not None:
        newest, _ = open_checkpoint(published.note, keys)
        bodies = store.entries(0, newest.size)
        for index in {*range(0, newest.size, max(1, newest.size // 50)), newest.size - 1}:
            proof = reader.proof(index, published)
            assert verify_inclusion(leaf_hash(bodies[index]), index, newest.size, proof.hashes, newest.root)
        # Where replicas are at work there may be newer ones by now.
        for seen in [one for one in known(store) if one.size <= newest.size][-20:]:
            hashes = reader.consistency(seen.size, published)
            assert verify_consistency(seen.size, newest.size, seen.root, newest.root, hashes)
    return verified


def known(store: Store) -> list[Checkpoint]:
    """All checkpoints of a log, oldest first."""
    return [read_checkpoint(published.note) for published in store.checkpoints()]


def catch_up(gateway: Gateway) -> None:
    """Bring the log up to what is durable now, as any replica may."""
    Sequencer(gateway.store, gateway.settings.origin, [gateway.ledger.parts.signer]).run()


def records(gateway: Gateway, **wanted: object) -> list[Record]:
    """All records that match."""
    catch_up(gateway)
    page = gateway.store.query(Filter(limit=1000, **wanted))
    assert page.next is None
    return [Record.decode(body) for body in page.records]


def everything_stored(gateway: Gateway) -> str:
    """All bytes of all records, as text, to look for what must not be there."""
    return "\n".join(json.dumps(record.model_dump(mode="json")) for record in records(gateway))
