"""Decisions that follow each other."""

import pytest

from ledger.checks.repeats import RepeatedDecisions
from ledger.checks.scratch import Scratch
from ledger.errors import LedgerCorruptError
from ledger.lane import Submission
from ledger.verify import verify
from tests.support.strategies import ORIGIN, ruling, sequencer, uid, write_request


def see(*records):
    """What is said of records, each a request id, the decision before it and more."""
    with Scratch() as scratch:
        seen = RepeatedDecisions(scratch)
        for request, before, more in records:
            record = {"kind": "item.ruled", "tenant": "t", "request_id": request, "repeats": before, **more}
            seen.see("entry 0", record)
        seen.check()


def test_a_chain_in_any_order():
    """
    Where decisions stand does not matter, and what is done about a pack later says nothing of what came before.
    """
    see(("c", "b", {}), ("a", None, {}), ("b", "a", {}), ("b", "a", {"kind": "pack.sealed"}))
    see(("b", "a", {}), ("a", None, {}), ("b", None, {"kind": "citation.verified"}))


@pytest.mark.parametrize(
    "records",
    [
        [("b", "a", {})],
        [("b", "b", {})],
        [("a", None, {"tenant": "other"}), ("b", "a", {})],
        [("a", None, {}), ("b", "a", {}), ("b", None, {"kind": "pack.sealed"})],
        [("a", None, {}), ("c", None, {}), ("b", "a", {}), ("b", "c", {})],
        [("a", None, {"kind": "citation.verified"}), ("b", "a", {})],
    ],
    ids=["gone", "itself", "another-tenant", "unlinked", "two", "no-decision"],
)
def test_links_that_do_not_hold(records):
    """
    A decision that names one that is not there, or two, or that only some of its records link, is found.
    """
    with pytest.raises(LedgerCorruptError):
        see(*records)


def test_a_store_is_verified_with_its_links(lane):
    """
    `verify` looks at the links of records in the log and of those that wait.
    """
    write_request(lane, ["released"])
    sequencer(lane.store).run()
    verify(lane.store, origin=ORIGIN)
    lane.commit([Submission([ruling(uid(), repeats=uid())])])
    with pytest.raises(LedgerCorruptError, match="the decision that it follows"):
        verify(lane.store, origin=ORIGIN)
