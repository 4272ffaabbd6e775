"""Questions an auditor asks of the ledger."""

from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field

from ledger.record import Instant, Name, Record

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

    tenant: Name | None = None
    kind: Name | None = None
    decision_id: Name | None = None
    trace_id: Name | None = None
    request_id: Name | None = None
    pack_id: Name | None = None
    item_id: Name | None = None
    source_id: Name | None = None
    subject: Name | None = None
    agent: Name | None = None
    purpose: Name | None = None
    outcome: Name | None = None
    policy_revision: Name | None = None
    code: Name | None = None
    since: Instant | None = None
    until: Instant | None = None
    after: Annotated[int, Field(ge=0)] = 0
    """Cursor: the position of the last record of the page before."""

    limit: Annotated[int, Field(ge=1, le=1000)] = 100

    def equalities(self) -> dict[str, str]:
        """The conditions that compare one column with one value."""
        given = self.model_dump(exclude_none=True, exclude={"code", "since", "until", "after", "limit"})
        return {name: str(value) for name, value in given.items()}


class Page(BaseModel):
    """Some of the answer, and where to go on."""

    model_config = ConfigDict(frozen=True)

    records: tuple[bytes, ...]
    """The exact bytes of each record, so that it can be checked against a proof."""

    next: int | None
    """Cursor of the next page; None after the last."""

    @classmethod
    def of(cls, rows: list[tuple[int, bytes]], limit: int) -> Self:
        """Cut rows that were asked for with one more than the limit."""
        page = rows[:limit]
        return cls(
            records=tuple(body for _, body in page),
            next=page[-1][0] if len(rows) > limit else None,
        )


def project(record: Record) -> dict[str, str | None]:
    """The index columns of a record, in the order of `PROJECTED`."""
    return {
        "kind": record.kind,
        "decision_id": record.decision_id,
        "trace_id": record.trace_id,
        "request_id": record.request_id,
        "tenant": record.tenant,
        "subject": record.subject,
        "agent": record.agent,
        "purpose": record.purpose,
        "item_id": record.item.id if record.item else None,
        "source_id": record.source.id if record.source else None,
        "outcome": record.outcome,
        "policy_revision": record.policy.revision if record.policy else None,
        "pack_id": record.pack.id if record.pack else None,
        "at": record.at,
    }
