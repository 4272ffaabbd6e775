"""
LiteLLM's Generic Guardrail API, as its proxy 1.106 speaks it: `litellm/types/proxy/guardrails/guardrail_hooks/generic_guardrail_api.py`.

Members that newer versions add are left unread: what reaches the model stands in those that are read.
"""

from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, JsonValue

from gateway.errors import FieldInvalidError
from gateway.guardrails.exchange import GuardrailVerdict, Part, author_of, texts_of
from gateway.model.base import Model

PERSON: Final = "x-ctxgate-person"
"""Header with the token of the person on whose behalf the application asks."""


class LiteLLMQuestion(Model):
    """What LiteLLM would send to a model."""

    model_config = ConfigDict(extra="ignore")

    input_type: Literal["request", "response"]
    """Whether it is on its way to the model; what comes back is not governed here."""

    texts: Annotated[tuple[str, ...], Field(max_length=10_000)] | None = None
    """All texts of the messages, in order."""

    structured_messages: tuple[dict[str, JsonValue], ...] | None = None
    """The messages that the texts are of, which say who wrote each."""

    images: tuple[str, ...] | None = None
    """Addresses or data of images."""

    tools: tuple[dict[str, JsonValue], ...] | None = None
    """Descriptions of the tools that the model may call."""

    tool_calls: tuple[dict[str, JsonValue], ...] | None = None
    """Calls that the model made before, as the messages repeat them."""

    request_headers: dict[str, str] | None = None
    """Headers of the application's request, those with their values that LiteLLM is set to hand on."""

    def parts(self) -> list[Part]:
        """
        Everything that would reach the model.

        Raises:
            FieldInvalidError: it holds what nobody could screen, or comes back from a model.
        """
        if self.input_type != "request":
            problem = "must be request: set the guardrail's mode to pre_call"
            raise FieldInvalidError("what a model answers is not governed here", fields=[("input_type", problem)])
        if self.images:
            raise FieldInvalidError("what would reach the model cannot be screened", fields=[("images", "unread")])
        calls = [Part("tool_call", call) for call in self.tool_calls or ()]
        return [*self._texts(), *calls, *(Part("tool_definition", tool) for tool in self.tools or ())]

    def _texts(self) -> list[Part]:
        messages, texts = self.structured_messages or (), self.texts or ()
        said = [(author_of(one.get("role")), text) for n, one in enumerate(messages) for text in texts_of(one, n)]
        if tuple(text for _, text in said) == texts:
            return [Part(author, text) for author, text in said]
        # Where the messages are not those of the texts, nobody knows who wrote which.
        return [Part("other", text) for text in texts]

    def person(self) -> str | None:
        """The token of the person, if one came along."""
        headers = {name.lower(): value for name, value in (self.request_headers or {}).items()}
        return headers.get(PERSON)


def answer_of(verdict: GuardrailVerdict) -> dict[str, Any]:
    """The verdict as LiteLLM reads it."""
    if verdict.reason is not None:
        return {"action": "BLOCKED", "blocked_reason": verdict.reason}
    if not verdict.changed:
        return {"action": "NONE"}
    return {"action": "GUARDRAIL_INTERVENED", "texts": list(verdict.texts)}
