"""Who looks into content, and who changes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from gateway.model import Finding
from gateway.model.content import Cut, Leaf
from gateway.model.pseudonyms import Pseudonyms


@dataclass(frozen=True, slots=True)
class ScreeningLimits:
    """What the screening of content that was not seen before may cost, in estimated seconds of one processor."""

    item: float
    """Of one item."""

    request: float
    """Of all items of a request."""


class Detector(Protocol):
    """Looks into content for one kind of thing."""

    @property
    def name(self) -> str:
        """Stable name, as in `detectors` of the ledger."""

    @property
    def version(self) -> str:
        """Changes whenever the same text could give other findings."""

    @property
    def reads_across(self) -> bool:
        """Whether what it looks for may be spread over several turns of one author."""

    def serves(self, screening: str) -> bool:
        """Whether this detector does a screening that policy asks for, such as ``pii/full``."""

    def cost(self, item: Sequence[Leaf], screening: str) -> float:
        """About how many seconds of one processor of this gateway's workers an item takes; asked before any work is done."""

    async def detect(self, items: Sequence[Sequence[Leaf]], screening: str, tenant: str) -> Sequence[Sequence[Finding]]:
        """
        Findings for every item, in the order given, each with the path of its leaf.

        Args:
            items: what to look into.
            screening: that policy asked for.
            tenant: whose items they are; those who share a detector take turns.

        Raises:
            DetectorUnavailableError: the detector did not answer.

            DetectorTimeoutError: it did not answer in time, and would perhaps the next time.

            ScreeningTooCostlyError: it would not answer in time the next time either.
        """


class Anonymizer(Protocol):
    """Changes stretches of text."""

    def apply(self, text: str, cuts: Sequence[Cut], pseudonyms: Pseudonyms) -> str:
        """
        The text with every cut carried out; where cuts overlap, nothing of either stays.

        Raises:
            ObligationError: an operator is not known.
        """
