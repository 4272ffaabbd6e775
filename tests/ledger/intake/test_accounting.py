"""What is stored and not in the log, for whoever verifies."""

from datetime import UTC, datetime, timedelta

import pytest

from ledger.errors import LedgerCorruptError
from ledger.intake.refusing import fresh_decision_id
from ledger.intake.signing import accept_runs, refusal_message, sign_with
from ledger.store import SetAside
from tests.support.attacking import FOREIGN, body_of, slip_in
from tests.support.oracle import check_store
from tests.support.strategies import ORIGIN, keys, new_lane, ruling, sequencer, signer, uid, write_request
from tests.support.tampering import tamper


@pytest.fixture
def log(tmp_path):
    store, lane = new_lane(tmp_path / "ledger.sqlite")
    yield store, lane, tmp_path / "ledger.sqlite"
    store.close()


def test_what_nobody_signed_does_not_wait(log):
    """
    A run that waits and that the log did not sign is found before any sequencer sees it.
    """
    store, lane, path = log
    write_request(lane, ["released"])
    slip_in(path, body_of(ruling(uid())), uid())
    with pytest.raises(LedgerCorruptError, match="did not sign"):
        check_store(store, ORIGIN, keys())


def test_what_is_from_before_runs_were_signed(log):
    """
    It waits until an operator has it signed, keeps nobody else, and is neither lost nor refused.
    """
    store, lane, path = log
    write_request(lane, ["released"])
    tamper(path, ("UPDATE runs SET signature = NULL",))
    lane.leave(1)
    write_request(lane, ["denied"])
    assert sequencer(store).run().size == 2
    verified = check_store(store, ORIGIN, keys())
    assert (verified.waiting, verified.aside) == (2, 0)
    accept_runs(store, ORIGIN, signer(), store.unsigned())
    assert (sequencer(store).run().size, store.unsigned()) == (4, [])
    assert check_store(store, ORIGIN, keys()).waiting == 0


@pytest.mark.parametrize("minutes", [0, -5])
def test_what_is_set_aside_is_on_record(log, minutes):
    """
    Something that was set aside long ago, of which no record says so, is found; what was set aside just now is not.
    """
    store, lane, _ = log
    write_request(lane, ["released"])
    sequencer(store).run()
    newest = datetime(2026, 3, 1, 9, 15, tzinfo=UTC)
    decision_id = fresh_decision_id(newest + timedelta(minutes=minutes))
    refusal = SetAside(FOREIGN.replica, 1, 0, 1, "RUN-CHAIN", decision_id, b"")
    signature = sign_with(signer(), refusal_message(ORIGIN, refusal))
    store.refuse([SetAside(FOREIGN.replica, 1, 0, 1, "RUN-CHAIN", decision_id, signature)])
    if minutes == 0:
        assert check_store(store, ORIGIN, keys()).records == 2
        return
    with pytest.raises(LedgerCorruptError, match="no record says so"):
        check_store(store, ORIGIN, keys())
