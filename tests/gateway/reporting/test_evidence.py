"""What reports are made from: one checkpoint, records in pages, bundles that may not be here."""

import shlex

from dataclasses import replace

import pytest

from gateway.errors import NotFoundError
from gateway.reporting.document import Chapter, Report, as_document
from gateway.reporting.evidence import quoted
from ledger.errors import LedgerError
from ledger.query import Filter
from tests.support.reports import BUNDLE, drafted, item, material, write_pack
from tests.support.strategies import sequencer, write
from tests.support.witnessing import grown


def test_one_checkpoint_for_all_of_a_report(log):
    """
    A log that grows while a report is made changes nothing in it: all its proofs lead to one checkpoint.
    """
    first = grown(log)
    stuff = material(log[0])
    assert stuff.published == first
    grown(log)
    entries = list(stuff.entries(Filter()))
    assert [stuff.status(one).size for one in entries[:3]] == [first.size] * 3
    late = stuff.status(entries[-1])
    assert (late.index, late.holds) == (None, False)
    assert str(late) == "durable, not under a checkpoint yet"


def test_records_come_in_pages(log):
    """
    More records than a page holds come all, once, in the order of the log.
    """
    store, lane = log
    names = [f"item-{place}" for place in range(1100)]
    write(lane, *(drafted("item.ruled", place, item=item(name)) for place, name in enumerate(names)))
    sequencer(store).run()
    entries = list(material(store).entries(Filter(kind="item.ruled")))
    assert [one.record["item"]["id"] for one in entries] == names


def test_a_record_that_was_changed_is_not_told(log):
    """
    Whoever changed a record in the store gets no report of it: its proof does not hold, or it is no record.
    """
    store, lane = log
    write_pack(lane)
    sequencer(store).run()
    store._connection.executescript(
        "DROP TRIGGER records_no_UPDATE; UPDATE records SET body = replace(CAST(body AS TEXT), '\"denied\"', '\"released\"')"
    )
    stuff = material(store)
    try:
        statuses = {str(stuff.status(one)) for one in stuff.entries(Filter(kind="item.ruled"))}
    except LedgerError:
        return
    assert "NOT PROVED: the proof does not lead to the signed checkpoint" in statuses


def test_a_bundle_that_is_gone_or_damaged(log):
    """
    A bundle that is not kept, or cannot be read, is told as not being here; the one that decides is at hand.
    """
    stuff = material(log[0])
    assert stuff.bundle(BUNDLE.revision) is BUNDLE
    assert stuff.bundle("sha256:gone") is None
    with pytest.raises(NotFoundError):
        stuff.kept("sha256:gone")


def test_a_log_that_nobody_signed(log):
    """
    Without a checkpoint, or under keys that did not sign it, that is said.
    """
    for stuff in (material(log[0]), replace(material(log[0]), keys=())):
        document = as_document(Report("x", "x", "", (), (Chapter("x", stuff.log()),)))
        assert (document["log"]["signed"], document["log"]["size"], document["checkpoint"]) == (False, None, [])


@pytest.mark.parametrize("name", ["a b", "$(rm -rf /)", "`id`", "a'b", "; id", "a\nb", "-rf"])
def test_names_in_commands(name):
    """
    A name in a command that somebody pastes is one word, and never a command of its own.
    """
    assert len(shlex.split(f"echo {quoted(name)}")) == 2
    assert "\n" not in quoted(name)
