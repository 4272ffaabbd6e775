"""What is weighed after the rulings are on record: pieces of context, and those left out."""

from pydantic import JsonValue

from gateway.model.base import Model
from gateway.model.case import Ruling
from gateway.model.pack import Attribution, BudgetReport, DropReason, PackWarning


class Piece(Model):
    """Released content that may go into the pack."""

    ruling: Ruling
    content: JsonValue
    place: int
    """Where it stood among the candidates."""

    score: float
    """Weight of relevance and authority, 0 to 1."""

    tokens: int = 0
    attributions: tuple[Attribution, ...] = ()
    """Others that say the same, or whose text was joined with this one's."""


class Loss(Model):
    """A piece that is left out, and why."""

    piece: Piece
    reason: DropReason
    in_favour_of: str | None = None


class Selection(Model):
    """What is kept, in order, and what is not."""

    kept: tuple[Piece, ...]
    lost: tuple[Loss, ...] = ()
    warnings: tuple[PackWarning, ...] = ()
    report: BudgetReport | None = None
    """Set once the budget has been applied."""
