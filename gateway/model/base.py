"""What all models share, and the small types of the wire."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Section = Literal[
    "system",
    "user",
    "task",
    "entity",
    "knowledge",
    "prior_result",
    "few_shot",
    "memory",
    "conversation",
    "tool_result",
    "tool_schema",
    "upload",
]
"""Which part of the context an item is for."""

SourceType = Literal[
    "system_of_record",
    "bank_sop",
    "industry_standard",
    "external_official",
    "general_web",
    "agent_output",
    "reference_data",
    "user_input",
    "uploaded_document",
    "email",
    "external_loss_data",
    "third_party_api",
    "unverified_web",
    "social_media",
    "competitor_intelligence",
    "hearsay",
    "claimed_policy",
]
"""What kind of source an item comes from (blueprint 5.1 and 5.2)."""

DataClassification = Literal["PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"]
Jurisdiction = Literal["SG", "HK", "IN", "TW", "ID", "AU", "GLOBAL"]
TrustClass = Literal["TRUSTED", "UNTRUSTED"]
Outcome = Literal["released", "redacted", "quarantined", "denied", "dropped"]


class Model(BaseModel):
    """Frozen, and refuses what it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)


def _instant(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.min  # noqa: DTZ901 - refused just below
    if moment.tzinfo is None:
        msg = "must be an RFC 3339 time with an offset"
        raise ValueError(msg)
    return text


def _day(text: str) -> str:
    try:
        if date.fromisoformat(text).isoformat() == text:
            return text
    except ValueError:
        pass
    msg = "must be a date as YYYY-MM-DD"
    raise ValueError(msg)


Instant = Annotated[str, Field(max_length=40), AfterValidator(_instant)]
"""RFC 3339 time with offset."""

Day = Annotated[str, Field(max_length=10), AfterValidator(_day)]
"""Calendar day, YYYY-MM-DD."""

Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00]*$")]
"""A short identifier or label, without U+0000, which databases do not hold."""


def utc_text(moment: datetime) -> str:
    """A moment as the ledger and policy see it: UTC with microseconds and Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


Clock = Callable[[], datetime]
