"""
No query without its scope: a tool says about which entity and for which jurisdictions it asks, and each of its queries must use both.

Rule held here: what has no scope is refused before a database hears of it; nothing is filled in for a caller who left it out.
"""

import functools
import inspect
import json
import re

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")
Rows = Sequence[Mapping[str, Any]]

MOST_JURISDICTIONS: Final = 64
"""More in one call are no scope."""

_LONGEST_ID: Final = 200
_PARAMETERS: Final = {"entity": re.compile(r"(?<!:):entity\b"), "jurisdictions": re.compile(r"(?<!:):jurisdictions\b")}


class ScopeError(ValueError):
    """A tool was called, or a query written, without the entity or the jurisdictions that it is about."""


@dataclass(frozen=True, slots=True)
class Scope:
    """About which entity a tool is asked, and for which jurisdictions."""

    entity: str | int
    jurisdictions: tuple[str, ...]

    def parameters(self) -> dict[str, str | int]:
        """What a query binds: `:entity`, and `:jurisdictions` as a JSON list, for SQLite's `json_each` or PostgreSQL's own."""
        return {"entity": self.entity, "jurisdictions": json.dumps(self.jurisdictions)}


_in_force: ContextVar[Scope | None] = ContextVar("ctxgate_source_scope", default=None)


def scope_in_force() -> Scope:
    """
    The scope of the tool that is being called.

    Raises:
        ScopeError: nothing that has one is being called.
    """
    scope = _in_force.get()
    if scope is None:
        raise ScopeError("a query needs the scope of a tool")
    return scope


def scoped(
    *, entity: str, jurisdictions: str = "jurisdictions", known: Collection[str] | None = None
) -> Callable[[Callable[_Arguments, _Answer]], Callable[_Arguments, _Answer]]:
    """
    Refuse calls of a function, also of an async one, that do not say about whom and where they ask; its queries run in that scope.

    Args:
        entity: name of the parameter with the entity's id, a text or a number above 0.
        jurisdictions: name of the parameter with the list of jurisdictions.
        known: the jurisdictions that there are; a call with another is refused. Any, if left out.

    Raises:
        ScopeError: the function lacks such a parameter; also when it is called, where there is no scope in the call.
    """

    def decorate(function: Callable[_Arguments, _Answer]) -> Callable[_Arguments, _Answer]:
        signature = inspect.signature(function)
        if missing := {entity, jurisdictions} - signature.parameters.keys():
            raise ScopeError(f"no such parameter: {', '.join(sorted(missing))}")

        def scope_of(args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Scope:
            given = signature.bind_partial(*args, **kwargs).arguments
            return _checked(given.get(entity), given.get(jurisdictions), known)

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def later(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> Any:  # noqa: ANN401 - the function's own
                with _within(scope_of(args, kwargs)):
                    return await function(*args, **kwargs)

            return later  # type: ignore[return-value]

        @functools.wraps(function)
        def now(*args: _Arguments.args, **kwargs: _Arguments.kwargs) -> _Answer:
            with _within(scope_of(args, kwargs)):
                return function(*args, **kwargs)

        return now

    return decorate


class ScopedQueries:
    """Queries of a database, each of them within the scope of the tool that asks."""

    def __init__(self, execute: Callable[[str, Mapping[str, Any]], Rows]) -> None:
        """
        Args:
            execute: runs a statement with bound parameters, and gives its rows by the names of their columns.
        """
        self._execute = execute

    def rows(self, sql: str, **more: object) -> Rows:
        """
        The rows of a query.

        Args:
            sql: a statement that binds `:entity` and `:jurisdictions`, and uses both to say which rows it wants.
            more: what else it binds.

        Raises:
            ScopeError: no scope is in force, the statement does not use both, or another value is given for one of them.
        """
        scope = scope_in_force()
        if unused := [name for name, pattern in _PARAMETERS.items() if not pattern.search(_without_words(sql))]:
            raise ScopeError(f"the query does not use :{' and :'.join(unused)}")
        if taken := _PARAMETERS.keys() & more.keys():
            raise ScopeError(f"the scope alone says :{' and :'.join(sorted(taken))}")
        return self._execute(sql, {**more, **scope.parameters()})


def _without_words(sql: str) -> str:
    """A statement without its texts and comments, to the end where nothing closes them: a name in them binds nothing."""
    return re.sub(r"'[^']*+'?|--[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?", " ", sql)


@contextmanager
def _within(scope: Scope) -> Iterator[None]:
    token = _in_force.set(scope)
    try:
        yield
    finally:
        _in_force.reset(token)


def _checked(entity: object, jurisdictions: object, known: Collection[str] | None) -> Scope:
    if isinstance(entity, bool) or not isinstance(entity, str | int) or not _is_id(entity):
        raise ScopeError("the call does not say about which entity it asks")
    if not isinstance(jurisdictions, list | tuple) or not 0 < len(jurisdictions) <= MOST_JURISDICTIONS:
        raise ScopeError("the call does not say for which jurisdictions it asks")
    for one in jurisdictions:
        if not isinstance(one, str) or not one or (known is not None and one not in known):
            raise ScopeError("the call asks for a jurisdiction that is none")
    return Scope(entity, tuple(jurisdictions))


def _is_id(entity: str | int) -> bool:
    return entity > 0 if isinstance(entity, int) else 0 < len(entity.strip()) <= _LONGEST_ID
