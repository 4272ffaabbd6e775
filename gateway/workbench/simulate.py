"""
What a candidate bundle would have done: past decisions from the ledger, decided again.

Inputs come from the side tables of the ledger, so decisions whose inputs were erased are counted as such.
The most dangerous flip is from denied or quarantined to released.
"""

import json

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from cachetools import LRUCache

from gateway.errors import RequestError
from gateway.policy.agent import of_policy
from gateway.ports.policy import Queryable
from ledger.query import Filter
from ledger.store import Store

NEWLY_RELEASED: Final = "newly-released"
NEWLY_WITHHELD: Final = "newly-withheld"
DIFFERENTLY: Final = "released-differently"
Inputs = Callable[[Sequence[str]], Mapping[str, bytes]]
TellPast = Callable[[str, bytes], bytes]
"""What a bundle of a revision was asked, as the candidate's own registry makes it; raises the `RequestError` with which it
would refuse the request."""


def unchanged(_revision: str, asked: bytes) -> bytes:
    """What was asked as it is, for a candidate with the same registry."""
    return asked


REMEMBERED: Final = 50_000
"""How many answers are remembered, for decisions on the same input."""

EXAMPLES: Final = 20
"""How many decisions of each kind of flip are kept as examples."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A decision that would be another one."""

    kind: str
    decision_id: str
    item_id: str
    before: str
    after: str
    codes: tuple[str, ...]
    """Codes of the refusals that are new, or that are gone."""


@dataclass(slots=True)
class Simulation:
    """What flips, for whom."""

    decisions: int = 0
    erased: int = 0
    unchanged: int = 0
    flips: Counter[str] = field(default_factory=Counter)
    by_role: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_jurisdiction: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_source: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_code: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: list[Flip] = field(default_factory=list)
    registry: tuple[str, ...] = ()
    """What the candidate's registry says otherwise than the one that decides now."""


def simulate(
    store: Store,
    inputs: Inputs,
    candidate: Queryable,
    wanted: Filter,
    *,
    tell: TellPast = unchanged,
    limit: int | None = None,
    progress: Callable[[], None] = lambda: None,
) -> Simulation:
    """
    Decide past rulings again under a candidate.

    Args:
        store: the ledger.
        inputs: what policy was asked, by decision id; the erased left out.
        candidate: compiled for `context/admit` and `context/release`.
        wanted: which decisions; its kind is set here.
        tell: what the candidate is asked in the place of what was asked then.
        limit: how many at most.
        progress: called after each decision.
    """
    result = Simulation()
    # Items of one request with the same labels were decided on the same input.
    answers: LRUCache[tuple[str, str, bytes], Any] = LRUCache(REMEMBERED)
    for record, asked in islice(rulings(store, inputs, wanted), limit):
        result.decisions += 1
        if asked is None:
            result.erased += 1
        else:
            question = (record["policy"]["revision"], record["policy"]["entrypoint"], asked)
            if question not in answers:
                answers[question] = answered(candidate, tell, *question)
            _compare(record, asked, answers[question], result)
        progress()
    return result


def answered(candidate: Queryable, tell: TellPast, revision: str, entrypoint: str, asked: bytes) -> Any:  # noqa: ANN401
    """What a candidate answers to what was asked then; what it would refuse before it asks is denied."""
    try:
        return candidate.query(entrypoint, tell(revision, asked))
    except RequestError as refused:
        return {"outcome": "denied", "denials": [{"code": refused.code}]}


def rulings(store: Store, inputs: Inputs, wanted: Filter) -> Iterator[tuple[dict[str, Any], bytes | None]]:
    """Past rulings, each with what policy was asked; None where that was erased."""
    after: int | None = wanted.after
    while after is not None:
        page = store.query(wanted.model_copy(update={"kind": "item.ruled", "after": after, "limit": 1000}))
        records = [json.loads(body) for body in page.records]
        asked = inputs([record["decision_id"] for record in records])
        for record in records:
            yield record, asked.get(record["decision_id"])
        after = page.next


def _compare(record: dict[str, Any], asked: bytes, answer: dict[str, Any], result: Simulation) -> None:
    before = str(record["outcome"])
    # An item refused on its labels was never screened: what it would be after that is not known.
    after = str(answer["outcome"]) if "outcome" in answer else ("released" if answer["allow"] else "denied")
    kind = _kind(before, after)
    if kind is None:
        result.unchanged += 1
        return
    facts = json.loads(asked)
    codes = tuple(sorted(set(of_policy(record["codes"])) ^ {denial["code"] for denial in answer["denials"]}))
    result.flips[kind] += 1
    result.by_role[kind, str(facts["subject"]["role"])] += 1
    result.by_jurisdiction[kind, str(facts["item"]["jurisdiction"])] += 1
    result.by_source[kind, str(facts["item"]["source_type"])] += 1
    for code in codes:
        result.by_code[kind, code] += 1
    if sum(flip.kind == kind for flip in result.examples) < EXAMPLES:
        item = record["item"]["id"] if record["item"] else ""
        result.examples.append(Flip(kind, record["decision_id"], item, before, after, codes))


def _kind(before: str, after: str) -> str | None:
    usable = {"released", "redacted"}
    if before == after:
        return None
    if before not in usable and after in usable:
        return NEWLY_RELEASED
    if before in usable and after not in usable:
        return NEWLY_WITHHELD
    return DIFFERENTLY
