"""
What the result of an agent must look like to be passed on to another one.

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

Count = Annotated[int, Field(strict=True, ge=0)]
Bound = Annotated[int, Field(strict=True)] | Annotated[float, Field(strict=True)]


class Schema(Model):
    """A JSON Schema (2020-12), of the words below and no others; each means what it means there."""

    type: Literal["object", "array", "string", "number", "integer", "boolean", "null"] | None = None
    properties: "dict[str, Schema]" = Field(default_factory=dict)
    required: tuple[str, ...] = ()
    additionalProperties: bool = True  # noqa: N815 - a name of JSON Schema
    items: "Schema | None" = None
    enum: Annotated[tuple[JsonValue, ...], Field(min_length=1)] | None = None
    const: JsonValue = None
    minimum: Bound | None = None
    maximum: Bound | None = None
    minLength: Count | None = None  # noqa: N815 - a name of JSON Schema
    maxLength: Count | None = None  # noqa: N815 - a name of JSON Schema
    minItems: Count | None = None  # noqa: N815 - a name of JSON Schema
    maxItems: Count | None = None  # noqa: N815 - a name of JSON Schema

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
