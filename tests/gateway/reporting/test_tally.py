"""What happened, counted record by record."""

import json
import random

from collections import Counter

import pytest

from gateway.reporting import tally as counted_by
from gateway.reporting.evidence import LogEntry
from gateway.reporting.tally import OTHERS, Capped, Tally
from ledger.record import FindingCount
from tests.support.reports import decided, drafted, item

KINDS = (
    "item.ruled",
    "request.opened",
    "item.dropped",
    "token.revealed",
    "citation.verified",
    "ledger.read",
    "exception.used",
)
OUTCOMES = ("released", "redacted", "quarantined", "denied")


def taken(*drafts):
    """A tally over drafts, as if they were records of one lane."""
    tally = Tally()
    for place, draft in enumerate(drafts):
        record = json.loads(draft.model_dump_json()) | {"lane": {"id": "replica", "epoch": 1, "seq": place}}
        tally.take(LogEntry(place, b"", record))
    return tally


def some(seed, count):
    """Records of many kinds, drawn."""
    draw = random.Random(seed)
    for place in range(count):
        kind = draw.choice(KINDS)
        outcome = draw.choice(OUTCOMES) if kind in {"item.ruled", "token.revealed", "citation.verified"} else None
        outcome = draw.choice(["denied", None]) if kind == "request.opened" else outcome
        yield drafted(
            kind,
            place,
            agent=draw.choice(["RISK", "KYC", None]),
            outcome=outcome,
            codes=tuple(sorted(draw.sample(["JUR-001", "INJ-003", "FRS-002"], draw.randint(0, 3)))),
            exceptions=tuple(draw.sample(["EXC-2026-001", "EXC-2026-002"], draw.randint(0, 2))),
            findings=(FindingCount(type="pii:NRIC", count=1),) if draw.random() < 0.5 else (),
            policy=decided(draw.choice(["sha256:a", "sha256:b"])),
            at=f"2026-03-01T09:{draw.randint(0, 59):02d}:00.000000Z",
        )


@pytest.mark.parametrize("seed", range(5))
def test_figures_counted_another_way(seed):
    """
    Each figure is the one that somebody gets who has all records in a list.
    """
    drafts = list(some(seed, 300))
    tally = taken(*drafts)
    ruled = [one for one in drafts if one.kind == "item.ruled"]
    assert Counter(one.kind for one in drafts) == {key[0]: count for key, count in tally.kinds.items()}
    assert Counter((one.agent or "—", one.purpose, one.outcome) for one in ruled) == tally.rulings
    withheld = [one for one in ruled if one.outcome in {"denied", "quarantined"}]
    assert Counter((code, one.outcome) for one in withheld for code in one.codes) == tally.refusals
    used = Counter(name for one in drafts if one.kind == "exception.used" for name in one.exceptions)
    assert used == {key[0]: count for key, count in tally.exceptions.items()}
    revealed = [one for one in drafts if one.kind == "token.revealed"]
    assert Counter(("pii:NRIC" if one.findings else "—", one.outcome) for one in revealed) == tally.detokenised
    for revision in ("sha256:a", "sha256:b"):
        times = [one.at for one in ruled if one.policy.revision == revision]
        told = tally.revisions[revision]
        assert (told.rulings, told.first, told.last) == (len(times), min(times), max(times))


def test_what_grows_is_cut(monkeypatch):
    """
    Somebody who brings new names without end makes no counter larger than its limit, and no count wrong.
    """
    monkeypatch.setattr(counted_by, "MOST_KEYS", 10)
    counter = Capped()
    for place in range(1000):
        counter.add(f"name-{place}", "x")
        counter.add("name-3", "x")
    assert len(counter) == 11
    assert counter.total() == 2000
    assert counter["name-3", "x"] == 1001
    assert counter[OTHERS, ""] == 989 + 1


def test_listed_records_are_cut():
    """
    Of acts that are listed the newest stay, and how many there were is known.
    """
    tally = taken(*(drafted("quarantine.reviewed", place, exceptions=(f"q-{place}",)) for place in range(600)))
    assert tally.reviews.total == 600
    assert len(tally.reviews.rows) == 500
    assert tally.reviews.rows[-1]["exceptions"] == ["q-599"]


def test_the_longest_silences():
    """
    The longest times between two records stand there, by their times and whatever the order of the log.
    """
    times = ["09:00:00", "09:01:00", "12:00:00", "11:00:00", "12:00:30"]
    tally = taken(*(drafted("item.ruled", n, at=f"2026-03-01T{at}.000000Z") for n, at in enumerate(times)))
    assert [(one.seconds, one.since[11:16], one.until[11:16]) for one in sorted(tally.silences, reverse=True)] == [
        (10740.0, "09:01", "12:00"), (60.0, "09:00", "09:01"), (30.0, "12:00", "12:00"),
    ]  # fmt: skip
    many = taken(*(drafted("item.ruled", n, at=f"2026-03-01T09:{n:02d}:00.000000Z") for n in range(60)))
    assert len(many.silences) == 10


def starts(*told):
    """A tally over the lanes of one replica: epoch and kind of each record."""
    tally = Tally()
    for place, (epoch, kind) in enumerate(told):
        record = json.loads(drafted(kind, place).model_dump_json()) | {"lane": {"id": "replica", "epoch": epoch}}
        tally.take(LogEntry(place, b"", record))
    return tally


@pytest.mark.parametrize(
    ("told", "torn"),
    [
        ([(1, "lane.opened"), (1, "item.ruled"), (1, "lane.closed"), (2, "lane.opened")], []),
        ([(1, "lane.opened"), (1, "item.ruled"), (2, "lane.opened")], [1]),
        ([(1, "lane.opened"), (2, "ledger.read"), (3, "lane.opened"), (4, "lane.opened")], [1, 3]),
        ([(1, "item.ruled"), (2, "lane.opened")], []),
        ([(1, "lane.opened")], []),
    ],
)
def test_starts_that_ended_torn(told, torn):
    """
    A start after which another one came, and of which no end is on record, is told; one that goes on is not.
    """
    assert [one["epoch"] for one in starts(*told).lanes.torn.rows] == torn


def test_erasures_and_their_certificates():
    """
    An erasure is told with its certificate, if there is one.
    """
    tally = taken(
        drafted("erasure", 1, item=item("token-7")),
        drafted("erasure", 2, item=item("token-8")),
        drafted("erasure.certified", 3, item=item("token-7")),
    )
    assert [one["item"]["id"] for one in tally.erasures.rows] == ["token-7", "token-8"]
    assert list(tally.certified) == ["token-7"]


def test_one_alone():
    """
    A bundle that one person changed alone is counted.
    """
    tally = taken(
        drafted("bundle.activated", 1, tenant="-", codes=("BREAK-GLASS", "ROLLED-BACK"), policy=decided()),
        drafted("bundle.activated", 2, tenant="-", codes=("ACTIVATED",), policy=decided()),
    )
    assert (tally.broke_glass, tally.governing.total) == (1, 2)
