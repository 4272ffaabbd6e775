"""What reviewers say of content that was set aside, and for whom."""

from typing import Annotated, Literal

from pydantic import Field

from gateway.model.base import Model, Name
from gateway.model.pseudonyms import keyed_digest


class ReviewScope(Model):
    """For whom reviewers spoke."""

    agent: str
    purpose: str
    source_id: str | None


class ReviewAct(Model):
    """What one officer said."""

    verdict: Literal["released", "denied"]
    officer: Name
    reason: Annotated[str, Field(min_length=10, max_length=500)]
    at: str
    expires: str
    """Until when a release holds."""


def quarantine_id(digest: str, scope: ReviewScope) -> str:
    """The id of content that was set aside: the same content for the same agent, purpose and source has the same one."""
    return f"REV-{keyed_digest(bytes.fromhex(digest), scope.model_dump_json())[:16]}"
