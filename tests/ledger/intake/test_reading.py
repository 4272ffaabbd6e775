"""What may not enter the log: it is set aside by a code, the others go on, and the ledger verifies."""

import json

import pytest

from ledger.sqlite.store import SqliteStore
from ledger.tlog.merkle import leaf_hash
from tests.support.attacking import FOREIGN, body_of, slip_in
from tests.support.oracle import check_store
from tests.support.strategies import ORIGIN, keys, new_lane, ruling, sequencer, uid, write_request


def changed(draft, **changes):
    """The bytes of a draft with members that no gateway would write."""
    return json.dumps({**json.loads(body_of(draft)), **changes}, sort_keys=True, separators=(",", ":")).encode()


DRAFT = ruling(uid())
SPOILT = {
    "unsigned": (body_of(DRAFT), False, 0, "RUN-SIGNATURE"),
    "not JSON": (b"nonsense", True, 0, "RUN-SCHEMA"),
    "a member too many": (
        changed(DRAFT, item={**json.loads(body_of(DRAFT))["item"], "note": "DE89370400440532013000"}),
        True,
        0,
        "RUN-SCHEMA",
    ),
    "an item without an id": (changed(DRAFT, item={"bytes": 1}), True, 0, "RUN-SCHEMA"),
    "a kind that is none": (changed(DRAFT, kind="anything.at.all"), True, 0, "RUN-SCHEMA"),
    "an outcome that is none": (changed(DRAFT, outcome="approved-by-nobody"), True, 0, "RUN-SCHEMA"),
    "a time that is none": (changed(DRAFT, at="2026-13-41T09:15:00.000000Z"), True, 0, "RUN-SCHEMA"),
    "a tenant that is none": (changed(DRAFT, tenant=" "), True, 0, "RUN-SCHEMA"),
    "codes that are none": (changed(DRAFT, codes=[1]), True, 0, "RUN-SCHEMA"),
    "another log": (changed(DRAFT, origin="other.test/log"), True, 0, "RUN-ORIGIN"),
    "another place": (
        changed(DRAFT, lane={"epoch": 1, "id": FOREIGN.replica, "prev": "0" * 64, "seq": 3}),
        True,
        0,
        "RUN-CHAIN",
    ),
    "another decision": (changed(DRAFT, decision_id=uid()), True, 0, "RUN-DECISION"),
    "records that are not there": (body_of(DRAFT), True, 3, "RUN-INCOMPLETE"),
    "more records than a run has": (body_of(DRAFT), True, 2**40, "RUN-INCOMPLETE"),
}


@pytest.mark.parametrize(("body", "signed", "following", "code"), SPOILT.values(), ids=SPOILT)
def test_what_may_not_enter_is_set_aside(tmp_path, body, signed, following, code):
    """
    Whatever is wrong with a run, the others enter the log, before it and after, and the code says what it was.
    """
    path = tmp_path / "ledger.sqlite"
    store, lane = new_lane(path)
    write_request(lane, ["released"])
    slip_in(path, body, DRAFT.decision_id, signed=signed, following=following)
    working = sequencer(store)
    assert working.run().size == 2
    write_request(lane, ["denied"])
    assert (working.run().size, sequencer(store).run().size) == (4, 4)
    [refusal] = working.aside.unrecorded()
    assert (refusal.lane, refusal.epoch, refusal.first, refusal.code) == (FOREIGN.replica, 1, 0, code)
    assert leaf_hash(body) not in map(leaf_hash, store.entries(0, 4))
    if following < 2**40:
        assert check_store(store, ORIGIN, keys()).aside == 1
    store.close()


def test_a_row_of_no_sense_ends_no_sequencer(tmp_path):
    """
    A signed run of the attacker's between others is set aside once, also by who starts later.
    """
    path = tmp_path / "ledger.sqlite"
    store, lane = new_lane(path)
    slip_in(path, b"{}", uid(), signed=True)
    write_request(lane, ["released"])
    for _ in range(3):
        assert sequencer(store).run().size == 2
    assert len(store.refused()) == 1
    store.close()
    again = SqliteStore(path)
    assert sequencer(again).run().size == 2
    again.close()
