"""
Where a period has gaps: times without a record or without a quorum of witnesses, runs that were refused, starts that ended torn.

A gap is no proof that something is missing, and no gap is no proof that nothing is: that is what the verifier says.  These are the
places where an examiner asks first.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from heapq import merge, nlargest
from itertools import groupby, islice, pairwise
from typing import Final

from gateway.model.base import utc_text
from gateway.reporting.document import Block, FactList, Prose, Table, TableCell, facts, table
from gateway.reporting.evidence import Material
from gateway.reporting.span import Span
from gateway.reporting.tally import Tally
from ledger.errors import NoteInvalidError
from ledger.store import Published
from ledger.tlog.checkpoint import read_checkpoint
from ledger.tlog.note import open_note

MOST_CHECKPOINTS: Final = 20_000
"""Checkpoints of one period that are looked at; one is kept of each hour, and of each 65,536 entries."""

_LONGEST: Final = 10


@dataclass(slots=True)
class Cosigning:
    """What witnesses did in a period, by the checkpoints that are kept of it."""

    kept: int = 0
    cut: bool = False
    without: list[Published] = field(default_factory=list)
    """Those without a quorum."""

    stamps: list[datetime] = field(default_factory=list)
    """Since when there was a quorum, for each that has one."""


def gaps(material: Material, tally: Tally, span: Span) -> Iterator[Block]:
    """What the chapter on gaps says."""
    cosigning = _cosigning(material, span)
    asked = material.quorum(set()) is not None
    yield _counts(tally, cosigning, asked=asked)
    yield _silences(tally)
    columns = {"where": "Lane, epoch and records", "codes": "Why", "at": "At", "decision_id": "Record"}
    runs = (
        ((one["item"] or {}).get("id"), tuple(one["codes"]), one["at"], one["decision_id"])
        for one in tally.refused_runs.rows
    )
    yield table("refused_runs", "Runs that were refused", columns, runs, total=tally.refused_runs.total)
    starts = ((one["replica"], one["epoch"], one["last"]) for one in tally.lanes.torn.rows)
    columns = {"replica": "Replica", "epoch": "Start", "last": "Last heard of"}
    yield table("torn", "Starts that ended without a record of it", columns, starts, total=tally.lanes.torn.total)
    if asked:
        yield from _without_quorum(cosigning)


def _counts(tally: Tally, cosigning: Cosigning, *, asked: bool) -> FactList:
    return facts(
        "gaps",
        ("refused_runs", "Runs refused", tally.refused_runs.total),
        ("torn", "Starts that ended without a record of it", tally.lanes.torn.total),
        ("checkpoints", "Checkpoints kept of the period", cosigning.kept),
        ("without_quorum", "Of them without a quorum of witnesses", len(cosigning.without) if asked else None),
        ("quorum_asked", "A trust policy asks for witnesses", asked),
        ("cut", "More checkpoints than were looked at", cosigning.cut),
    )


def _silences(tally: Tally) -> Table:
    longest = sorted(tally.silences, reverse=True)
    columns = {"since": "From", "until": "To", "length": "Length"}
    rows = ((one.since, one.until, str(timedelta(seconds=one.seconds))) for one in longest)
    return table("silences", "Longest times without a record", columns, rows)


def _without_quorum(cosigning: Cosigning) -> Iterator[Block]:
    columns: dict[str, str] = {"size": "Entries", "at": "Published"}
    rows: Iterator[tuple[TableCell, ...]] = ((one.size, one.at) for one in cosigning.without)
    yield Prose("A later quorum over a larger tree vouches for these entries too; what counts is how long that took.")
    yield table("uncosigned", "Checkpoints without a quorum of witnesses", columns, rows)
    times = nlargest(_LONGEST, pairwise(sorted(cosigning.stamps)), key=lambda pair: pair[1] - pair[0])
    columns = {"since": "From", "until": "To", "length": "Length"}
    waits = ((utc_text(one), utc_text(other), str(other - one)) for one, other in times)
    yield table("unwitnessed", "Longest times between two quorums", columns, waits)


def _cosigning(material: Material, span: Span) -> Cosigning:
    found = Cosigning()
    every = merge(material.store.checkpoints(), material.store.newest(), key=lambda published: published.size)
    inside = (one for one in every if span.since <= one.at < span.until)
    # A tree is published anew with each cosignature that comes in; it has a quorum if one of these has.
    looked_at = islice(inside, MOST_CHECKPOINTS)
    for _, same in groupby(looked_at, key=lambda published: published.size):
        notes = list(same)
        found.kept += 1
        since = min(filter(None, (_quorum_since(material, one) for one in notes)), default=None)
        if since is None:
            found.without.append(notes[-1])
        else:
            found.stamps.append(since)
    found.cut = next(inside, None) is not None
    return found


def _quorum_since(material: Material, published: Published) -> datetime | None:
    """Since when enough witnesses vouch for a checkpoint; None where they do not, or it is no checkpoint."""
    if material.trust is None:
        return None
    try:
        read_checkpoint(published.note)
        since = material.trust.since(open_note(published.note, material.witnesses).stamps)
        return None if since is None else datetime.fromtimestamp(since, UTC)
    except (NoteInvalidError, ValueError, OverflowError, OSError):
        return None
