"""
The label dictionary: combinations of labels, and which facts of an item the officers' rules read.

Rule held here: what may be found is decided for a combination of labels in the place of each chunk, so that every fact that a rule
may read must be the same for all chunks of one combination.  Under a bundle whose rules may read another fact nothing is searched.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gateway.model.policy_input import ItemFacts
from gateway.model.request import Provenance
from ledger.canonical import jcs

FACTS: Final = frozenset(ItemFacts.__annotations__)

OF_A_CHUNK: Final = frozenset({"label_findings", "structured"})
"""Facts of an item that its labels do not settle: what is found in its id, and what its content is."""


@dataclass(frozen=True, slots=True)
class DecidingFacts:
    """What the rules of a bundle that say what may be found read."""

    facts: frozenset[str]
    """Of an item."""

    foreseen: bool
    """Whether it can be told from the rules when an answer may change."""

    numbers: tuple[float, ...]
    """That an age may be compared with, as far as rules and tables say, each with its negative; sorted."""

    texts: tuple[str, ...]
    """That the time may be compared with, as far as rules and tables say; sorted."""

    @property
    def unkept(self) -> frozenset[str]:
        """Facts that rules may read and that no combination of labels settles; where there are any, nothing is searched."""
        return self.facts & OF_A_CHUNK


def tuple_key(tenant: str, labels: Provenance, origin: int) -> str:
    """
    The key of a combination of labels: canonical JSON of all that decides (RFC 8785).

    Args:
        tenant: whose document it is.
        labels: of a chunk, `doc_section` its own; when it was fetched is its origin's, and not in the key.
        origin: what vouches for how old it is.
    """
    kept = labels.model_dump(mode="json", exclude_none=True, exclude={"fetched_at"})
    return jcs({"labels": kept, "origin": origin, "tenant": tenant}).decode()


def settled(facts: Mapping[str, object], read: frozenset[str]) -> bytes:
    """What rules read of an item's facts but its ages, in one form: items that agree in it and in their age are decided alike."""
    return jcs(
        {name: value for name, value in facts.items() if name in read and name not in {"age_seconds", "age_days"}}
    )
