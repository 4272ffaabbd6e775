"""
Stage: make every decision durable before anything else happens.

Rules held here: a repeat that comes to the same decision is that decision, once its records are seen to commit to the very same
contents; one that comes to another is a decision of its own, and its records name the one before it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gateway.audit.drafts import Drafted, exception_used, item_ruled, request_opened
from gateway.audit.parts import commits_to
from gateway.concurrency.apart import apart
from gateway.errors import RepeatDiffersError
from gateway.model import Case, Ruling, ScopeAnswer
from gateway.ports.ledger import Ledger
from ledger.erasable import NOTHING, Erasable
from ledger.lane import Written

_DECISIONS: Final = 100
"""How many decisions there may be on one request, each of which came to something else than those before."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """Rulings on record."""

    case: Case
    """With the decision that this one follows, if it follows one."""

    written: list[Written]
    """The records of the rulings, in order."""

    asides: list[Erasable]
    """Of each record its erasable side, under whose salts its commitments are."""


async def record(
    rulings: Sequence[Ruling], case: Case, scoped: ScopeAnswer, *, ledger: Ledger, keep_content: bool = False
) -> Recorded:
    """
    Write one record for the request and one for each ruling, and wait until they are durable.

    Args:
        rulings: all of them.
        case: the request.
        scoped: what policy answered on the request as a whole.
        ledger: where they are recorded.
        keep_content: whether contents are kept as evidence, sealed for the requester, until erased.

    Raises:
        RecordError: they are not durable, so nothing may be released.

        RepeatDiffersError: what is on record for the same decision is not what was decided, or cannot be compared with it.
    """
    token = await ledger.subject_token(case.subject.tenant, case.subject.sub)
    for place in range(_DECISIONS):
        drafted = await apart(lambda: [*_drafted(rulings, case, scoped, token, place, keep_content=keep_content)])  # noqa: B023
        try:
            # All in one append, which is durable as a whole or not at all: no exception is on record without the ruling that used it.
            written = await ledger.append([draft for draft, _ in drafted], [erasable for _, erasable in drafted])
        except RepeatDiffersError as error:
            if error.opened in {None, case.request_id}:
                raise
            # Another decision on this request came before: this one goes behind it.
            case = case.model_copy(update={"repeats": error.opened})
            continue
        return await _recorded(rulings, case, written, [erasable for _, erasable in drafted], ledger)
    raise RepeatDiffersError(f"there are {_DECISIONS} decisions on this request already")


async def _recorded(
    rulings: Sequence[Ruling], case: Case, written: Sequence[Written], asides: Sequence[Erasable], ledger: Ledger
) -> Recorded:
    ruled = [(one, side) for one, side in zip(written, asides, strict=True) if one.record.kind == "item.ruled"]
    records = [one for one, _ in ruled]
    if not any(one.repeated for one in written):
        return Recorded(case, records, [side for _, side in ruled])
    # The salts are those of the first try, and with them alone can be seen what its records commit to.
    kept = list(await ledger.kept(records))
    if not await apart(lambda: _all_committed(rulings, records, kept)):
        raise RepeatDiffersError("what is on record for this request commits to something else than was decided now")
    return Recorded(case, records, kept)


def _all_committed(rulings: Sequence[Ruling], records: Sequence[Written], asides: Sequence[Erasable]) -> bool:
    together = zip(rulings, records, asides, strict=True)
    return all(commits_to(ruling, one.record, aside) for ruling, one, aside in together)


def _drafted(
    rulings: Sequence[Ruling], case: Case, scoped: ScopeAnswer, token: str, place: int, *, keep_content: bool
) -> Iterator[Drafted]:
    yield request_opened(case, token, scoped, place)
    for ruling in rulings:
        ruled, erasable = item_ruled(ruling, case, token, keep_content=keep_content)
        yield ruled, erasable
        for exception in ruling.exceptions:
            yield exception_used(exception, ruling, ruled, case), NOTHING
