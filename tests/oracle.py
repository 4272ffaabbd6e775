"""One oracle: after a step, everything in the ledger is verified again from storage."""

import json

from collections import Counter

from gateway.bootstrap import Gateway
from ledger.pin import HeadPin
from ledger.query import Filter
from ledger.record import Record
from ledger.verify import Verified, verify


def check_ledger(gateway: Gateway) -> Verified:
    """The ledger holds together, is not behind its pin, and no two rulings name one item of a request."""
    pin = HeadPin(gateway.settings.pin)
    pin.check(gateway.store)
    verified = verify(gateway.store, origin=gateway.settings.origin, pin=pin.read())
    ruled = Counter((r.request_id, r.item.id) for r in records(gateway, kind="item.ruled") if r.item)
    assert not [key for key, count in ruled.items() if count > 1]
    return verified


def records(gateway: Gateway, **wanted: object) -> list[Record]:
    """All records that match."""
    page = gateway.store.query(Filter(limit=1000, **wanted))
    assert page.next is None
    return [Record.decode(body) for body in page.records]


def everything_stored(gateway: Gateway) -> str:
    """All bytes of all records, as text, to look for what must not be there."""
    return "\n".join(json.dumps(record.model_dump(mode="json")) for record in records(gateway))
