"""
Invariants: what officers say must hold for every request, whatever the rules and tables become.

They stand in `context/invariants.yaml` of the bundle and travel with it, as its cases do.  Each is written as facts, and turned into
Rego here, so that the engine that decides also decides whether one is broken.
"""

import json

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, ValidationError, model_validator

from gateway.errors import InvariantInvalidError
from gateway.model import Model
from gateway.policy.bundle import Bundle, read_table

FILE: Final = "context/invariants.yaml"
PACKAGE: Final = "ctxgate.proof"
"""Of the rules that are made of invariants; a bundle's own cannot be of it, since they are below `context`."""

_MOST: Final = 200
_NAME: Final = r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$"

AskedName = Literal["scope", "admit", "reach", "release", "pack", "detokenize", "citation", "tool"]
FactName = Annotated[str, Field(pattern=_NAME, max_length=100)]
SaidWord = Annotated[str, Field(max_length=500)] | int | float | bool | None


class Wanted(Model):
    """What a fact must be, where it is not plainly one value or one of several; all that is said must hold."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    none_of: tuple[SaidWord, ...] | None = None
    """The fact is none of these; a fact that is not there is none of them."""

    holds: SaidWord | None = None
    """The list holds this."""

    lacks: SaidWord | None = None
    """The list does not hold this."""

    lacks_fact: FactName | None = None
    """The list does not hold what this other fact is."""

    differs_from: FactName | None = None
    """It is not what this other fact is."""

    more_than: FactName | None = None
    """The number is more than this other fact, a number too."""

    over: float | None = None
    """The number is more than this."""

    under: float | None = None
    """The number is less than this."""

    known: bool | None = None
    """Whether it is anything but null."""

    none_for: dict[FactName, FactName] | None = None
    """No member of the list has in these fields what these facts are."""

    empty: bool | None = None
    """Whether the list holds nothing."""

    @model_validator(mode="after")
    def _some(self) -> "Wanted":
        if not self.model_fields_set:
            raise ValueError("says nothing of a fact")
        return self


SaidFacts = dict[FactName, Wanted | tuple[SaidWord, ...] | SaidWord]
"""What is said of facts of the input; a name that begins with `answer.` is of the answer."""


class TouchesOnly(Model):
    """Rows of a table that may make a difference only to some requests."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rows_of: FactName
    """The table, such as `context.exceptions.granted`."""

    within: dict[FactName, FactName]
    """For a fact of the input the field of the row that it must be equal to."""


class Invariant(Model):
    """One thing that must hold for every request."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=r"^INV-[0-9]{3}$")]
    title: Annotated[str, Field(min_length=1, max_length=200)]
    says: Annotated[str, Field(min_length=1, max_length=1000)]
    """In words, for whoever answers for it."""

    control: Annotated[str, Field(min_length=1, max_length=200)]
    owner: Annotated[str, Field(min_length=1, max_length=200)]
    asked: AskedName = "admit"
    never: SaidFacts | None = None
    """No request with these facts is permitted."""

    never_more_by_losing: FactName | None = None
    """Whoever has less in this list is permitted no more."""

    touches_only: TouchesOnly | None = None

    @model_validator(mode="after")
    def _one(self) -> "Invariant":
        if sum(one is not None for one in (self.never, self.never_more_by_losing, self.touches_only)) != 1:
            raise ValueError("is one of `never`, `never_more_by_losing` and `touches_only`")
        return self

    @property
    def rule(self) -> str:
        """Name of the rule that it becomes."""
        return self.id.lower().replace("-", "_")


def invariants_of(bundle: Bundle) -> tuple[Invariant, ...]:
    """
    The invariants that a bundle brings.

    Raises:
        InvariantInvalidError: one is none; the message names it and the field.
    """
    body = bundle.checks.get(FILE)
    if body is None:
        return ()
    listed = read_table(FILE, body).get("invariants")
    if not isinstance(listed, list) or len(listed) > _MOST:
        raise InvariantInvalidError(f"{FILE} is `invariants:` and a list of at most {_MOST}")
    found = tuple(_read(place, one) for place, one in enumerate(listed))
    ids = [one.id for one in found]
    if twice := sorted({one for one in ids if ids.count(one) > 1}):
        raise InvariantInvalidError(f"{FILE}: {twice[0]} stands twice")
    return found


def _read(place: int, one: object) -> Invariant:
    try:
        return Invariant.model_validate(one)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        name = one.get("id", place) if isinstance(one, Mapping) else place
        where = ".".join(str(part) for part in first["loc"]) or "it"
        raise InvariantInvalidError(f"{FILE}: {str(name)[:20]}: {where}: {first['msg']}") from error


def rego_of(invariants: tuple[Invariant, ...], bundle: Bundle) -> str:
    """A module with a rule for what breaks each invariant of `never`, for what rows are for, and for what each question permits."""
    rules = [permitted_rule(one) for one in sorted({one.asked for one in invariants})]
    rules += [_never(one) for one in invariants if one.never is not None]
    for one in invariants:
        if one.touches_only is not None:
            rules += _inside(one, one.touches_only, rows_of(bundle, one.touches_only))
    return "\n\n".join([f"package {PACKAGE}", *rules]) + "\n"


def rows_of(bundle: Bundle, touches: TouchesOnly) -> list[Mapping[str, Any]]:
    """
    The rows of a table.

    Raises:
        InvariantInvalidError: there is no such table, or it is no list of rows.
    """
    rows: Any = bundle.data
    for step in touches.rows_of.split("."):
        rows = rows.get(step) if isinstance(rows, Mapping) else None
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) for row in rows):
        raise InvariantInvalidError(f"{FILE}: rows_of: the tables have no list of rows {touches.rows_of}")
    return rows


def _inside(one: Invariant, touches: TouchesOnly, rows: list[Mapping[str, Any]]) -> Iterator[str]:
    """For each row a rule that holds for what the row is for."""
    for place, row in enumerate(rows):
        lines = [f"\t{line}" for line in conditions(within(touches, row), one.asked)]
        yield "\n".join([f"{one.rule}_{place} if {{", *lines, "}"])


def permitted_rule(asked: str) -> str:
    """A rule that holds where a question is answered with yes."""
    if asked == "release":
        return f'permitted_{asked} if data.context.{asked}.outcome in ["released", "redacted"]'
    return f"permitted_{asked} if data.context.{asked}.allow == true"


def _never(one: Invariant) -> str:
    lines = [f"\tpermitted_{one.asked}", *(f"\t{line}" for line in conditions(one.never or {}, one.asked))]
    return "\n".join([f"{one.rule} if {{", *lines, "}"])


def conditions(facts: SaidFacts, asked: str) -> Iterator[str]:
    """Lines of Rego that hold where facts are as they are said to be."""
    for name, wanted in facts.items():
        place = _place(name, asked)
        if isinstance(wanted, Wanted):
            yield from _wanted(place, wanted, asked)
        elif isinstance(wanted, tuple):
            yield f"{place} in {json.dumps(list(wanted))}"
        else:
            yield f"{place} == {json.dumps(wanted)}"


def _place(name: str, asked: str) -> str:
    first, _, rest = name.partition(".")
    return f"data.context.{asked}.{rest}" if first == "answer" else f"input.{name}"


def _wanted(place: str, wanted: Wanted, asked: str) -> Iterator[str]:
    if wanted.none_of is not None:
        yield f"not {place} in {json.dumps(list(wanted.none_of))}"
    if "holds" in wanted.model_fields_set:
        yield f"{json.dumps(wanted.holds)} in {place}"
    if "lacks" in wanted.model_fields_set:
        yield f"not {json.dumps(wanted.lacks)} in {place}"
    if wanted.lacks_fact is not None:
        yield f"not {_place(wanted.lacks_fact, asked)} in {place}"
    if wanted.differs_from is not None:
        yield f"not {place} == {_place(wanted.differs_from, asked)}"
    if wanted.known is not None:
        yield f"{place} != null" if wanted.known else f"{place} == null"
    if wanted.none_for is not None:
        alike = [f"one.{field} == {_place(fact, asked)}" for field, fact in wanted.none_for.items()]
        yield f"count([one | {'; '.join([f'some one in {place}', *alike])}]) == 0"
    if wanted.empty is not None:
        yield f"count({place}) == 0" if wanted.empty else f"count({place}) > 0"
    yield from _counted(place, wanted, asked)


def _counted(place: str, wanted: Wanted, asked: str) -> Iterator[str]:
    if wanted.more_than is not None:
        other = _place(wanted.more_than, asked)
        yield from (f"is_number({place})", f"is_number({other})", f"{place} > {other}")
    for operator, bound in ((">", wanted.over), ("<", wanted.under)):
        if bound is not None:
            yield from (f"is_number({place})", f"{place} {operator} {json.dumps(bound)}")


def within(touches: TouchesOnly, row: Mapping[str, Any]) -> SaidFacts:
    """The facts of the requests that a row may make a difference to."""
    found: dict[str, Any] = {}
    for name, field in touches.within.items():
        value: Any = row
        for step in field.split("."):
            value = value.get(step) if isinstance(value, Mapping) else None
        found[name] = value
    return found
