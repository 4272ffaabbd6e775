"""A governed exception, as a line of `context/exceptions/data.yaml` says it."""

from typing import Annotated

from pydantic import Field

from gateway.model.base import Model, Name
from gateway.policy.vetting.dates import DayOrTime


class Scope(Model):
    """For which agent, purpose and source."""

    agent: Name
    purpose: Name
    source_id: Name


class Exemption(Model):
    """One governed exception."""

    id: Annotated[str, Field(pattern=r"^EXC-\d{4}-\d{3}$")]
    owner: Name
    reason: Annotated[str, Field(min_length=10, max_length=500)]
    codes: Annotated[tuple[Name, ...], Field(min_length=1)]
    scope: Scope
    expires: DayOrTime
    rollback_trigger: Annotated[str, Field(min_length=5, max_length=500)]
