"""Channels: what comes from other gateways as a guardrail's question, with the labels that the bank gives it."""

from typing import Annotated, Final, Literal

from pydantic import Field

from gateway.model.base import BankWord, Model, Name

Author = Literal["system", "user", "assistant", "tool", "tool_call", "tool_definition", "other"]
"""Who wrote a text: a role of a chat message; the arguments of a call that a model made; the description of a tool."""

AUTHORS: Final[dict[str, Author]] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
"""By the role of a chat message as the APIs of models have it; every other one is `other`."""


class ChannelRole(Model):
    """What a text counts as by who wrote it."""

    section: BankWord
    source_type: BankWord
    """What it claims to be; nobody vouches for it, so that policy takes it for no more than an unsigned item of that type."""


class Channel(Model):
    """For whom, for what and with which labels the texts of another gateway are decided."""

    id: Name
    agent: Name
    purpose: Name
    model: Name
    without_person: Name | None
    """The role of whoever asks without a person's token; None where that is refused."""

    domain: Name
    jurisdiction: BankWord
    jurisdictions: Annotated[tuple[BankWord, ...], Field(min_length=1, max_length=32)]
    data_classification: BankWord
    ttl_seconds: Annotated[int, Field(strict=True, ge=0, le=86_400)]
    roles: dict[Author, ChannelRole]
