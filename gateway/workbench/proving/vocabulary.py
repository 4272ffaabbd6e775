"""Whether an invariant speaks of facts and words that there are: of others everything holds, and nothing is said."""

from collections.abc import Iterable, Iterator

from gateway.errors import InvariantInvalidError
from gateway.workbench.proving.asking import AskedBundle
from gateway.workbench.proving.formulas.inputs import InputSchema
from gateway.workbench.proving.formulas.values import Atom, Known, Listed, ObjectFacts
from gateway.workbench.proving.invariants import FILE, Invariant, Wanted


def require_known(one: Invariant, asked: AskedBundle) -> None:
    """
    Refuse an invariant that speaks of a fact or a word that there is not.

    Raises:
        InvariantInvalidError: the message names it.
    """
    schema = asked.schema(one.asked)
    words = asked.words | set(_enumerated(schema))
    for name, wanted in (one.never or {}).items():
        _require_fact(one, schema, name)
        for field in _fields_of(wanted):
            _require_member(one, schema, name, field)
        for other in _facts_of(wanted):
            _require_fact(one, schema, other)
        for word in _words(wanted):
            if isinstance(word, str) and word not in words:
                raise InvariantInvalidError(f"{FILE}: {one.id}: no rule, table or schema has the word {word!r}")
    if one.never_more_by_losing is not None:
        _require_list(one, schema, one.never_more_by_losing)
    if one.touches_only is not None:
        for name in one.touches_only.within:
            _require_fact(one, schema, name)


def _require_fact(one: Invariant, schema: InputSchema, name: str) -> list[Atom]:
    """What a fact may be."""
    if name.startswith("answer."):
        return []
    return _below(one, schema, [schema.everything()], name)


def _below(one: Invariant, schema: InputSchema, found: list[Atom], name: str) -> list[Atom]:
    for step in name.split("."):
        below = [each for atom in found if isinstance(atom, ObjectFacts) for each in schema.field(atom, step)]
        found = [each.atom for each in below]
        if not found:
            raise InvariantInvalidError(f"{FILE}: {one.id}: {one.asked} is told no fact {name}; look at `{step}`")
    return found


def _require_member(one: Invariant, schema: InputSchema, name: str, field: str) -> None:
    listed = [atom for atom in _require_fact(one, schema, name) if isinstance(atom, Listed)]
    members = [each.atom for atom in listed for each in schema.item(atom, (*atom.path, "*"))]
    if not members:
        raise InvariantInvalidError(f"{FILE}: {one.id}: none_for: {name} is no list")
    _below(one, schema, members, field)


def _require_list(one: Invariant, schema: InputSchema, name: str) -> None:
    if not any(isinstance(atom, Listed) for atom in _require_fact(one, schema, name)):
        raise InvariantInvalidError(f"{FILE}: {one.id}: never_more_by_losing: {name} is no list")


def _facts_of(wanted: object) -> Iterator[str]:
    if isinstance(wanted, Wanted):
        yield from (each for each in (wanted.lacks_fact, wanted.differs_from, wanted.more_than) if each is not None)
        yield from (wanted.none_for or {}).values()


def _fields_of(wanted: object) -> Iterable[str]:
    return (wanted.none_for or {}) if isinstance(wanted, Wanted) else ()


def _words(wanted: object) -> Iterator[object]:
    if isinstance(wanted, Wanted):
        yield from wanted.none_of or ()
        yield from (wanted.holds, wanted.lacks)
    elif isinstance(wanted, tuple):
        yield from wanted
    else:
        yield wanted


def _enumerated(schema: InputSchema) -> Iterator[str]:
    """The words that the schema itself lists."""
    waiting: list[ObjectFacts | Listed] = [schema.everything()]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Listed):
            found = schema.item(here, (*here.path, "*"))
        else:
            found = [one for name in schema.names(here.kind) for one in schema.field(here, name)]
        for one in found:
            if isinstance(one.atom, ObjectFacts | Listed):
                waiting.append(one.atom)
            elif isinstance(one.atom, Known) and isinstance(one.atom.value, str):
                yield one.atom.value
