"""What reviewers say of content that was set aside."""

from typing import Annotated, Literal

from pydantic import Field

from gateway.model.base import Model, Name


class ReviewAct(Model):
    """What one officer said."""

    verdict: Literal["released", "denied"]
    officer: Name
    reason: Annotated[str, Field(min_length=10, max_length=500)]
    at: str
    expires: str
    """Until when a release holds."""
