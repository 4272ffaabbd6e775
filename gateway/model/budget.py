"""How a token budget was spent (names on the wire, v1)."""

from gateway.model.base import Model


class OverflowReport(Model):
    """What was done to fit the budget."""

    action: str
    """The step of the overflow order."""

    items: tuple[str, ...]
    """What it touched."""

    token_savings: int
    """Tokens that it saved."""


class BudgetReport(Model):
    """How the token budget was spent."""

    total_tokens: int
    """The request's budget."""

    allocated: int
    """Tokens of the pack and the response headroom."""

    remaining: int
    """Tokens that nobody took."""

    response_headroom: int
    """Tokens kept free for the answer."""

    overflow_actions: tuple[OverflowReport, ...]
    """What was done to fit, in order."""

    framing: int
    """Tokens of messages, references, stubs and notices around the items; part of `allocated`."""

    exact: bool
    """Whether the tokens are the model's own; otherwise they are an estimate (docs/packs.md)."""

    optimality_percent: int
    """At least this much of the best value that could have been kept was kept, where items had to compete; else 100."""
