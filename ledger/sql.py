"""Statements that every store in SQL asks in the same words; all names in them are constants of the ledger."""

from collections.abc import Callable, Iterable
from itertools import groupby
from operator import itemgetter
from typing import Final

from ledger.query import PERIODS, PROJECTED, Filter, search

ENTRY: Final = ("lane", "epoch", "seq", *PROJECTED)
"""Columns of `entries` after the index itself, which `StoredRow` has by name."""

NEWEST: Final = "SELECT lane, epoch, max(next) - 1 FROM runs GROUP BY lane, epoch ORDER BY lane, epoch"
"""The newest record of each lane, as SQL."""


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
