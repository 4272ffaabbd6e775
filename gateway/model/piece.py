"""What is weighed after the rulings are on record: pieces of context, and those left out."""

from typing import Literal

from pydantic import JsonValue

from gateway.model.base import Model
from gateway.model.case import Ruling
from gateway.model.pack import BudgetReport, PackWarning


class Piece(Model):
    """Released content that may go into the pack."""

    ruling: Ruling
    content: JsonValue
    place: int
    """Where it stood among the candidates."""

    score: float
    """Weight of relevance and authority, 0 to 1."""

    tokens: int = 0


class Loss(Model):
    """A piece that is left out, and why."""

    piece: Piece
    reason: Literal["budget", "duplicate", "conflict", "relevance"]
    in_favour_of: str | None = None


class Selection(Model):
    """What is kept, in order, and what is not."""

    kept: tuple[Piece, ...]
    lost: tuple[Loss, ...] = ()
    warnings: tuple[PackWarning, ...] = ()
    report: BudgetReport | None = None
    """Set once the budget has been applied."""
