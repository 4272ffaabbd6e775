"""Where a period has gaps."""

import pytest

from adapters.ledger.ed25519 import Ed25519Verifier
from gateway.reporting.document import Chapter, Report, as_document
from gateway.reporting.evidence import LogEntry
from gateway.reporting.gaps import gaps
from gateway.reporting.span import span_of
from gateway.reporting.tally import Tally
from ledger.record import Lane
from ledger.tlog.trust import TrustPolicy
from tests.support.reports import drafted, item, material
from tests.support.witnessing import grown, new_witness, panel, policy_of

SPAN = span_of("2000-01-01", "2100-01-01")


def told(log, policy=None, witnesses=(), tally=None):
    """The chapter as JSON."""
    stuff = material(log[0], trust=policy, witnesses=witnesses)
    return as_document(Report("x", "x", "", (), (Chapter("x", tuple(gaps(stuff, tally or Tally(), SPAN))),)))


@pytest.fixture
def three(tmp_path):
    """Three witnesses."""
    return {name: new_witness(tmp_path, f"{name}.test") for name in ("w1", "w2", "w3")}


async def test_a_time_without_a_quorum(log, three):
    """
    A checkpoint that too few witnesses cosigned is told, and one that enough of them did is not.
    """
    policy = TrustPolicy.parse(policy_of(three))
    cosigners = [Ed25519Verifier(party.key) for party in policy.witnesses.values()]
    await panel(log, policy_of(three), three).cosigned(grown(log))
    assert told(log, policy, cosigners)["gaps"]["without_quorum"] == 0
    await panel(log, policy_of(three), three, down=["w3"]).cosigned(grown(log))
    document = told(log, policy, cosigners)
    assert document["gaps"]["checkpoints"] >= 2
    sizes = {row["size"] for row in document["uncosigned"]["rows"]}
    assert log[0].published().size in sizes
    assert document["gaps"]["without_quorum"] == len(document["uncosigned"]["rows"])


def test_nobody_asks_for_witnesses(log):
    """
    Without a trust policy nothing is said of quorums, and it is said that none is asked for.
    """
    grown(log)
    document = told(log)
    assert document["gaps"]["quorum_asked"] is False
    assert document["gaps"]["without_quorum"] is None
    assert "uncosigned" not in document


def test_checkpoints_of_other_times(log):
    """
    Checkpoints that were published outside the period are not counted.
    """
    grown(log)
    stuff = material(log[0])
    past = span_of("2000-01-01", "2000-12-31")
    document = as_document(Report("x", "x", "", (), (Chapter("x", tuple(gaps(stuff, Tally(), past))),)))
    assert document["gaps"]["checkpoints"] == 0


def test_runs_that_were_refused(log):
    """
    What a lane wrote and the log refused is told, with where it stands and why.
    """
    tally = Tally()
    record = drafted("record.refused", 1, item=item("lane/3/7-9"), codes=("RUN-UNSIGNED",)).model_dump(mode="json")
    lane = Lane(id="00000000-0000-4000-8000-000000000001", epoch=3, seq=1, prev="0" * 64).model_dump()
    tally.take(LogEntry(0, b"", {**record, "lane": lane}))
    [row] = told(log, tally=tally)["refused_runs"]["rows"]
    assert (row["where"], row["codes"]) == ("lane/3/7-9", ("RUN-UNSIGNED",))
