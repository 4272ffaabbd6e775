"""Stage: make every decision durable before anything else happens."""

from collections.abc import Iterator, Sequence

from gateway.audit.drafts import Drafted, exception_used, item_ruled, request_opened
from gateway.concurrency.apart import apart
from gateway.model import Case, Ruling
from gateway.ports.ledger import Ledger
from ledger.erasable import NOTHING
from ledger.lane import Written


async def record(rulings: Sequence[Ruling], case: Case, *, ledger: Ledger, keep_content: bool = False) -> list[Written]:
    """
    Write one record for the request and one for each ruling, and wait until they are durable.

    Args:
        rulings: all of them.
        case: the request.
        ledger: where they are recorded.
        keep_content: whether contents are kept as evidence, sealed for the requester, until erased.

    Returns:
        The records of the rulings, in order.

    Raises:
        RecordError: they are not durable, so nothing may be released.
    """
    token = await ledger.subject_token(case.subject.tenant, case.subject.sub)
    # All in one append, which is durable as a whole or not at all: no exception is on record without the ruling that used it.
    drafted = await apart(lambda: [*_drafted(rulings, case, token, keep_content=keep_content)])
    written = await ledger.append([draft for draft, _ in drafted], [erasable for _, erasable in drafted])
    return [one for one in written if one.record.kind == "item.ruled"]


def _drafted(rulings: Sequence[Ruling], case: Case, token: str, *, keep_content: bool) -> Iterator[Drafted]:
    yield request_opened(case, token), NOTHING
    for ruling in rulings:
        ruled, erasable = item_ruled(ruling, case, token, keep_content=keep_content)
        yield ruled, erasable
        for exception in ruling.exceptions:
            yield exception_used(exception, ruling, ruled, case), NOTHING
