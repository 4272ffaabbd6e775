"""The port to what verifies that a source vouches for the labels of an item."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from gateway.model import Candidate, SourceEntry
from gateway.model.policy_input import AttestationFacts


class LabelVerifier(Protocol):
    """Verifies the signatures that sources put on labels and content."""

    def verify(self, item: Candidate, sources: Mapping[str, SourceEntry], now: datetime) -> AttestationFacts | None:
        """
        Who signed an item, when, and whether the signature holds; None where it carries none.

        Whether the key may be believed, and what it may claim, is not looked at: that is policy.
        """
