"""Stage: turns of the conversation as people saw them, before anybody looks into them."""

from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace

from gateway.model import Case
from gateway.model.case import Attested
from gateway.prompt.displayed import displayed


async def unwrap(candidates: Sequence[Attested], case: Case) -> list[Attested]:
    """
    Every turn without the blocks of context that a prompt of this gateway put around it, in the order they came.

    What is screened, recorded and shown of a turn is the same text from here on; who vouches for it was found out before,
    since a source signs what it sent.
    """
    return await to_thread(lambda: [_unwrapped(one, case) for one in candidates])


def _unwrapped(attested: Attested, case: Case) -> Attested:
    item = attested.item
    if item.section != "conversation" or not isinstance(item.content, str):
        return attested
    said = displayed(item.content, case.tenant_key)
    return attested if said == item.content else replace(attested, item=item.model_copy(update={"content": said}))
