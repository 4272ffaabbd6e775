"""
What rules read that is not there: fields that no question tells, and statements that nobody made.

A rule that waits for what never comes holds nothing, and looks like one that found nothing wrong.
"""

import types

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict

from gateway.policy.entrypoints import ENTRYPOINTS
from gateway.policy.rego.tree import Call, Module, Not, Ref, Rule, Statement, Var
from gateway.policy.rego.walk import references, statements, steps, walk
from gateway.policy.vetting.hints import hint
from gateway.workbench.rules.forms import WrongForm

TOLD: Final = frozenset(name for entrypoint in ENTRYPOINTS for name in get_type_hints(entrypoint.input))
"""What the questions tell, by its name in `input`."""

_INPUTS: Final[Mapping[str, Any]] = {
    entrypoint.name.removeprefix("context/"): entrypoint.input for entrypoint in ENTRYPOINTS
}


def never_told(module: Module, entrypoints: Sequence[str] = ()) -> Iterator[WrongForm]:
    """
    Fields that a module reads of the input, and that none of its questions tells.

    Args:
        module: its tree.
        entrypoints: the questions in which its rules are asked, such as `admit`; all where none is given.
    """
    told = [_INPUTS[name] for name in entrypoints if name in _INPUTS] or list(_INPUTS.values())
    for one in references(module.rules):
        path = steps(one)
        if len(path) > 1 and path[0] == "input" and (wrong := _untold(told, path[1:])):
            asked, known = wrong
            message = f"the rule reads `input.{asked}`, which no question tells."
            rest = hint(asked.rpartition(".")[2], known)
            yield WrongForm(one.place, message, f"{rest} policies/schemas has what each question tells.")


def _untold(told: Sequence[Any], path: Sequence[str | None]) -> tuple[str, set[str]] | None:
    """The first part of a path that no question tells, and the names that stand beside it."""
    kinds = list(told)
    said: list[str] = []
    for step in path:
        tables = [kind for kind in kinds if is_typeddict(kind)]
        known = {name for kind in tables for name in _fields(kind)}
        if step is None or not tables:
            # A row of a list, or what has no fields that are written down.
            kinds = [row for kind in kinds for row in _rows(kind)]
            said.append("_")
            continue
        said.append(step)
        if step not in known:
            return ".".join(said), known
        kinds = [one for kind in tables if step in _fields(kind) for one in _plain(_fields(kind)[step])]
    return None


# Python works them out anew each time, and some thousands of paths are looked up in a bundle.
_fields: Final = cache(get_type_hints)


def _plain(kind: Any) -> list[Any]:  # noqa: ANN401 - a type
    """The members of a union, without null."""
    if get_origin(kind) in {Union, types.UnionType}:
        return [one for member in get_args(kind) for one in _plain(member) if one is not type(None)]
    return [kind]


def _rows(kind: Any) -> list[Any]:  # noqa: ANN401 - a type
    """Of what the rows of a list, or the values of a map, are."""
    return [one for member in get_args(kind)[-1:] for one in _plain(member)] if get_origin(kind) in {list, dict} else []


def never_stated(module: Module, others: Sequence[Module] = ()) -> Iterator[WrongForm]:
    """
    Statements and functions that a rule asks for by a name that nothing has.

    Args:
        module: its tree.
        others: the other modules of its package.
    """
    stated = {rule.name.partition(".")[0] for one in (module, *others) for rule in one.rules}
    imported = {one.alias or one.path.rpartition(".")[2] for one in module.imports}
    for rule in module.rules:
        known = stated | imported | _own_names(rule)
        for name, node in _asked(rule):
            if name not in known:
                message = f"`{rule.name}` asks for `{name}`, which is no statement of this area."
                yield WrongForm(node.place, message, f"{hint(name, stated)} Else write `{name} if …` below.")


def _asked(rule: Rule) -> Iterator[tuple[str, Var | Ref]]:
    """Names that stand alone as a line or behind a `not`, and those under which something is looked up."""
    for one in references(rule):
        if isinstance(one, Ref) and isinstance(one.head, Var):
            yield one.head.name, one
    for statement in statements(rule):
        what = statement.what.of if isinstance(statement.what, Not) else statement.what
        if isinstance(what, Var):
            yield what.name, what


def _own_names(rule: Rule) -> set[str]:
    """Every name that a rule gives a value to, or goes through."""
    given = {node.name for argument in rule.arguments for node in walk(argument) if isinstance(node, Var)}
    for node in walk(rule):
        if isinstance(node, Statement) and not isinstance(node.what, Var | Not | Ref | Call):
            given |= {one.name for one in walk(node) if isinstance(one, Var)}
    return given | {"input", "data"}
