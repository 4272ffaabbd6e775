"""Stage: record the pack itself, and hand it over with a receipt."""

from collections.abc import Sequence
from typing import TypeVar

from gateway.audit.drafts import item_dropped, pack_sealed
from gateway.concurrency.apart import apart
from gateway.errors import RecordError
from gateway.model import Case, Loss, RulingsAnswer
from gateway.model.policy_answer import ReleaseMode
from gateway.ports.ledger import Ledger
from ledger.erasable import NOTHING
from ledger.lane import Written

_Sealed = TypeVar("_Sealed", bound=RulingsAnswer)


async def seal(
    verdict: _Sealed,
    rulings: Sequence[Written],
    case: Case,
    *,
    ledger: Ledger,
    mode: ReleaseMode,
    packed: Sequence[str] = (),
    lost: Sequence[Loss] = (),
    keep_content: bool = False,
) -> _Sealed:
    """
    Commit to the exact bytes handed over and to the set of all rulings behind them.

    Args:
        verdict: the pack, or the rulings alone.
        rulings: the records of all the request's rulings, in order.
        case: the request.
        ledger: where it is recorded.
        mode: how sure the ledger must be before this is handed over.
        packed: decision ids of the items in the pack, in order.
        lost: allowed items that were left out.
        keep_content: whether the pack is kept as evidence, sealed for the requester, until erased.

    Raises:
        RecordError: it is not durable, or the person was erased meanwhile, so it may not be handed over.
    """
    salt = case.derive_salt("pack")
    ruled = {one.record.decision_id: one for one in rulings}
    dropped = [item_dropped(ruled[loss.piece.ruling.decision_id], loss, case) for loss in lost]
    sealed, erasable = await apart(lambda: pack_sealed(verdict, salt, rulings, packed, case, keep_content=keep_content))
    written = await ledger.append([*dropped, sealed], [*(NOTHING for _ in lost), erasable])
    stored = written[-1].record.pack
    if stored is None or sealed.pack is None or stored.digest != sealed.pack.digest:
        raise RecordError("the ledger holds another pack for this request")
    await ledger.settled(written, mode)
    return verdict.model_copy(update={"receipt": ledger.receipt(written[-1], salt)})
