"""One oracle: after a step, everything in the ledger is verified again from storage."""

import json

from collections import Counter
from collections.abc import Sequence

from gateway.audit.queries import LedgerQueries
from gateway.audit.why import clear_labels
from gateway.bootstrap.gateway import Gateway
from gateway.model.pseudonyms import keyed_names
from ledger.checks.beside import Beside
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
    """The ledger and what is beside it hold together, it is not behind its pin, and no two rulings name one item of a request."""
    parts = gateway.ledger.parts
    catch_up(gateway)
    parts.pin.check(gateway.store)
    verify(gateway.store, origin=gateway.settings.origin, keys=parts.keys, beside=Beside(gateway.store))
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
    """The checkpoints of a log that are kept, and the newest."""
    return [read_checkpoint(published.note) for published in (*store.checkpoints(), *store.newest())]


def catch_up(gateway: Gateway) -> None:
    """Bring the log up to what is durable now, as any replica may."""
    parts = gateway.ledger.parts
    Sequencer(gateway.store, gateway.settings.origin, [parts.signer], lambda: parts.keys).run()


def records(gateway: Gateway, **wanted: object) -> list[Record]:
    """All records that match, with the ids of items and sources as they were told, where the record has keyed names for them."""
    found = stored_records(gateway, **wanted)
    named = [
        one for one in found if any(part and (part.id or "").startswith("label:") for part in (one.item, one.source))
    ]
    if not named:
        return found
    requests = {one.request_id for one in named}
    rulings = [one for request in requests for one in stored_records(gateway, kind="item.ruled", request_id=request)]
    opened = gateway.ledger.parts.evidence.erasables([one.decision_id for one in rulings])
    clear = {
        keyed: label
        for one in rulings
        for keyed, label in clear_labels(one.model_dump(mode="json"), opened.get(one.decision_id))
    }
    return [_told(one, clear) for one in found]


def _told(record: Record, clear: dict[str, str]) -> Record:
    parts = {"item": record.item, "source": record.source}
    told = {
        name: part.model_copy(update={"id": clear[part.id]})
        for name, part in parts.items()
        if part and part.id in clear
    }
    return record.model_copy(update=told)


def stored_records(gateway: Gateway, **wanted: object) -> list[Record]:
    """All records that match, as they are."""
    catch_up(gateway)
    queries = LedgerQueries(
        gateway.store, gateway.recorder, gateway.ledger.keeper.round, keyed_names(gateway.stores.secret)
    )
    asked = queries.by_any_name(Filter(limit=1000, **wanted))
    found: list[Record] = []
    while True:
        page = gateway.store.query(asked)
        found.extend(Record.decode(body) for body in page.records)
        if page.next is None:
            return found
        asked = asked.model_copy(update={"after": page.next})


def everything_stored(gateway: Gateway) -> str:
    """All bytes of all records, as text, to look for what must not be there."""
    return "\n".join(json.dumps(record.model_dump(mode="json")) for record in stored_records(gateway))
