"""Questions an auditor asks of the ledger."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict, Field

from ledger.record import RecordName, RecordTime

PROJECTED = (
    "kind",
    "decision_id",
    "trace_id",
    "request_id",
    "tenant",
    "subject",
    "agent",
    "purpose",
    "item_id",
    "source_id",
    "outcome",
    "policy_revision",
    "pack_id",
    "at",
)
"""Columns a store keeps beside the bytes to find them by.  The verifier recomputes each."""


class Filter(BaseModel):
    """What is wanted; conditions that are not given do not narrow.  Times are UTC, half-open."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tenant: RecordName | None = None
    kind: RecordName | None = None
    kinds: tuple[RecordName, ...] | None = None
    """One of these, where there is more than one."""

    decision_id: RecordName | None = None
    trace_id: RecordName | None = None
    request_id: RecordName | None = None
    pack_id: RecordName | None = None
    item_id: RecordName | None = None
    source_id: RecordName | None = None
    subject: RecordName | None = None
    agent: RecordName | None = None
    purpose: RecordName | None = None
    outcome: RecordName | None = None
    policy_revision: RecordName | None = None
    code: RecordName | None = None
    since: RecordTime | None = None
    until: RecordTime | None = None
    keyed: tuple[RecordName, ...] = ()
    """What records may have in the place of the item id or source id that is asked for; either is found."""

    after: Annotated[int, Field(ge=0, lt=2**53)] = 0
    """Cursor: how many entries of the log are passed over."""

    limit: Annotated[int, Field(ge=1, le=1000)] = 100

    def equalities(self) -> dict[str, str]:
        """The conditions that compare one column with one value."""
        given = self.model_dump(
            exclude_none=True, exclude={"kinds", "keyed", "code", "since", "until", "after", "limit"}
        )
        return {name: str(value) for name, value in given.items()}


class Page(BaseModel):
    """Some of the answer, and where to go on."""

    model_config = ConfigDict(frozen=True)

    records: tuple[bytes, ...]
    """The exact bytes of each record, so that it can be checked against a proof."""

    indexes: tuple[int, ...]
    """Where each stands in the log."""

    next: int | None
    """Cursor of the next page; None after the last."""

    @classmethod
    def of(cls, rows: list[tuple[int, bytes]], limit: int) -> Self:
        """Cut rows that were asked for with one more than the limit."""
        page = rows[:limit]
        return cls(
            records=tuple(body for _, body in page),
            indexes=tuple(index for index, _ in page),
            next=page[-1][0] + 1 if len(rows) > limit else None,
        )


@dataclass(frozen=True, slots=True)
class Series:
    """How many entries have a value, in a period where that was asked for."""

    value: str | None
    period: str | None
    count: int


COUNTED: Final = ("kind", "tenant", "agent", "purpose", "source_id", "outcome", "policy_revision", "code")
"""What entries may be counted by."""

PERIODS: Final = {"month": 7, "day": 10, "hour": 13, "minute": 16}
"""How many characters of an instant name each period."""


_NARROW: Final = {"decision_id", "trace_id", "request_id", "subject", "item_id", "pack_id"}
"""Columns that few entries share a value of: with one of these a code is looked up for each entry, not the other way."""


_KEYED: Final = ("item_id", "source_id")
"""Columns that may hold a keyed name in the place of what is asked for."""


def search(wanted: Filter, placeholder: Callable[[int], str]) -> tuple[str, list[object]]:
    """
    A filter as SQL: what follows FROM, with the entries as `e`, and its values.

    Args:
        wanted: the filter.
        placeholder: the placeholder of the n-th value, counted from 1.

    All names in it are constants of this module.
    """
    equal = wanted.equalities()
    given: list[tuple[str, object]] = [("e.idx >= {}", wanted.after)]
    either = {column for column in _KEYED if wanted.keyed and column in equal}
    given += [(f"e.{column} = {{}}", value) for column, value in equal.items() if column not in either]
    given += [(text, at) for text, at in (("e.at >= {}", wanted.since), ("e.at < {}", wanted.until)) if at]
    source = "entries e"
    if wanted.code is not None and _NARROW & equal.keys():
        given.append(("EXISTS (SELECT 1 FROM codes c WHERE c.code = {} AND c.idx = e.idx)", wanted.code))
    elif wanted.code is not None:
        source = "codes c CROSS JOIN entries e"
        # The cursor once more, on the table that is walked, or every page would walk it from its start.
        given += [("c.idx = e.idx AND c.code = {}", wanted.code), ("c.idx >= {}", wanted.after)]
    texts = [text.format(placeholder(position)) for position, (text, _) in enumerate(given, 1)]
    values = [value for _, value in given]
    if wanted.kinds is not None:
        places = [placeholder(position) for position, _ in enumerate(wanted.kinds, len(values) + 1)]
        # Of no kinds there are no entries.
        texts.append(f"e.kind IN ({', '.join(places) or 'NULL'})")
        values += wanted.kinds
    for column in sorted(either):
        names = (equal[column], *wanted.keyed)
        places = [placeholder(position) for position, _ in enumerate(names, len(values) + 1)]
        texts.append(f"e.{column} IN ({', '.join(places)})")
        values += names
    return f"{source} WHERE {' AND '.join(texts)}", values


def order(wanted: Filter) -> str:
    """The column whose order is that of the log, in the table that `search` begins with."""
    return "e.idx" if wanted.code is None or _NARROW & wanted.equalities().keys() else "c.idx"


def project(fields: Mapping[str, Any]) -> dict[str, str | None]:
    """The index columns of a record, from its members, in the order of `PROJECTED`."""
    return {
        "kind": fields["kind"],
        "decision_id": fields["decision_id"],
        "trace_id": fields["trace_id"],
        "request_id": fields["request_id"],
        "tenant": fields["tenant"],
        "subject": fields["subject"],
        "agent": fields["agent"],
        "purpose": fields["purpose"],
        "item_id": fields["item"] and fields["item"]["id"],
        "source_id": fields["source"] and fields["source"]["id"],
        "outcome": fields["outcome"],
        "policy_revision": fields["policy"] and fields["policy"]["revision"],
        "pack_id": fields["pack"] and fields["pack"]["id"],
        "at": fields["at"],
    }
