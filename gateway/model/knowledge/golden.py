"""Golden sets: questions with what must be found for them, and what must not, by whoever asks."""

from typing import Annotated

from pydantic import Field, model_validator

from gateway.model.base import BankWord, Model, Name
from gateway.model.request import Subject

MOST_QUESTIONS = 2_000
"""Of one golden set."""

QuestionId = Annotated[str, Field(max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]


class Asker(Model):
    """Somebody who asks, as policy is told of them."""

    subject: Subject
    """The person, as a verified token would say."""

    agent: Name
    purpose: Name
    jurisdictions: tuple[BankWord, ...]
    """Of the request."""


class Target(Model):
    """Something that must be found."""

    document: Name
    """Its name in its corpus."""

    section: Annotated[str, Field(max_length=500)] | None = None
    """Title of the section; null for any part of the document."""

    version: Name | None = None
    """Null for whichever is in use."""

    grade: Annotated[int, Field(strict=True, ge=1, le=3)] = 2
    """How well it answers: 3 alone and whole, 2 what is asked for, 1 something that belongs to it."""


class GoldenQuestion(Model):
    """One question."""

    id: QuestionId
    asker: Name
    """Who asks, of the set's `askers`."""

    question: Annotated[str, Field(min_length=1, max_length=2000)]
    must_find: Annotated[tuple[Target, ...], Field(max_length=100)] = ()
    must_not_find: Annotated[tuple[Name, ...], Field(max_length=1000)] = ()
    """Documents that this asker must never be shown, whatever they ask."""

    @model_validator(mode="after")
    def _says_something(self) -> "GoldenQuestion":
        if not self.must_find and not self.must_not_find:
            msg = "a question says what must be found, or what must not"
            raise ValueError(msg)
        return self


class GoldenSet(Model):
    """A file of questions."""

    askers: Annotated[dict[Name, Asker], Field(min_length=1, max_length=100)]
    questions: Annotated[tuple[GoldenQuestion, ...], Field(min_length=1, max_length=MOST_QUESTIONS)]
