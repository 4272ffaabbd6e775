"""Stage: what each content is, and turns of the conversation as people saw them, before anybody looks into them."""

from collections.abc import Sequence
from dataclasses import replace

from gateway.concurrency.apart import apart
from gateway.content.leaves import is_document
from gateway.model import Case
from gateway.model.case import Attested
from gateway.prompt.displayed import displayed


async def unwrap(candidates: Sequence[Attested], case: Case) -> list[Attested]:
    """
    Every turn without the blocks of context that a prompt of this gateway put around it, in the order they came; and of
    every item whether its content is a JSON value, which is seen and not believed.

    What is screened, recorded and shown of a turn is the same text from here on; who vouches for it was found out before,
    since a source signs what it sent.
    """
    return await apart(lambda: [_unwrapped(one, case) for one in candidates])


def _unwrapped(attested: Attested, case: Case) -> Attested:
    item = attested.item
    if item.section == "conversation" and isinstance(item.content, str):
        said = displayed(item.content, case.tenant_key)
        item = item if said == item.content else item.model_copy(update={"content": said})
    return replace(attested, item=item, structured=is_document(item.content))
