"""The ports to what verifies who vouches for an item's labels, and that a result is what its schema asks for."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from pydantic import JsonValue

from gateway.model import Candidate, SourceEntry
from gateway.model.contract import OutputSchema
from gateway.model.policy_input import AttestationFacts


class LabelVerifier(Protocol):
    """Verifies the signatures that sources put on labels and content."""

    def verify(self, item: Candidate, sources: Mapping[str, SourceEntry], now: datetime) -> AttestationFacts | None:
        """
        Who signed an item, when, and whether the signature holds; None where it carries none.

        Whether the key may be believed, and what it may claim, is not looked at: that is policy.
        """


class ReceiptVerifier(Protocol):
    """Verifies that an agent's output comes with the receipt of a pack of this gateway."""

    def verify(self, item: Candidate, tenant: str, now: datetime) -> AttestationFacts | None:
        """
        For which agent the pack was that an item's receipt is of, when it was sealed, and whether that is so; None without one.

        A receipt of another tenant's pack is none.  It binds the agent and the pack, not the text that the agent wrote.
        """


class ResultChecker(Protocol):
    """Says whether what an agent concluded is what its schema asks for."""

    def meets(self, content: JsonValue, output: OutputSchema) -> bool:
        """Whether it is; False also for what is too large to be looked at.  Raises nothing, whatever the content."""
        ...
