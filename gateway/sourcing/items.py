"""
From the result of a tool to an item: labelled by the bank's table, about the entity that was asked for, within bounds.

Rule held here: this is the one place where an answer of a server becomes an item, whatever it was asked over.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from pydantic import JsonValue, ValidationError

from gateway.content.parsing import check_values
from gateway.errors import (
    BodyError,
    FieldInvalidError,
    RequestTooLargeError,
    SourceForeignError,
    SourceMalformedError,
    SourceTooLargeError,
)
from gateway.model import Candidate, Case, Provenance, utc_text
from gateway.model.content import JSON_MEDIA_TYPE, content_bytes
from gateway.model.request import Fetched, RequestLimits
from gateway.policy.vetting.membership import require_item_known
from gateway.ports.sources import Result
from gateway.sourcing.plan import Planned

LIVE: Final = "live"
"""The version of what a system of record says now, where it names no other."""

BEGINNING: Final = "tool:"
"""What the id of such an item begins with, before the tool's."""


def item_of(result: Result, planned: Planned, case: Case, limits: RequestLimits) -> Candidate | None:
    """
    The item that a result is; None where it says nothing about what was asked.

    Args:
        result: what came.
        planned: which tool it is of, with which labels its results have.
        case: the request.
        limits: of one item.

    Raises:
        SourceMalformedError: a member that labels it is missing or no such label, or a value is none that an item may hold.

        SourceForeignError: it is about another entity, as a whole or in one of its rows.

        SourceTooLargeError: it is larger than an item may be.
    """
    content, name = dict(result.content), planned.tool.id
    _check(content, name, limits)
    if not content or not _about_entity(content, planned, case):
        return None
    try:
        item = Candidate(
            id=f"{BEGINNING}{name}",
            section=planned.result.section,
            content=content,
            media_type=JSON_MEDIA_TYPE,
            provenance=_labels(content, as_of_source(result, planned), planned, case),
        )
        require_item_known(item, case.vocabulary)
    except (ValidationError, FieldInvalidError) as error:
        raise SourceMalformedError(f"the result of {name} has a label that is none") from error
    return Fetched.of(item, planned.source.id)


def _check(content: Mapping[str, JsonValue], name: str, limits: RequestLimits) -> None:
    """Whether the content may be an item's: what has no canonical form could not be put on record."""
    try:
        check_values(content, limits.depth)
        size = len(content_bytes(dict(content)))
    except RequestTooLargeError as error:
        raise SourceTooLargeError(f"the result of {name} is larger than an item may be") from error
    except (BodyError, ValueError, TypeError) as error:
        raise SourceMalformedError(f"the result of {name} holds what no item may hold") from error
    if size > limits.item_bytes:
        raise SourceTooLargeError(f"the result of {name} has more than {limits.item_bytes} bytes")


def _about_entity(content: Mapping[str, JsonValue], planned: Planned, case: Case) -> bool:
    """Whether anything is said about the entity; of another one nothing may be."""
    member, name, entity = planned.result.entity_member, planned.tool.id, case.request.entity
    if member is None:
        return True
    said = list(_said(content, member, planned))
    if any(value is None for value in said):
        raise SourceMalformedError(f"the result of {name} does not say which entity it is about")
    if entity is None or any(value != entity.id for value in said):
        raise SourceForeignError(f"{planned.source.id} answered {name} with the record of another entity")
    return bool(said)


def _said(content: Mapping[str, JsonValue], member: str, planned: Planned) -> Iterator[JsonValue]:
    """Of whom the result says that it is: itself, and each of its rows."""
    if planned.result.rows is None or member in content:
        yield content.get(member)
    if planned.result.rows is None:
        return
    rows = content.get(planned.result.rows)
    if not isinstance(rows, list):
        raise SourceMalformedError(f"the result of {planned.tool.id} has no rows")
    yield from (row.get(member) if isinstance(row, dict) else None for row in rows)


def _labels(content: Mapping[str, JsonValue], fetched_at: datetime, planned: Planned, case: Case) -> Provenance:
    labels, entity = planned.result, case.request.entity
    return Provenance.model_validate(
        {
            "source_id": labels.source_id,
            "source_type": labels.source_type,
            "version": _text(content, labels.version_member) or LIVE,
            "effective_date": _text(content, labels.effective_date_member),
            "owner": labels.owner,
            # The clock of the request decides what is fresh, and what came while it was under way is of now.
            "fetched_at": utc_text(min(fetched_at, case.now)),
            "ttl_seconds": labels.ttl_seconds,
            "data_classification": _shared(content, labels.classification_member, planned)
            or labels.data_classification,
            "jurisdiction": _shared(content, labels.jurisdiction_member, planned) or labels.jurisdiction,
            "domain": case.domain,
            "entity_id": entity.id if entity and labels.entity_member else None,
        }
    )


def as_of_source(result: Result, planned: Planned) -> datetime:
    """
    When the system of record had it so: by its own word where the tool's row names one, and never later than it came.

    Raises:
        SourceMalformedError: it does not say it, or says no such moment.
    """
    member = planned.result.fetched_at_member
    if member is None or not result.content:
        return result.fetched_at
    try:
        # Without an offset it cannot be compared, which is a TypeError.
        said = min(datetime.fromisoformat(str(result.content.get(member))), result.fetched_at)
        return said.astimezone(UTC)
    except (ValueError, TypeError, OverflowError) as error:
        raise SourceMalformedError(f"the result of {planned.tool.id} does not say from when it is") from error


def _shared(content: Mapping[str, JsonValue], member: str | None, planned: Planned) -> JsonValue:
    """What a member says of the result as a whole: itself and those of its rows that name it say one thing, or it is no label."""
    rows = content.get(planned.result.rows) if planned.result.rows is not None else None
    if member is None or not isinstance(rows, list):
        return _text(content, member)
    said = [one.get(member) for one in (content, *rows) if isinstance(one, dict) and member in one]
    named = sum(isinstance(row, dict) and member in row for row in rows)
    if any(value != said[0] for value in said) or 0 < named < len(rows):
        raise SourceMalformedError(f"the rows that {planned.tool.id} gives cannot have one label")
    return said[0] if said else None


def _text(content: Mapping[str, JsonValue], member: str | None) -> JsonValue:
    """What a member says; a member that is there and says nothing says as little as one that is not."""
    return None if member is None else content.get(member)
