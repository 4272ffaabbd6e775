"""Stage: each item that an exception lets through is counted before anything is released."""

from collections import Counter
from collections.abc import Sequence

from gateway.audit.proving.waivers import Exempted
from gateway.errors import ExceptionSpentError
from gateway.model import Case, Ruling
from gateway.ports.waivers import Waivers


async def spend(rulings: Sequence[Ruling], exempted: Exempted, case: Case, *, waivers: Waivers) -> None:
    """
    Count the uses of exceptions on request; of the table's there is no limit.

    Raises:
        ExceptionSpentError: meanwhile one was revoked, or used by others as often as it may.

        StoreError: it is not known to be counted.
    """
    limits = {one.waiver.id: one.waiver.trigger.max_uses for one in exempted.told}
    # What is withheld for another reason uses nothing.
    used = Counter(name for ruling in rulings if ruling.usable for name in ruling.exceptions if name in limits)
    uses = {name: (count, limits[name]) for name, count in used.items()}
    if uses and not await waivers.spend(case.subject.tenant, uses, case.at):
        raise ExceptionSpentError("an exception that lets an item through was revoked or used up meanwhile")
