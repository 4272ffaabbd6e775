"""
Stage: record the pack itself, and hand it over with a receipt.

Rule held here: nothing is handed over before it is seen, whoever made the records and whenever, that each ruling's record
commits to exactly what is released of it now, and that the pack says nothing else.
"""

from collections.abc import Sequence
from typing import TypeVar

from gateway.audit.drafts import item_dropped, pack_sealed
from gateway.audit.parts import commits_to
from gateway.concurrency.apart import apart
from gateway.errors import PackDiffersError, RepeatDiffersError
from gateway.model import Budgets, Case, ContextPack, Piece, RulingsAnswer, Selection
from gateway.ports.ledger import Ledger
from gateway.prompt.render import render
from gateway.selection.derived import derives
from gateway.stages.assemble import Ruled, decisions_of
from ledger.erasable import NOTHING

_Sealed = TypeVar("_Sealed", bound=RulingsAnswer)


async def seal(
    verdict: _Sealed,
    ruled: Ruled,
    *,
    ledger: Ledger,
    picked: Selection | None = None,
    ranked: Selection | None = None,
    budgets: Budgets | None = None,
    keep_content: bool = False,
) -> _Sealed:
    """
    Commit to the exact bytes handed over and to the set of all rulings behind them.

    Args:
        verdict: the pack, or the rulings alone.
        ruled: the request and all its rulings, on record.
        ledger: where it is recorded.
        picked: what the pack was made of, and what was left out; None for rulings alone.
        ranked: the same as policy was asked about it.
        budgets: the budget table.
        keep_content: whether the pack is kept as evidence, sealed for the requester, until erased.

    Raises:
        PackDiffersError: it holds what no record commits to.

        RepeatDiffersError: the ledger holds another pack for this decision.

        RecordError: it is not durable, or the person was erased meanwhile, so it may not be handed over.
    """
    case, lost = ruled.case, picked.lost if picked else ()
    await apart(lambda: check_committed(ruled))
    if isinstance(verdict, ContextPack):
        await apart(lambda: check_said(verdict, picked.kept if picked else (), budgets))
        await apart(lambda: check_rendered(verdict, case))
    salt = case.derive_salt("pack")
    by_id = {one.record.decision_id: one for one in ruled.written}
    dropped = [item_dropped(by_id[loss.piece.ruling.decision_id], loss, case) for loss in lost]
    packed = decisions_of(verdict) if isinstance(verdict, ContextPack) else []
    asked = (ranked.asked, ranked.answered) if ranked and ranked.asked is not None and ranked.answered else None
    sealed, erasable = await apart(
        lambda: pack_sealed(verdict, salt, ruled.written, packed, case, asked=asked, keep_content=keep_content)
    )
    written = await ledger.append([*dropped, sealed], [*(NOTHING for _ in lost), erasable])
    stored = written[-1].record.pack
    if stored is None or sealed.pack is None or stored.digest != sealed.pack.digest:
        raise RepeatDiffersError("the ledger holds another pack for this request")
    await ledger.settled(written, ruled.scoped.release_mode)
    return verdict.model_copy(update={"receipt": ledger.receipt(written[-1], salt)})


def check_committed(ruled: Ruled) -> None:
    """
    Every ruling's record commits to what was decided on, and to what is released of it.

    Raises:
        PackDiffersError: says how many do not, never which.
    """
    if not len(ruled.rulings) == len(ruled.written) == len(ruled.asides):
        raise PackDiffersError("there are not as many records as rulings")
    together = zip(ruled.rulings, ruled.written, ruled.asides, strict=True)
    wrong = sum(
        one.record.decision_id != ruling.decision_id or not commits_to(ruling, one.record, aside)
        for ruling, one, aside in together
    )
    if wrong:
        raise PackDiffersError(f"the records of {wrong} items commit to something else than is released")


def check_rendered(pack: ContextPack, case: Case) -> None:
    """
    The prompt in a pack, where one was asked for, is the one that its items make.

    Raises:
        PackDiffersError: it is another.
    """
    bare = pack.model_copy(update={"messages": None})
    if pack.messages != (render(bare, case.request.render) if case.request.render else None):
        raise PackDiffersError("the prompt in the pack is not the one that its items make")


def check_said(pack: ContextPack, pieces: Sequence[Piece], budgets: Budgets | None) -> None:
    """
    Every item of a pack is one of the pieces, each once, and says nothing that was not released of it.

    Raises:
        PackDiffersError: says how many are or do not, never which.
    """
    shortest = budgets.overlap_characters if budgets else 0
    items = [item for section in pack.sections for item in section.items]
    # Both ways: what stands in the pack is one of the pieces, and none of these is missing or stands there twice.
    made = {piece.item.decision_id: piece for piece in pieces if piece.item}
    right = {
        item.decision_id
        for item in items
        if item.decision_id in made
        and made[item.decision_id].item == item
        and derives(made[item.decision_id], shortest)
    }
    if not len(right) == len(items) == len(pieces):
        wrong = max(len(items), len(pieces)) - len(right)
        raise PackDiffersError(f"{wrong} items of the pack say something else than was released")
