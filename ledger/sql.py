"""Statements that every store in SQL asks in the same words; all names in them are constants of the ledger."""

from collections.abc import Callable, Iterable
from itertools import groupby
from operator import itemgetter
from typing import Final

from ledger.checkpoints.kept import LOOKED_AT
from ledger.query import PERIODS, PROJECTED, Filter, search

ENTRY: Final = ("lane", "epoch", "seq", *PROJECTED)
"""Columns of `entries` after the index itself, which `StoredRow` has by name."""

NEWEST: Final = "SELECT lane, epoch, max(next) - 1 FROM runs GROUP BY lane, epoch ORDER BY lane, epoch"
"""The newest record of each lane, as SQL."""

PUBLISHED: Final = """
SELECT size, at, note FROM (
    SELECT size, place, at, note FROM newest
    UNION ALL
    SELECT size, 0, at, note FROM (SELECT size, at, note FROM checkpoints ORDER BY size DESC, place DESC LIMIT 1) AS kept
) AS known ORDER BY size DESC, place DESC LIMIT 1
"""
"""The newest checkpoint of the largest size, also where it is from before any but a few were kept."""

NEWEST_CHECKPOINTS: Final = "SELECT size, at, note FROM newest ORDER BY size, place"
"""The newest with each number of cosignatures, as SQL."""

KEPT_LAST: Final = f"SELECT size, at, note FROM checkpoints ORDER BY place DESC LIMIT {LOOKED_AT}"  # noqa: S608 - constant


def kept_after(placeholder: Callable[[int], str]) -> str:
    """Checkpoints that are kept for good, after a size and a place, in the order of both, as SQL."""
    size, place, limit = map(placeholder, (1, 2, 3))
    after = f"(size, place) > ({size}, {place})"
    return f"SELECT size, place, at, note FROM checkpoints WHERE {after} ORDER BY size, place LIMIT {limit}"  # noqa: S608 - marks


BEFORE_ALL: Final = ("", -(2**62), -(2**62))
"""Lane, epoch and number before those of any row."""


def runs_after(placeholder: Callable[[int], str]) -> str:
    """What each transaction wrote, after a lane, an epoch and a first number, in the order of these, as SQL."""
    lane, epoch, first, limit = map(placeholder, (1, 2, 3, 4))
    after = f"(lane, epoch, first) > ({lane}, {epoch}, {first})"
    return f"SELECT lane, epoch, first, next FROM runs WHERE {after} ORDER BY lane, epoch, first LIMIT {limit}"  # noqa: S608 - marks


def ranges_after(placeholder: Callable[[int], str]) -> str:
    """What each step put into the log, after a first index, a lane, an epoch and a first number, in the order of these, as SQL."""
    start, lane, epoch, first, limit = map(placeholder, (1, 2, 3, 4, 5))
    after, by = f"({start}, {lane}, {epoch}, {first})", "start, lane, epoch, first"
    return f"SELECT lane, epoch, first, next, start FROM ranges WHERE ({by}) > {after} ORDER BY {by} LIMIT {limit}"  # noqa: S608 - marks


def keep(placeholder: Callable[[int], str]) -> str:
    """Keep a checkpoint of a size, a time and a note for good, as SQL."""
    return f"INSERT INTO checkpoints (size, at, note) VALUES ({', '.join(map(placeholder, (1, 2, 3)))})"  # noqa: S608 - marks


def renew(placeholder: Callable[[int], str]) -> str:
    """Put a checkpoint in the place of the one with as many cosignatures, unless that is of a larger tree, as SQL."""
    values = ", ".join(map(placeholder, (1, 2, 3, 4)))
    return (
        f"INSERT INTO newest (cosigned, size, at, note, place) SELECT {values}, coalesce(max(place), 0) + 1 FROM newest"  # noqa: S608 - marks
        " WHERE true ON CONFLICT (cosigned) DO UPDATE SET size = excluded.size, at = excluded.at, note = excluded.note,"
        " place = excluded.place WHERE newest.size <= excluded.size"
    )


def count_by(
    wanted: Filter, by: str, period: str | None, placeholder: Callable[[int], str]
) -> tuple[str, list[object]]:
    """
    How many entries have each value, as SQL that answers with rows of `Series`, and its values.

    Args:
        wanted: which entries.
        by: one of `COUNTED`.
        period: one of `PERIODS`; None to count all time as one.
        placeholder: the placeholder of the n-th value, counted from 1.
    """
    source, values = search(wanted, placeholder)
    counted = f"e.{by}"
    if by == "code":
        # As `k` and beside the `c` of `search`: who asks for one code is still told what else was said of the same entries.
        counted, source = "k.code", source.replace("entries e", "entries e JOIN codes k ON k.idx = e.idx", 1)
    when = f"substr(e.at, 1, {PERIODS[period]})" if period else "NULL"
    return f"SELECT {counted}, {when}, count(*) FROM {source} GROUP BY 1, 2 ORDER BY 2, 1", values  # noqa: S608 - constant


def codes_between(placeholder: Callable[[int], str]) -> str:
    """The codes of the entries from one index up to and with another, as SQL; its rows go to `codes_by_index`."""
    return f"SELECT idx, code FROM codes WHERE idx >= {placeholder(1)} AND idx <= {placeholder(2)} ORDER BY idx, code"  # noqa: S608 - marks


def codes_by_index(rows: Iterable[tuple[int, str]]) -> dict[int, tuple[str, ...]]:
    """The codes of each entry that has any, in their order."""
    return {index: tuple(code for _, code in group) for index, group in groupby(rows, key=itemgetter(0))}
