"""Stage: carry out the obligations on the content of what may be released."""

from collections.abc import Sequence

from gateway.concurrency.apart import apart
from gateway.model import Case, Ruling
from gateway.model.content import Rendering
from gateway.model.policy_input import OriginFacts
from gateway.model.pseudonyms import Pseudonyms
from gateway.ports.screening import Anonymizer
from gateway.ports.stores import Vault
from gateway.prompt.fence import fence_of
from gateway.prompt.obliged import Carrier, fences


async def redact(
    rulings: Sequence[Ruling], case: Case, *, anonymizer: Anonymizer, vault: Vault, rendering: Rendering
) -> list[Ruling]:
    """
    Give every releasable ruling the content that may be handed over, and keep what its tokens stand for.

    Args:
        rulings: all of them.
        case: the request.
        anonymizer: changes values.
        vault: keeps what tokens stand for.
        rendering: what may not act where it is rendered.

    Raises:
        ObligationError: policy asks for something that cannot be carried out.

        StoreError: the vault did not take what the tokens stand for.
    """
    pseudonyms = Pseudonyms(case.tenant_key, case.request.purpose, case.session)
    redacted = await apart(lambda: _redact(rulings, anonymizer, pseudonyms, rendering))
    if pseudonyms.made:
        await vault.keep(case.subject.tenant, case.request.purpose, pseudonyms.made, _origin(case))
    return redacted


def _origin(case: Case) -> OriginFacts:
    """What policy is told of the request, should somebody ask what its tokens stand for."""
    return {
        "jurisdictions": list(case.request.jurisdictions),
        "domain": case.domain,
        "session": case.session,
        "role": case.subject.role,
    }


def _redact(
    rulings: Sequence[Ruling], anonymizer: Anonymizer, pseudonyms: Pseudonyms, rendering: Rendering
) -> list[Ruling]:
    carrier = Carrier(anonymizer, pseudonyms, rendering)
    return [_releasable(ruling, carrier) if ruling.usable else ruling for ruling in rulings]


def _releasable(ruling: Ruling, carrier: Carrier) -> Ruling:
    content = carrier.released(ruling.item.content, ruling.obligations, ruling.findings)
    fence = fence_of(ruling) if fences(ruling.obligations) else None
    return ruling.model_copy(update={"content": content, "fence": fence})
