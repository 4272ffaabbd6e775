"""Asking policy: every answer is counted and checked against its shape before anybody believes it."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from gateway.errors import PolicyMalformedError
from gateway.model import Model
from gateway.ports.policy import PolicyEngine

_Answer = TypeVar("_Answer", bound=Model)


async def ask(
    policy: PolicyEngine, entrypoint: str, inputs: Sequence[Mapping[str, Any]], shape: type[_Answer]
) -> list[_Answer]:
    """
    One answer for each input, in order.

    Raises:
        PolicyUnavailableError: no answer arrived in time.

        PolicyMalformedError: an answer is missing or has another shape.
    """
    documents = await policy.evaluate(entrypoint, inputs)

    # A short answer must not pass the items it left out.
    if len(documents) != len(inputs):
        msg = f"{entrypoint} was asked {len(inputs)} times and answered {len(documents)} times"
        raise PolicyMalformedError(msg)
    try:
        return [shape.model_validate(document) for document in documents]
    except ValidationError as error:
        msg = f"{entrypoint} answered with something that is not a decision"
        raise PolicyMalformedError(msg) from error
