"""What is weighed after the rulings are on record: pieces of context, and those left out."""

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from gateway.errors import PolicyMalformedError
from gateway.model.base import Model
from gateway.model.case import Ruling
from gateway.model.envelope import BudgetReport, Form, Layer, SegmentReport
from gateway.model.pack import Attribution, DropReason, PackItem, PackWarning
from gateway.model.policy_answer import PackAnswer
from gateway.model.words.vocabulary import SectionFacts


class Piece(Model):
    """Released content that may go into the pack."""

    ruling: Ruling
    content: JsonValue
    place: SectionFacts
    """What is known about its section."""

    index: int
    """Where it stood among the candidates."""

    score: float
    """Weight of relevance and authority, 0 to 1."""

    tokens: int = 0
    text: str = ""
    """As a model reads it, once it is counted."""

    item: PackItem | None = None
    """As the caller gets it, once it is counted."""

    attributions: tuple[Attribution, ...] = ()
    """Others that say the same, or whose text was joined with this one's."""

    joined: tuple["Piece", ...] = ()
    """Pieces whose text is part of this one's."""

    segment: str = ""
    """What it is called in every turn of a session."""

    layer: Layer = "L3"
    form: Form = "full"
    carried: int | None = None
    """Place in the library of the session, where it comes from there."""

    attached: bool = False
    """Whether what the library holds was attached in this turn."""

    artifact: str | None = None
    """Handle to the whole content, where `content` is only an extract of it."""


class Loss(Model):
    """A piece that is left out, and why."""

    piece: Piece
    reason: DropReason
    in_favour_of: str | None = None


class PackWords(Model):
    """What policy says for the gateway to say and do with a pack, beside the items themselves."""

    tell_the_model: frozenset[str] = frozenset()
    """Codes of the warnings that the model is told too."""

    warnings: tuple[PackWarning, ...] = ()
    """Those that the gateway gives itself: code and message, no items yet."""

    may_stay_outside: frozenset[str] = frozenset()
    """Sections whose heavy items may stay outside the pack."""

    def warning(self, code: str) -> PackWarning:
        """
        A warning of the gateway's own, in policy's words.

        Raises:
            PolicyMalformedError: policy has no words for it.
        """
        for warning in self.warnings:
            if warning.code == code:
                return warning
        raise PolicyMalformedError(f"policy does not say what {code} means")


class Selection(Model):
    """What is kept, in order, and what is not."""

    kept: tuple[Piece, ...]
    lost: tuple[Loss, ...] = ()
    warnings: tuple[PackWarning, ...] = ()
    around: tuple[SegmentReport, ...] = ()
    """References, stubs and notices that stand around the items."""

    told: PackWords = PackWords()
    """What policy has for the pack to say."""

    asked: Mapping[str, Any] | None = None
    """What policy was asked about the set; kept only as far as the stage `rank` goes."""

    answered: PackAnswer | None = None
    """What it answered."""

    report: BudgetReport | None = None
    """Set once the budget has been applied."""
