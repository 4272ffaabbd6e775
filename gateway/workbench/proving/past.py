"""Which decisions on record two bundles decide differently, beside all inputs that could come."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cachetools import LRUCache

from gateway.ports.policy import Queryable
from gateway.workbench.simulate import REMEMBERED, Inputs, TellPast, answered, rulings
from ledger.query import Filter
from ledger.store import Store


@dataclass(frozen=True, slots=True)
class Decider:
    """One of the two bundles."""

    engine: Queryable
    """Compiled for `context/admit` and `context/release`."""

    tell: TellPast
    """What it is asked in the place of what was asked then."""


@dataclass(slots=True)
class PastTouched:
    """How many decisions on record come out differently."""

    considered: int = 0
    """Those of which it is still known what was asked."""

    touched: int = 0
    erased: int = 0


def past_touched(
    store: Store,
    inputs: Inputs,
    old: Decider,
    new: Decider,
    wanted: Filter,
    *,
    progress: Callable[[], None] = lambda: None,
) -> PastTouched:
    """
    Decide past rulings again under two bundles, and count those of which they let through different ones.

    Args:
        store: the ledger.
        inputs: what policy was asked, by decision id; the erased left out.
        old: the one.
        new: the other.
        wanted: which decisions; its kind is set here.
        progress: called after each decision.
    """
    found = PastTouched()
    # Items of one request with the same labels were decided on the same input.
    differs: LRUCache[tuple[str, str, bytes], bool] = LRUCache(REMEMBERED)
    for record, asked in rulings(store, inputs, wanted):
        if asked is None:
            found.erased += 1
        else:
            question = (record["policy"]["revision"], record["policy"]["entrypoint"], asked)
            if question not in differs:
                differs[question] = len({_outcome(one, question) for one in (old, new)}) > 1
            found.considered += 1
            found.touched += differs[question]
        progress()
    return found


def _outcome(one: Decider, question: tuple[str, str, bytes]) -> str:
    answer: Any = answered(one.engine, one.tell, *question)
    return str(answer["outcome"]) if "outcome" in answer else ("released" if answer["allow"] else "denied")
