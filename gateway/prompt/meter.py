"""Counting tokens of what a model reads, as it is rendered."""

import math

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gateway.model import Case, Piece
from gateway.model.content import content_text
from gateway.model.envelope import SegmentReport
from gateway.ports.packing import Tokenizer
from gateway.prompt.blocks import around, block, marked, pack_item, reference

MESSAGE: Final = 3
"""Tokens around each message, and after the last one (OpenAI cookbook, "How to count tokens with tiktoken")."""


@dataclass(frozen=True, slots=True)
class Meter:
    """Counts what a model would read."""

    case: Case
    tokenizer: Tokenizer

    def text(self, text: str) -> int:
        """Tokens of a text; of a model whose tokenizer is not public, an estimate."""
        counted = self.tokenizer.count(text, self.case.model.encoding)
        return counted if self.case.model.exact else math.ceil(counted * self.case.model.factor)

    def message(self, role: str) -> int:
        """Tokens around a message."""
        return MESSAGE + self.text(role)

    def around(self, reports: Iterable[SegmentReport]) -> int:
        """Tokens of what stands beside items."""
        return sum(self.text(around(report)) for report in reports)

    def piece(self, piece: Piece) -> Piece:
        """The piece, with what it takes as rendered."""
        item = pack_item(piece)
        if piece.layer == "L4":
            text = content_text(item.content)
            # A turn in which nothing was said is no message.
            tokens = self.text(text) + self.message(speaker(piece)) if text else 0
        else:
            item = marked(item, piece.ruling.item.section, self.case.tenant_key)
            text = block(item, piece.ruling.item.section)
            tokens = self.text(text)
            if mention := reference(piece):
                tokens += self.text(around(mention))
        item = item.model_copy(update={"tokens": tokens})
        return piece.model_copy(update={"tokens": tokens, "text": text, "item": item})


def speaker(piece: Piece) -> str:
    """Whose turn of a conversation it is."""
    return "assistant" if piece.ruling.source_type == "agent_output" else "user"
