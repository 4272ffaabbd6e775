"""
Formulas over all inputs, each kept once.

A formula says something of an input that nobody knows yet.  It is a tree of terms; equal terms are the same object, so that what two
bundles have in common is one formula and costs nothing to compare.  Texts and numbers are compared in the order that Rego gives
them; `exists` speaks of one member of a list of the input, which may have any length.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Final, cast
from weakref import WeakValueDictionary


@dataclass(frozen=True, slots=True)
class Index:
    """One member of a list of the input, not said which."""

    path: tuple[Any, ...]
    """Where the list stands; names, and an `Index` for each list around it."""

    number: int
    """Tells members of one list apart where a formula speaks of several."""


class Term:
    """A formula, or a text or number that is not known yet."""

    __slots__ = ("__weakref__", "args", "free", "op", "spoken")

    op: str
    args: tuple[Any, ...]
    free: frozenset[Index]
    """The members of lists that it speaks of and does not itself bind."""

    spoken: frozenset[Index]
    """All that it speaks of, also those that it binds."""

    def __init__(self, op: str, args: tuple[Any, ...]) -> None:
        self.op = op
        self.args = args
        free: set[Index] = set()
        spoken: set[Index] = set()
        for one in args:
            free |= free_in(one)
            spoken |= spoken_in(one)
        if op == "exists":
            free -= {args[0]}
            free |= free_in(args[0].path)
        self.free = frozenset(free)
        self.spoken = frozenset(spoken)

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(repr, self.args))})"


def free_in(one: object) -> frozenset[Index]:
    """The members of lists that something speaks of and does not bind."""
    return one.free if isinstance(one, Term) else _indices(one, free_in)


def spoken_in(one: object) -> frozenset[Index]:
    """The members of lists that something speaks of."""
    return one.spoken if isinstance(one, Term) else _indices(one, spoken_in)


def _indices(one: object, within: Callable[[object], frozenset[Index]]) -> frozenset[Index]:
    if isinstance(one, Index):
        return frozenset({one}) | within(one.path)
    if isinstance(one, tuple):
        return frozenset().union(*map(within, one))
    if is_dataclass(one) and not isinstance(one, type):
        return frozenset().union(*(within(getattr(one, field.name)) for field in fields(one)))
    return frozenset()


_kept: WeakValueDictionary[Any, Term] = WeakValueDictionary()


def term(op: str, *args: Any) -> Term:  # noqa: ANN401 - terms, names and constants alike
    """The one term of these parts."""
    # The type is part of the key: 1, 1.0 and true are equal to Python.
    key = (op, tuple((type(one), one) for one in args))
    found = _kept.get(key)
    if found is None:
        found = _kept[key] = Term(op, args)
    return found


TRUE: Final = term("true")
FALSE: Final = term("false")


def boolean(value: bool) -> Term:  # noqa: FBT001 - a constant
    """The formula that always, or never, holds."""
    return TRUE if value else FALSE


def negated(one: Term) -> Term:
    """Where a formula does not hold."""
    if one is TRUE or one is FALSE:
        return FALSE if one is TRUE else TRUE
    return cast("Term", one.args[0]) if one.op == "not" else term("not", one)


def conjoined(several: Iterable[Term]) -> Term:
    """Where all hold."""
    return _joined(several, "and", TRUE, FALSE)


def disjoined(several: Iterable[Term]) -> Term:
    """Where one holds."""
    return _joined(several, "or", FALSE, TRUE)


def _joined(several: Iterable[Term], op: str, neutral: Term, final: Term) -> Term:
    parts: dict[Term, None] = {}
    for one in several:
        if one is final:
            return final
        if one is not neutral:
            parts.update(dict.fromkeys(one.args if one.op == op else (one,)))
    if any(negated(one) in parts for one in parts if one.op == "not"):
        return final
    if len(parts) <= 1:
        return next(iter(parts), neutral)
    return term(op, *parts)


def exists(binders: Iterable[Index], body: Term) -> Term:
    """Where members of lists can be chosen so that the formula holds; the outermost list first."""
    for index in reversed(tuple(binders)):
        if body is FALSE:
            return FALSE
        # What does not speak of the member stands beside it, so that it is not said again of every member that there is.  Whether
        # or not the rest speaks of it, a member must be there.
        parts = body.args if body.op == "and" else (body,)
        apart = [one for one in parts if index not in one.free]
        body = conjoined([*apart, term("exists", index, conjoined(one for one in parts if index in one.free))])
    return body


def text(value: str) -> Term:
    """A text that is known."""
    return term("text", value)


def number(value: float) -> Term:
    """A number that is known."""
    return term("number", value)


def some_truth(*path: Any) -> Term:  # noqa: ANN401 - names and members of lists
    """A truth of the input; *path* says which."""
    return term("some_truth", *path)


def some_text(*path: Any) -> Term:  # noqa: ANN401 - names and members of lists
    """A text of the input; *path* says which."""
    return term("some_text", *path)


def some_number(*path: Any, whole: bool) -> Term:  # noqa: ANN401 - names and members of lists
    """A number of the input; *path* says which."""
    return term("some_whole" if whole else "some_number", *path)


def is_known(one: Term) -> bool:
    """Whether a text or number is known."""
    return one.op in {"text", "number"}


def equal(left: Term, right: Term) -> Term:
    """Where two texts, or two numbers, are the same."""
    if left is right:
        return TRUE
    if is_known(left) and is_known(right):
        return boolean(left.args[0] == right.args[0])
    if is_known(left):
        left, right = right, left
    if is_known(right):
        return _equals(left, str(right.args[0])) if left.op in _MADE else term("equal", left, right)
    return _made_equal(left, right)


_MADE: Final = frozenset({"joined", "without_prefix"})
"""Texts that are made of another: `joined` of a known beginning and a text, `without_prefix` of a text and a known beginning."""


def _equals(made: Term, wanted: str) -> Term:
    """Where a text that is made of another one is one that is known."""
    if made.op == "joined":
        prefix, rest = made.args
        return equal(rest, text(wanted.removeprefix(prefix))) if wanted.startswith(prefix) else FALSE
    whole, prefix = made.args
    bare = conjoined([negated(begins(whole, prefix)), equal(whole, text(wanted))])
    return disjoined([equal(whole, text(prefix + wanted)), bare])


def _made_equal(left: Term, right: Term) -> Term:
    """Of a text that begins with a known one, what it equals does as well."""
    if left.op == "joined":
        return conjoined([term("equal", left, right), begins(right, left.args[0])])
    if right.op == "joined":
        return conjoined([term("equal", right, left), begins(left, right.args[0])])
    return term("equal", left, right)


def below(left: Term, right: Term) -> Term:
    """Where one text or number stands before another of its kind."""
    if left is right:
        return FALSE
    if is_known(left) and is_known(right):
        return boolean(left.args[0] < right.args[0])
    return term("below", left, right)


def at_most(left: Term, right: Term) -> Term:
    """Where one text or number does not stand behind another of its kind."""
    return negated(below(right, left))


def begins(one: Term, prefix: str) -> Term:
    """Where a text begins with one that is known: those texts stand together in the order of texts."""
    if is_known(one):
        return boolean(one.args[0].startswith(prefix))
    if not prefix:
        return TRUE
    return conjoined([at_most(text(prefix), one), below(one, text(prefix[:-1] + chr(ord(prefix[-1]) + 1)))])


def replaced(one: Any, instead: Mapping[Any, Any]) -> Any:  # noqa: ANN401 - a term, an index, or what holds some
    """A formula, or whatever holds some, in which other terms or members of lists stand for those named."""
    names = {key for key in instead if isinstance(key, Index)}
    return _Replacing(instead, names)(one)


class _Replacing:
    def __init__(self, instead: Mapping[Any, Any], names: set[Index]) -> None:
        self._instead = instead
        self._names = names if len(names) == len(instead) else None
        self._done: dict[Any, Any] = {}

    def __call__(self, one: Any) -> Any:  # noqa: ANN401 - a term, an index, or what holds some
        if isinstance(one, tuple):
            return tuple(map(self, one))
        if not isinstance(one, Term | Index) and not (is_dataclass(one) and not isinstance(one, type)):
            return one
        if one not in self._done:
            self._done[one] = self._made(one)
        return self._done[one]

    def _made(self, one: Any) -> Any:  # noqa: ANN401 - a term, an index, or what holds some
        if one in self._instead:
            return self._instead[one]
        if not isinstance(one, Term):
            return replace(one, **{field.name: self(getattr(one, field.name)) for field in fields(one)})
        if self._names is not None and not one.spoken & self._names:
            return one
        return rebuilt(one.op, tuple(map(self, one.args)))


def rebuilt(op: str, args: tuple[Any, ...]) -> Term:
    """A term of these parts, as simple as it is."""
    match op:
        case "and":
            return conjoined(args)
        case "or":
            return disjoined(args)
        case "not":
            return negated(args[0])
        case "exists":
            return exists(args[:1], args[1])
        case "equal":
            return equal(*args)
        case "below":
            return below(*args)
    return term(op, *args)


def parts_of(one: Term) -> Iterator[Term]:
    """Every term below a term, each once."""
    seen: set[Term] = set()
    waiting: list[Any] = [one]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Term) and part not in seen:
            seen.add(part)
            yield part
            waiting += part.args
