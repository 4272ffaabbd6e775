"""
What happened in a time, counted record by record.

Rules held here: the records of a time are gone through once and none is kept, so that memory grows with what there is to tell
apart (agents, purposes, codes, revisions, lanes) and not with how much happened; whatever could grow with it all the same is cut
at a number that is told.
"""

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from heapq import heappush, heappushpop
from typing import Any, Final

from gateway.audit.queries import GOVERNING
from gateway.policy.store import BREAK_GLASS
from gateway.reporting.document import LISTED
from gateway.reporting.evidence import LogEntry

MOST_KEYS: Final = 2_000
"""Different things that one counter tells apart; more are counted together."""

OTHERS: Final = "(others)"

REFUSING: Final = frozenset({"denied", "quarantined"})
"""Outcomes that a rule stands behind."""

_SILENCES: Final = 10
_NONE: Final = "—"


class Capped(Counter[tuple[str, ...]]):
    """A counter that does not grow without end."""

    def add(self, *key: str | None) -> None:
        """Count one more of this."""
        named = tuple(part or _NONE for part in key)
        if named not in self and len(self) >= MOST_KEYS:
            named = (OTHERS, *([""] * (len(named) - 1)))
        self[named] += 1


@dataclass(slots=True)
class ListedRecords:
    """The newest of some records, and how many there were."""

    rows: deque[Mapping[str, Any]] = field(default_factory=lambda: deque(maxlen=LISTED))
    total: int = 0

    def add(self, record: Mapping[str, Any]) -> None:
        """One more."""
        self.rows.append(record)
        self.total += 1


@dataclass(slots=True)
class Silence:
    """A time without any record."""

    seconds: float
    since: str
    until: str

    def __lt__(self, other: "Silence") -> bool:
        return (self.seconds, self.since) < (other.seconds, other.since)


@dataclass(slots=True)
class Lanes:
    """Which starts of a process ended without a record that says so."""

    open: dict[tuple[str, int], str] = field(default_factory=dict)
    """When each start that is not over was last heard of, where its beginning is on record in this time."""

    torn: ListedRecords = field(default_factory=ListedRecords)

    def take(self, record: Mapping[str, Any]) -> None:
        """One more record of any kind."""
        replica, epoch = record["lane"]["id"], record["lane"]["epoch"]
        if record["kind"] == "lane.closed":
            self.open.pop((replica, epoch), None)
        elif record["kind"] == "lane.opened" and not record["codes"]:
            for known in [one for one in self.open if one[0] == replica and one[1] < epoch]:
                self.torn.add({"replica": replica, "epoch": known[1], "last": self.open.pop(known)})
            self.open[replica, epoch] = record["at"]
        elif (replica, epoch) in self.open:
            self.open[replica, epoch] = record["at"]


@dataclass(slots=True)
class BundleUse:
    """What a bundle decided."""

    rulings: int = 0
    first: str = ""
    last: str = ""

    def take(self, at: str) -> None:
        """One more ruling."""
        self.rulings += 1
        self.first = min(self.first or at, at)
        self.last = max(self.last, at)


@dataclass(slots=True)
class Tally:
    """All that was counted."""

    records: int = 0
    first: LogEntry | None = None
    last: LogEntry | None = None
    kinds: Capped = field(default_factory=Capped)
    rulings: Capped = field(default_factory=Capped)
    """By agent, purpose and outcome."""

    refusals: Capped = field(default_factory=Capped)
    """By code and outcome."""

    refused_requests: Capped = field(default_factory=Capped)
    """By code."""

    dropped: Capped = field(default_factory=Capped)
    """By code."""

    detokenised: Capped = field(default_factory=Capped)
    """By kind of value and outcome."""

    claims: Capped = field(default_factory=Capped)
    """By outcome."""

    readings: Capped = field(default_factory=Capped)
    """By token of the reader and what was asked by."""

    exceptions: Capped = field(default_factory=Capped)
    """By id."""

    revisions: dict[str, BundleUse] = field(default_factory=dict)
    reviews: ListedRecords = field(default_factory=ListedRecords)
    exempting: ListedRecords = field(default_factory=ListedRecords)
    """Steps of officers on exceptions on request."""

    governing: ListedRecords = field(default_factory=ListedRecords)
    broke_glass: int = 0
    """Bundles that one person alone changed."""

    accepted: ListedRecords = field(default_factory=ListedRecords)
    """Starts for which somebody accepted a state older than the pin, or unsigned runs; and keys that were replaced."""

    refused_runs: ListedRecords = field(default_factory=ListedRecords)
    erasures: ListedRecords = field(default_factory=ListedRecords)
    certified: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Records of certificates, by token."""

    lanes: Lanes = field(default_factory=Lanes)
    silences: list[Silence] = field(default_factory=list)
    """The longest times without a record, in no order."""

    _before: str | None = None

    def take(self, entry: LogEntry) -> None:
        """One more record, in the order of the log."""
        record = entry.record
        self.records += 1
        # What concerns every tenant comes after a tenant's own.
        self.first = entry if self.first is None or entry.index < self.first.index else self.first
        self.last = entry if self.last is None or entry.index > self.last.index else self.last
        self.kinds.add(record["kind"])
        self._listen(record["at"])
        self.lanes.take(record)
        if (counted := _COUNTED.get(record["kind"])) is not None:
            counted(self, record)

    def _listen(self, at: str) -> None:
        """Note the time since the record before, in the order of times: a repeat is dated at its first try."""
        if self._before is None or at > self._before:
            if self._before is not None:
                silence = Silence(_seconds(self._before, at), self._before, at)
                keep = heappushpop if len(self.silences) >= _SILENCES else heappush
                keep(self.silences, silence)
            self._before = at


def _ruled(tally: Tally, record: Mapping[str, Any]) -> None:
    tally.rulings.add(record["agent"], record["purpose"], record["outcome"])
    if record["outcome"] in REFUSING:
        for code in record["codes"]:
            tally.refusals.add(code, record["outcome"])
    if record["policy"] is not None:
        revision = record["policy"]["revision"]
        if revision in tally.revisions or len(tally.revisions) < MOST_KEYS:
            tally.revisions.setdefault(revision, BundleUse()).take(record["at"])


def _opened(tally: Tally, record: Mapping[str, Any]) -> None:
    if record["outcome"] is not None:
        for code in record["codes"] or (None,):
            tally.refused_requests.add(code)


def _dropped(tally: Tally, record: Mapping[str, Any]) -> None:
    for code in record["codes"]:
        tally.dropped.add(code)


def _revealed(tally: Tally, record: Mapping[str, Any]) -> None:
    for kind in [found["type"] for found in record["findings"]] or [None]:
        tally.detokenised.add(kind, record["outcome"])


def _verified(tally: Tally, record: Mapping[str, Any]) -> None:
    tally.claims.add(record["outcome"])


def _read(tally: Tally, record: Mapping[str, Any]) -> None:
    tally.readings.add(record["subject"], " ".join(record["codes"]))


def _used(tally: Tally, record: Mapping[str, Any]) -> None:
    for name in record["exceptions"]:
        tally.exceptions.add(name)


def _lane(tally: Tally, record: Mapping[str, Any]) -> None:
    if record["codes"]:
        tally.accepted.add(record)


def _certified(tally: Tally, record: Mapping[str, Any]) -> None:
    if len(tally.certified) < MOST_KEYS and record["item"] is not None:
        tally.certified[record["item"]["id"]] = record


def _governed(tally: Tally, record: Mapping[str, Any]) -> None:
    tally.governing.add(record)
    tally.broke_glass += BREAK_GLASS in record["codes"]


def _seconds(since: str, until: str) -> float:
    try:
        return (datetime.fromisoformat(until) - datetime.fromisoformat(since)) / timedelta(seconds=1)
    except ValueError:
        return 0.0


_COUNTED: Final[dict[str, Callable[[Tally, Mapping[str, Any]], None]]] = {
    "item.ruled": _ruled,
    "request.opened": _opened,
    "item.dropped": _dropped,
    "token.revealed": _revealed,
    "citation.verified": _verified,
    "ledger.read": _read,
    "exception.used": _used,
    "lane.opened": _lane,
    "erasure.certified": _certified,
    "key.rotated": lambda tally, record: tally.accepted.add(record),
    "quarantine.reviewed": lambda tally, record: tally.reviews.add(record),
    "exception.reviewed": lambda tally, record: tally.exempting.add(record),
    "record.refused": lambda tally, record: tally.refused_runs.add(record),
    "erasure": lambda tally, record: tally.erasures.add(record),
    **dict.fromkeys(GOVERNING, _governed),
}
