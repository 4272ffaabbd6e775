"""What is kept of a session from one turn to the next."""

import hashlib

from collections.abc import Mapping
from dataclasses import dataclass, field

from gateway.model.base import Model
from gateway.model.envelope import Form
from gateway.model.request import Candidate, Fetched


class PrefixEntry(Model):
    """A segment of a prefix, by what tells whether it is still the same."""

    segment: str
    content: str
    """SHA-256 of the content as its source gave it."""

    block: str
    """SHA-256 of the text that the model reads."""

    form: Form


class Prefix(Model):
    """What a model read first in a turn: the system layer and the library."""

    system: str
    """SHA-256 of the text of the system layer."""

    library: tuple[PrefixEntry, ...] = ()


class Segment(Model):
    """Something that was attached in an earlier turn: an item as it came in, to be decided on anew in every turn."""

    id: str
    item: Fetched | Candidate
    form: Form = "full"
    newer: Fetched | Candidate | None = None
    """What was attached under the same name later, where the prefix was kept as it is."""


class SessionState(Model):
    """A session after a turn."""

    turn: int
    segments: tuple[Segment, ...] = ()
    """In the order in which they were first seen."""

    prefix: Prefix | None = None
    erased: bool = False
    """Whether it held something that was erased."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session as one turn finds it."""

    name: str | None = None
    """What it is kept under; None for a request that is no turn of a session."""

    turn: int = 1
    before: SessionState | None = None
    carried: tuple[Candidate, ...] = ()
    """Candidates from earlier turns, beside those of the request."""

    library: Mapping[str, Segment] = field(default_factory=dict)
    """By the id of the candidate that stands for it now: segments of the library."""

    attached: frozenset[str] = frozenset()
    """Ids of candidates that stand for segments and were attached in this turn."""

    newer: Mapping[str, str] = field(default_factory=dict)
    """By the id of the candidate: segments whose newer content it is."""

    @property
    def digest(self) -> str | None:
        """What the decisions of the turn depend on beside the request."""
        if self.before is None or not self.before.segments:
            return None
        return hashlib.sha256(self.before.model_dump_json().encode()).hexdigest()
