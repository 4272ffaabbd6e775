"""What reviewers say of content that was set aside, and for whom."""

from typing import Annotated, Literal

from pydantic import Field

from gateway.model.base import Model, Name, person_of
from gateway.model.pseudonyms import keyed_digest
from gateway.model.request import Subject

Verdict = Literal["released", "denied", "validated"]
"""It passes although it looks like instructions; it never passes; it is what it says, so that policy may trust it."""


class ReviewScope(Model):
    """For whom reviewers spoke."""

    agent: str
    purpose: str
    source_id: str | None


class ReviewAct(Model):
    """What one officer said."""

    verdict: Verdict
    officer: Name
    person: str | None = None
    """What the officer is compared by; null in acts of earlier versions, which kept the name alone."""

    reason: Annotated[str, Field(min_length=10, max_length=500)]
    at: str
    expires: str
    """Until when a release or a validation holds."""

    def is_of(self, officer: Subject) -> bool:
        """Whether this officer said it."""
        if self.person is None:
            return person_of(self.officer) in {officer.person, person_of(officer.sub)}
        return self.person == officer.person


def quarantine_id(digest: str, scope: ReviewScope) -> str:
    """The id of content that was set aside: the same content for the same agent, purpose and source has the same one."""
    return f"REV-{keyed_digest(bytes.fromhex(digest), scope.model_dump_json())[:16]}"
