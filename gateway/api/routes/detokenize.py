"""What tokens stand for, over HTTP: for those whom policy allows, each answer on record before it is given."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field

from gateway.api.calls import Server
from gateway.api.dependencies import Caller, RunningGateway, read_document, require
from gateway.api.openapi import body_of
from gateway.content.parsing import shaped
from gateway.errors import PurposeUnknownError
from gateway.model.base import Model, Name
from gateway.privacy.detokenize import Revealed, decide, record_revealed, revealed_or_not

router = APIRouter(prefix="/v1")


class DetokenizeBody(Model):
    """Tokens, and what for."""

    tokens: Annotated[tuple[Name, ...], Field(min_length=1, max_length=100)]
    """As they stand in a text, such as `<PERSON:…>`."""

    purpose: Name
    """Why: a registered purpose, and one for which the caller's token may learn values, or which a case has."""

    case: Annotated[str, Field(pattern=r"^CASE-[0-9]{4}-[0-9]{3,6}$")] | None = None
    """A registered case, for a purpose that the caller's token does not have."""


class DetokenizeReply(Model):
    """An answer for every token, in the order asked."""

    tokens: tuple[Revealed, ...]
    """In the order asked."""


BODIES = (DetokenizeBody,)
_ASKED = {"tokens": ["<PERSON:0123456789abcdef>"], "purpose": "counterparty_review"}


@router.post("/detokenize", openapi_extra=body_of(DetokenizeBody, _ASKED))
async def detokenize(request: Request, gateway: RunningGateway, subject: Caller) -> DetokenizeReply:
    """
    What tokens stand for, where policy allows it.

    Raises:
        ScopeMissingError: the token lacks the scope `pii:detokenize`.

        RevealRateError: the person has asked as often as one may.

        PurposeUnknownError: the purpose is not registered; it is written nowhere.

        PolicyError, StoreError, RecordError: nothing is said.
    """
    require(subject, "pii:detokenize")
    body = shaped(DetokenizeBody, await read_document(request, gateway))
    server: Server = request.app.state.server
    with gateway.observer.revealing() as answered:
        await server.rates.reveals(subject.person, len(body.tokens))
        pinned, now = gateway.pipeline.pinned(), gateway.clock()
        if body.purpose not in pinned.registry.purposes:
            raise PurposeUnknownError("the purpose is not registered", fields=[("purpose", "is not registered")])
        known = await gateway.stores.vault.look_up(subject.tenant, body.tokens)
        answers = await decide(known, body.purpose, subject, now, pinned.policy, case=body.case)
        revealed = [revealed_or_not(token, known, answers) for token in body.tokens]
        kinds = {token: secret.entity for token, secret in known.items()}
        version = pinned.policy.version
        await record_revealed(
            revealed,
            kinds,
            subject,
            gateway.clock(),
            ledger=gateway.recorder,
            purpose=body.purpose,
            policy=version,
            case=body.case,
        )
        answered += [one.value is not None for one in revealed]
    return DetokenizeReply(tokens=tuple(revealed))
