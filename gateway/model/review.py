"""What reviewers say of content that was set aside, and for whom."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import Field

from gateway.model.base import Model, Name, RecordProof, person_of
from gateway.model.pseudonyms import keyed_digest
from gateway.model.request import Subject

Verdict = Literal["released", "denied", "validated"]
"""It passes although it looks like instructions; it never passes; it is what it says, so that policy may trust it."""

VERDICTS: Final = frozenset(one.upper() for one in get_args(Verdict))
"""Codes of the records of verdicts: the newest of them holds."""


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

    proof: RecordProof | None = None
    """The record of the act; null in acts of earlier versions, which nothing proves."""

    def is_of(self, officer: Subject) -> bool:
        """Whether this officer said it."""
        if self.person is None:
            return person_of(self.officer) in {officer.person, person_of(officer.sub)}
        return self.person == officer.person

    def is_by(self, name: str) -> bool:
        """Whether the person of that `sub` said it."""
        return person_of(name) in {self.person, person_of(self.officer)}


def nameless(act: ReviewAct, stands_for: str) -> ReviewAct:
    """What an officer said who is forgotten: a token in the place of the name, and none of the officer's words."""
    return act.model_copy(update={"officer": stands_for, "person": None, "reason": "The reason was erased."})


def said_of_review(name: str, digest: str, scope: Mapping[str, Any], verdict: str, expires: str) -> dict[str, Any]:
    """What the record of a verdict commits to: of which content, for whom, what, and until when; never whose name."""
    return {"id": name, "digest": digest, "scope": dict(scope), "verdict": verdict, "expires": expires}


def said_of_proposal(name: str, digest: str, scope: Mapping[str, Any], act: ReviewAct) -> dict[str, Any]:
    """What the record of a proposed verdict commits to: the same, and the person, who may not be the one who confirms it."""
    return {**said_of_review(name, digest, scope, act.verdict, act.expires), "person": act.person}


def quarantine_id(digest: str, scope: ReviewScope) -> str:
    """The id of content that was set aside: the same content for the same agent, purpose and source has the same one."""
    return f"REV-{keyed_digest(bytes.fromhex(digest), scope.model_dump_json())[:16]}"
