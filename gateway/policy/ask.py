"""Asking policy: every answer is counted and checked against its shape before anybody believes it."""

from collections.abc import Sequence

from pydantic import ValidationError

from gateway.concurrency.apart import apart
from gateway.errors import PolicyMalformedError
from gateway.policy.entrypoints import AnsweredT, AskedT, Entrypoint
from gateway.ports.policy import PolicyEngine


async def ask(
    policy: PolicyEngine, entrypoint: Entrypoint[AskedT, AnsweredT], inputs: Sequence[AskedT]
) -> list[AnsweredT]:
    """
    One answer for each input, in order.

    Raises:
        PolicyUnavailableError: no answer arrived in time.

        PolicyMalformedError: an answer is missing or has another shape.
    """
    documents = await policy.evaluate(entrypoint.name, inputs)

    # A short answer must not pass the items it left out.
    if len(documents) != len(inputs):
        msg = f"{entrypoint.name} was asked {len(inputs)} times and answered {len(documents)} times"
        raise PolicyMalformedError(msg)
    try:
        return await apart(lambda: [entrypoint.answer.model_validate(document) for document in documents])
    except ValidationError as error:
        msg = f"{entrypoint.name} answered with something that is not a decision"
        raise PolicyMalformedError(msg) from error
