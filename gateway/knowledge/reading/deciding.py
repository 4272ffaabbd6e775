"""What of an item the rules of a bundle read that say what may be found, once for each bundle."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gateway.errors import IndexUnavailableError
from gateway.knowledge.labels import FACTS, DecidingFacts
from gateway.knowledge.reading.constants import Constants
from gateway.knowledge.reading.flow import Flow
from gateway.knowledge.reading.reachable import reachable, scalars
from gateway.policy.areas import ENTRY
from gateway.policy.bundle import Bundle
from gateway.policy.rego.tree import Scalar
from gateway.policy.rego.walk import walk

_DECIDES: Final = ("context", "reach")


@dataclass(frozen=True, slots=True)
class _ByRevision:
    """A bundle, which its revision stands for."""

    bundle: Bundle

    def __hash__(self) -> int:
        return hash(self.bundle.revision)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByRevision) and other.bundle.revision == self.bundle.revision


def deciding(bundle: Bundle) -> DecidingFacts:
    """
    What the rules that say what may be found read; kept for each revision.

    Raises:
        IndexUnavailableError: the bundle does not say what may be found, as those from before do not.

        RegoUnreadableError, RegoTooDeepError: a module cannot be read.
    """
    if f"\n{_DECIDES[1]} := " not in bundle.modules.get(ENTRY, ""):
        raise IndexUnavailableError("the bundle that decides does not say what may be found")
    return _read(_ByRevision(bundle))


@lru_cache(maxsize=16)
def _read(one: _ByRevision) -> DecidingFacts:
    bundle = one.bundle
    reached = reachable(bundle, _DECIDES)
    flow = Flow(reached, Constants(reached, bundle.data)).run()
    # Every number and text there is may be what an age or the time is compared with: too many moments are safe, too few are not.
    written = [
        node.value
        for _, rule in reached.clauses()
        for node in walk(rule)
        if isinstance(node, Scalar) and isinstance(node.value, str | int | float) and not isinstance(node.value, bool)
    ]
    found = [*written, *scalars(bundle.data, reached.tables)]
    numbers = {float(one) for one in found if not isinstance(one, str)} | flow.numbers
    return DecidingFacts(
        facts=FACTS if flow.whole else FACTS & flow.facts,
        foreseen=flow.foreseen,
        numbers=tuple(sorted(numbers | {-one for one in numbers})),
        texts=tuple(sorted({one for one in found if isinstance(one, str)})),
    )
