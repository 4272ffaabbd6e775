"""agentgateway's guardrail webhook, as its version of 2026-08 speaks it: `crates/agentgateway/src/llm/policy/webhook.rs`."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field

from gateway.guardrails.exchange import GuardrailVerdict, Part, author_of
from gateway.model.base import Model


class WebhookMessage(Model):
    """A message as the webhook is told of it: a role and a text."""

    model_config = ConfigDict(extra="ignore")

    role: str
    """Who wrote it."""

    content: str
    """Its text."""


class WebhookMessages(Model):
    """The messages on their way to the model."""

    messages: Annotated[tuple[WebhookMessage, ...], Field(max_length=10_000)]
    """In order."""


class WebhookQuestion(Model):
    """What agentgateway would send to a model."""

    body: WebhookMessages
    """The messages."""

    def parts(self) -> list[Part]:
        """Everything of it that the webhook is told."""
        return [Part(author_of(one.role.lower()), one.content) for one in self.body.messages]

    def answer(self, verdict: GuardrailVerdict) -> dict[str, Any]:
        """The verdict as agentgateway reads it: which action it is follows from its members."""
        if verdict.reason is not None:
            return {"action": {"body": verdict.reason, "status_code": 403, "reason": verdict.reason}}
        if not verdict.changed:
            return {"action": {}}
        roles = (one.role for one in self.body.messages)
        told = [{"role": role, "content": text} for role, text in zip(roles, verdict.texts, strict=True)]
        return {"action": {"body": {"messages": told}}}
