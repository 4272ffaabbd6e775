"""
Agents, their contracts, and what the result of one must look like to be passed on to another.

A schema comes from an officer and meets content that anybody may have written.  So it is held to words whose cost grows with the
content alone: no patterns, no references, no combinations, within bounds of depth and size.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Final, Literal

from pydantic import Field, JsonValue, model_validator

from gateway.model.base import Model, Name

MOST_DEPTH: Final = 8
"""How deep a schema may be nested, in schemas."""

MOST_SCHEMAS: Final = 200
"""How many schemas one may consist of, itself included."""

_Count = Annotated[int, Field(strict=True, ge=0)]
_Bound = Annotated[int, Field(strict=True)] | Annotated[float, Field(strict=True)]


class Schema(Model):
    """A JSON Schema (2020-12), of the words below and no others; each means what it means there."""

    type: Literal["object", "array", "string", "number", "integer", "boolean", "null"] | None = None
    properties: "dict[str, Schema]" = Field(default_factory=dict)
    required: tuple[str, ...] = ()
    additionalProperties: bool = True  # noqa: N815 - a name of JSON Schema
    items: "Schema | None" = None
    enum: Annotated[tuple[JsonValue, ...], Field(min_length=1)] | None = None
    const: JsonValue = None
    minimum: _Bound | None = None
    maximum: _Bound | None = None
    minLength: _Count | None = None  # noqa: N815 - a name of JSON Schema
    maxLength: _Count | None = None  # noqa: N815 - a name of JSON Schema
    minItems: _Count | None = None  # noqa: N815 - a name of JSON Schema
    maxItems: _Count | None = None  # noqa: N815 - a name of JSON Schema

    def parts(self, depth: int = 1) -> "Iterator[tuple[int, Schema]]":
        """The schema and those inside it, each with how deep it lies."""
        yield depth, self
        for inside in (*self.properties.values(), *([self.items] if self.items else [])):
            yield from inside.parts(depth + 1)


class OutputSchema(Model):
    """What the results of agents whose contract names it must look like."""

    id: Name
    schema_: Schema

    @model_validator(mode="after")
    def _bounded(self) -> "OutputSchema":
        for count, (depth, _) in enumerate(self.schema_.parts(), 1):
            if depth > MOST_DEPTH or count > MOST_SCHEMAS:
                msg = f"the schema is nested more than {MOST_DEPTH} deep, or has more than {MOST_SCHEMAS} parts"
                raise ValueError(msg)
        return self

    @cached_property
    def document(self) -> dict[str, JsonValue]:
        """As JSON, with the words that were given and no others."""
        document: dict[str, JsonValue] = self.schema_.model_dump(mode="json", exclude_unset=True)
        return document


class Agent(Model):
    """A registered caller."""

    id: Name
    archetype: Name
    domains: Annotated[tuple[Name, ...], Field(min_length=1)]
    contract: Name
    """Id of the agent's context contract."""

    description: str


class RequiredSource(Model):
    """A tool or a document that an agent cannot do without."""

    name: Name
    sources: tuple[str, ...]
    """Source ids and corpora that fill the need beside its name; a `*` ends the beginning of one."""

    missing: Literal["refuse", "warn"]
    with_entity: bool
    """Whether it is needed only where the request is about an entity."""


class Contract(Model):
    """What one agent's contract says, beyond the terms of its archetype; policy reads it too (context/contract, context/standing)."""

    id: Name
    agent: Name
    status: Literal["ACTIVE", "DRAFT", "RETIRED"]
    required_sources: tuple[RequiredSource, ...]
    max_turns: Annotated[int, Field(strict=True, ge=0)]
    """How many turns of conversation, the newest, the agent gets."""

    output_schema: Name | None
    """What its results must look like to be passed on; None where it passes none on."""


class ProfileChoice(Model):
    """For whom the lines have the sizes of a profile."""

    profile: Name
    agents: tuple[Name, ...] = ()
    archetypes: tuple[Name, ...] = ()
    purposes: tuple[Name, ...] = ()

    def fits(self, agent: Agent, purpose: str) -> bool:
        """Whether it is meant: any of the lists names the agent, its archetype or the purpose."""
        return agent.id in self.agents or agent.archetype in self.archetypes or purpose in self.purposes
