"""
The schemas of tables: `schema.json` beside the tables of each area, a JSON Schema (2020-12) of a closed list of words.

Rules held here: a schema is part of the bundle, so that whoever changes what a table may say changes the revision; its words cost in
proportion to the table alone (no patterns, no references, no combinations), within bounds of depth and size; two words are of this
gateway: `x-names`, which says of what an entry is the name, and `format: date`, which is a day or a time in UTC.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

from jsonschema_rs import Draft202012Validator
from pydantic import Field, JsonValue
from pydantic import ValidationError as ModelError

from gateway.model.base import Model
from gateway.policy.bundle import Bundle
from gateway.policy.supply.tables import TableError, read_json
from gateway.policy.vetting.dates import is_date
from gateway.policy.vetting.hints import hint
from gateway.policy.vetting.names import KINDS
from gateway.policy.vetting.places import Path
from gateway.policy.vetting.slips import Slip
from gateway.policy.vetting.wording import slip_of
from gateway.policy.vetting.words import members

FILE: Final = "schema.json"
MOST_DEPTH: Final = 12
MOST_PARTS: Final = 400
"""How many schemas one may consist of, itself included."""

_Kind = Literal["object", "array", "string", "number", "integer", "boolean", "null"]
_Count = Annotated[int, Field(strict=True, ge=0)]
_Bound = Annotated[int, Field(strict=True)] | Annotated[float, Field(strict=True)]


class TableSchema(Model):
    """A schema of these words and no others; each means what it means in JSON Schema 2020-12, but for `x-names` and `format`."""

    dialect: Annotated[str | None, Field(alias="$schema")] = None
    title: str | None = None
    description: str | None = None
    type: _Kind | tuple[_Kind, ...] | None = None
    properties: "dict[str, TableSchema]" = Field(default_factory=dict)
    required: Annotated[tuple[str, ...], Field(max_length=200)] = ()
    additionalProperties: "bool | TableSchema" = True  # noqa: N815 - a name of JSON Schema
    propertyNames: "TableSchema | None" = None  # noqa: N815 - a name of JSON Schema
    items: "TableSchema | None" = None
    enum: Annotated[tuple[JsonValue, ...], Field(min_length=1, max_length=1000)] | None = None
    const: JsonValue = None
    minimum: _Bound | None = None
    maximum: _Bound | None = None
    exclusiveMinimum: _Bound | None = None  # noqa: N815 - a name of JSON Schema
    exclusiveMaximum: _Bound | None = None  # noqa: N815 - a name of JSON Schema
    minLength: _Count | None = None  # noqa: N815 - a name of JSON Schema
    maxLength: _Count | None = None  # noqa: N815 - a name of JSON Schema
    minItems: _Count | None = None  # noqa: N815 - a name of JSON Schema
    maxItems: _Count | None = None  # noqa: N815 - a name of JSON Schema
    minProperties: _Count | None = None  # noqa: N815 - a name of JSON Schema
    maxProperties: _Count | None = None  # noqa: N815 - a name of JSON Schema
    uniqueItems: bool | None = None  # noqa: N815 - a name of JSON Schema
    format: Literal["date", "uri"] | None = None
    names: Annotated[str | None, Field(alias="x-names")] = None
    """Of what an entry is the name, such as `source type`."""

    def parts(self, depth: int = 1) -> "Iterator[tuple[int, TableSchema]]":
        """The schema and those inside it, each with how deep it lies."""
        yield depth, self
        for one in (*self.properties.values(), self.items, self.propertyNames, self.additionalProperties):
            if isinstance(one, TableSchema):
                yield from one.parts(depth + 1)

    def member(self, name: str) -> "TableSchema | None":
        """The schema of a member of an object, or of a list; None where it says nothing of it."""
        if self.items is not None and name.isdecimal():
            return self.items
        other = self.additionalProperties if isinstance(self.additionalProperties, TableSchema) else None
        return self.properties.get(name, other)


def file_of(area: str) -> str:
    """Where the schema of an area's tables stands."""
    return f"context/{area}/{FILE}"


def schema_slips(bundle: Bundle, known: Mapping[str, frozenset[str]]) -> Iterator[Slip]:
    """
    What tables say and their schemas do not have, and areas with tables and no schema.

    Args:
        bundle: whose tables and schemas.
        known: what there is, by kind of name.
    """
    for area, table in members(bundle.data.get("context")):
        name = file_of(area)
        if name not in bundle.others:
            # Of a bundle that was kept there is only what decides, and those of earlier versions had no schemas.
            if bundle.checks and table:
                text = "the tables of this area have no schema, so that nobody can tell what they may say."
                yield Slip(("context", area), text, f"`ctxgate policy new schema {area[:60]}` writes {name} from them.")
            continue
        if not isinstance(_read(bundle.others[name]), tuple):
            for slip, _ in _compiled(bundle.others[name]).slips(table, known):
                yield replace(slip, path=("context", area, *slip.path))


def flaws_of_schemas(bundle: Bundle) -> Iterator[tuple[str, Slip]]:
    """What is wrong with the schemas themselves: the file, and the slip in it."""
    for name, text in sorted(bundle.others.items()):
        if not name.endswith(f"/{FILE}"):
            continue
        read = _read(text)
        if isinstance(read, tuple):
            yield from ((name, slip) for slip in read)
            continue
        kinds = {part.names for _, part in read.parts() if part.names}
        for kind in sorted(kinds - KINDS):
            yield name, Slip((), f"`x-names: {kind[:60]}` is no kind of name.", hint(kind, KINDS))


@lru_cache(maxsize=256)
def _read(text: str) -> "TableSchema | tuple[Slip, ...]":
    """A schema, or what is wrong with it."""
    try:
        schema = TableSchema.model_validate(read_json(text))
    except TableError as error:
        return (Slip((), f"{error}.", "A schema is a JSON document."),)
    except ModelError as error:
        return tuple(_misread(found["loc"], found["type"], found["msg"]) for found in error.errors()[:20])
    except RecursionError:
        return (Slip((), "it is nested too deeply.", "Describe less at once."),)
    for count, (depth, _) in enumerate(schema.parts(), 1):
        if depth > MOST_DEPTH or count > MOST_PARTS:
            text = f"it is nested more than {MOST_DEPTH} deep, or has more than {MOST_PARTS} parts."
            return (Slip((), text, "Describe less at once."),)
    return schema


def _misread(where: tuple[int | str, ...], kind: str, message: str) -> Slip:
    path = tuple(str(step) for step in where if step not in {"TableSchema", "bool", "function-after"})
    if kind == "extra_forbidden":
        words = [field.alias or name for name, field in TableSchema.model_fields.items()]
        return Slip(path, f"`{path[-1][:60]}` is no word of these schemas.", hint(path[-1], words), key=True)
    return Slip(path, f"{message[:1].lower()}{message[1:200]}.", "docs/policies.md says which words there are.")


class TableChecker:
    """A schema, compiled, with the names that it knows."""

    def __init__(self, schema: TableSchema) -> None:
        self._schema = schema
        document = schema.model_dump(mode="json", by_alias=True, exclude_unset=True)
        self._compiled = Draft202012Validator(document, formats={"date": is_date}, validate_formats=True)

    def slips(self, table: object, known: Mapping[str, frozenset[str]]) -> Iterator[tuple[Slip, object]]:
        """What a value says that the schema does not have, or names what there is not; and the value or the name at fault."""
        for error in self._compiled.iter_errors(_as_json(table)):
            inside = tuple(map(str, error.instance_path))
            here: TableSchema | None = self._schema
            for step in inside:
                here = here.member(step) if here else None
            yield from ((slip, error.instance) for slip in slip_of(inside, error, [*here.properties] if here else []))
        for where, name, key, kind in _named(table, self._schema):
            if kind in known and name is not None and (not isinstance(name, str) or name not in known[kind]):
                yield Slip(where, f"{str(name)[:60]} is no {kind}.", hint(name, known[kind]), key=key), name


def checker_of(document: dict[str, Any]) -> TableChecker:
    """The checker of a schema that the gateway made itself."""
    return TableChecker(TableSchema.model_validate(document))


@lru_cache(maxsize=256)
def _compiled(text: str) -> TableChecker:
    return TableChecker(TableSchema.model_validate_json(text))


def _as_json(value: object) -> Any:  # noqa: ANN401 - any JSON
    """As OPA reads a table: whole numbers that are keys are texts."""
    if isinstance(value, dict):
        return {str(name): _as_json(member) for name, member in value.items()}
    return [_as_json(member) for member in value] if isinstance(value, list) else value


def _named(table: object, schema: TableSchema) -> Iterator[tuple[Path, object, bool, str]]:
    """Every entry that the schema calls the name of something: its path, the name, whether it is a key, and of what."""
    waiting: list[tuple[Path, object, TableSchema]] = [((), table, schema)]
    while waiting:
        path, value, here = waiting.pop()
        if here.names and not isinstance(value, dict | list):
            yield path, value, False, here.names
        for name, member in members(value):
            if isinstance(value, dict) and here.propertyNames is not None and here.propertyNames.names:
                yield (*path, name), name, True, here.propertyNames.names
            inside = here.member(name)
            if inside is not None:
                waiting.append(((*path, name), member, inside))
