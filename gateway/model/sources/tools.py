"""
Tools: what a source of record can be asked, with which facts of a request, and how an answer becomes an item.

Rule held here: a server says what it answers, the bank's table says what that is; nothing that a server sends becomes a label
but through a member that the table names.
"""

import hashlib

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, JsonValue, model_validator

from gateway.model.base import BankWord, Model, Name
from gateway.model.contract import Schema
from ledger.canonical import jcs

AskedFact = Literal[
    "entity.id",
    "entity.type",
    "entity.number",
    "jurisdictions",
    "jurisdiction",
    "domain",
    "purpose",
    "agent",
    "as_of",
    "query",
    "user.jurisdictions",
    "user.role",
    "user.department",
]
"""
What an argument may be filled with, all of it the request's or its person's.

`entity.number` is the digits at the end of the entity's id, as a number; `jurisdiction` the one of `jurisdictions` where there is
one alone; `user.jurisdictions` what the person holds, which is known before the jurisdictions of the request are.  `as_of` is
left out where the request asks for the present; of a tool without it there is no history.
"""

Safety = Literal["reads", "writes", "personal_data", "leaves_the_bank"]
"""What using a tool may do: read, change something, give personal data, send data out of the bank."""

Pin = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
MemberName = Annotated[str, Field(min_length=1, max_length=200)]
"""Name of a member of a JSON object."""


class ToolResult(Model):
    """How a result becomes an item: its labels, and which members of it say what."""

    source_id: Name
    section: BankWord
    source_type: BankWord = "system_of_record"
    entity_member: MemberName | None = None
    """The member that must equal the id of the request's entity, of the result or of each of its `rows`; none only for tools that
    are about no entity."""

    rows: MemberName | None = None
    """The member that lists rows, each of which must be about the entity."""

    jurisdiction: BankWord | None = None
    """Whose data it is, where no member says it."""

    jurisdiction_member: MemberName | None = None
    classification_member: MemberName | None = None
    """The member that says how sensitive it is; `data_classification` where it says nothing."""

    effective_date_member: MemberName | None = None
    version_member: MemberName | None = None
    fetched_at_member: MemberName | None = None
    """The member that says when the system of record itself had it so, an RFC 3339 time; when it came, where none is named."""

    data_classification: BankWord
    ttl_seconds: Annotated[int, Field(strict=True, ge=0, le=2**31)]
    """How long after it was fetched it may be used."""

    owner: Name

    @model_validator(mode="after")
    def _record_of_somebody(self) -> "ToolResult":
        if self.section == "entity" and self.entity_member is None:
            msg = "a record of an entity says whose it is: name the `entity_member`"
            raise ValueError(msg)
        return self


class Tool(Model):
    """A tool that the gateway may call for a request, and that agents may be shown."""

    id: Name
    source: Name
    """Id of the source that it is a tool of."""

    operation: Name
    """What the source calls it: the name of an MCP tool, of a named query, or an `operationId` of OpenAPI."""

    pin: Pin | None = None
    """`tool_pin` of what the server offered when an officer accepted it; none for named queries, which the bundle itself holds."""

    description: Annotated[str, Field(min_length=1, max_length=1000)]
    """What it is for, in the bank's words; never the server's."""

    words: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = ()
    """How else people say what it is for; by these, its name and its description a question finds it."""

    parameters: Schema = Schema(type="object")
    """What it takes, as agents are told."""

    arguments: dict[Name, AskedFact] = Field(default_factory=dict)
    """By parameter, with which fact of a request the gateway fills it."""

    result: ToolResult | None = None
    """How its result becomes an item; none for tools that the gateway never calls and that agents may only be shown."""

    domains: tuple[Name, ...] = ()
    safety: Annotated[tuple[Safety, ...], Field(min_length=1)]
    owner: Name

    @model_validator(mode="after")
    def _called_only_to_read(self) -> "Tool":
        if self.result is not None and "writes" in self.safety:
            msg = "the gateway calls tools that read; of one that writes no result is taken"
            raise ValueError(msg)
        if self.result is not None and self.result.entity_member is None and self.asks_about_entity:
            msg = "what is asked about an entity says whose it is: name the `entity_member` of the result"
            raise ValueError(msg)
        return self

    @property
    def asks_about_entity(self) -> bool:
        """Whether the gateway tells it which entity is meant."""
        return any(fact.startswith("entity.") for fact in self.arguments.values())


def tool_pin(
    name: str,
    description: str,
    parameters: Mapping[str, JsonValue],
    output: Mapping[str, JsonValue] | None,
) -> str:
    """
    What a tool is recognized by: SHA-256, in hex, over the canonical form (RFC 8785) of everything that a server says it is.

    Args:
        name: the server's, of the operation.
        description: the server's, empty where it gives none.
        parameters: the schema of its arguments.
        output: the schema of its results; None where the server gives none.
    """
    said = {"name": name, "description": description, "parameters": dict(parameters), "output": output and dict(output)}
    return hashlib.sha256(jcs(said)).hexdigest()
