"""
Stage: which decision is this?

Rules held here: what sources gave, what detectors and reviewers said and what comes of it are part of a decision's identity.
A repeat that comes to the same has the same ids, and so the same records; one that comes to anything else has others, so that no
pack stands beside records of another decision.
"""

import hashlib

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gateway.audit.parts import released_bytes
from gateway.concurrency.apart import apart
from gateway.model import Case, Ruling
from gateway.model.policy_answer import obligation_labels
from ledger.canonical import jcs


async def identify(
    rulings: Sequence[Ruling], case: Case, sources: Sequence[Mapping[str, Any]]
) -> tuple[Case, list[Ruling]]:
    """
    The case and its rulings under their final ids.

    Args:
        rulings: all of them, with what may be released of each.
        case: the request.
        sources: which were asked, and what came of it.
    """
    # Contents and labels grow with the request, and other requests wait on the event loop.
    return await apart(lambda: _identified(rulings, case, sources))


def _identified(
    rulings: Sequence[Ruling], case: Case, sources: Sequence[Mapping[str, Any]]
) -> tuple[Case, list[Ruling]]:
    asked = [jcs(dict(ruling.facts)) for ruling in rulings]
    digest = hashlib.sha256(jcs([dict(source) for source in sources]))
    for ruling, facts in zip(rulings, asked, strict=True):
        for part in _parts(ruling, facts):
            # With the length before it, so that no two decisions give the same bytes.
            digest.update(len(part).to_bytes(8) + part)
    case = case.model_copy(update={"decided": digest.digest()})
    return case, [
        ruling.model_copy(update={"asked": facts, "decision_id": case.derive_id("item", ruling.item.id)})
        for ruling, facts in zip(rulings, asked, strict=True)
    ]


def _parts(ruling: Ruling, facts: bytes) -> Iterator[bytes]:
    said = [ruling.item.id, ruling.entrypoint, ruling.outcome, ruling.codes, ruling.exceptions, ruling.detectors]
    yield jcs([*said, obligation_labels(ruling.obligations)])
    yield ruling.item.digest.encode()
    if ruling.item.metadata:
        yield jcs({"metadata": ruling.item.metadata})
    yield facts
    yield released_bytes(ruling) or b""
