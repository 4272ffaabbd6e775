"""
Builtins, and what is said of them where their arguments are not known.

With arguments that are known the engine itself is asked.  Of the others a few are covered exactly, some are known to give a truth or
a text that nothing else is known of, and the rest may give anything.
"""

from typing import Any, Final

from gateway.workbench.proving.formulas.reading import Ground
from gateway.workbench.proving.formulas.terms import TRUE, Term, begins, term, text
from gateway.workbench.proving.formulas.values import (
    Alternative,
    ArrayAtom,
    Atom,
    Entries,
    Known,
    Listed,
    Members,
    Obscure,
    Size,
    Text,
    Truth,
    rank,
    scalar,
    unknown,
)

_KINDS: Final = {
    "is_null": 0,
    "is_boolean": 1,
    "is_number": 2,
    "is_string": 3,
    "is_array": 4,
    "is_object": 5,
    "is_set": 6,
}
_TRUTHS: Final = frozenset({"endswith", "contains", "regex.match", "startswith"})
"""Of two texts, a truth."""

_TEXTS: Final = frozenset({"trim_prefix", "trim_suffix", "trim"})
"""Of two texts, a text."""

_STRING: Final = 3


def called(function: str, arguments: tuple[Atom, ...], ground: Ground) -> list[Alternative]:
    """What a builtin gives."""
    if all(isinstance(one, Known) for one in arguments):
        return [Alternative(TRUE, Known(one)) for one in ground(function, tuple(_value(one) for one in arguments))]
    exact = _exact(function, arguments)
    if exact is not None:
        return exact
    return [Alternative(unknown("defined", function, *arguments), Obscure((function, *arguments)))]


def _value(atom: Atom) -> Any:  # noqa: ANN401 - any JSON
    return atom.value if isinstance(atom, Known) else None


def _exact(function: str, arguments: tuple[Atom, ...]) -> list[Alternative] | None:
    first, ranks = arguments[0], [rank(one) for one in arguments]
    if function in _KINDS and len(arguments) == 1:
        return _one(Truth(_is(first, _KINDS[function])))
    if function == "count" and len(arguments) == 1:
        return _counted(first)
    if function in _TRUTHS | _TEXTS and len(arguments) == 2 and None not in ranks:
        return _of_texts(function, *arguments) if set(ranks) == {_STRING} else []
    if function == "concat" and len(arguments) == 2:
        return _joined(*arguments)
    return None


def _one(atom: Atom) -> list[Alternative]:
    return [Alternative(TRUE, atom)]


def _is(atom: Atom, kind: int) -> Term:
    found = rank(atom)
    return unknown("kind", kind, atom) if found is None else TRUE if found == kind else term("false")


def _counted(of: Atom) -> list[Alternative] | None:
    if isinstance(of, Listed | Entries | Members):
        return _one(Size(of))
    if isinstance(of, ArrayAtom):
        return _one(Known(len(of.items)))
    found = rank(of)
    # Of a text it is its length, and of what cannot be counted it is undefined.
    return [] if found is not None and found < _STRING else None


def _of_texts(function: str, left: Atom, right: Atom) -> list[Alternative]:
    one, other = _text(left), _text(right)
    if function == "startswith" and isinstance(right, Known):
        return _one(Truth(begins(one, right.value)))
    if function in _TRUTHS:
        return _one(Truth(unknown(function, one, other)))
    if function == "trim_prefix" and isinstance(right, Known):
        return _one(Text(term("without_prefix", one, right.value)))
    return _one(Text(term("made_text", function, one, other)))


def _text(atom: Atom) -> Term:
    found = scalar(atom)
    return found if found is not None else text("")


def _joined(separator: Atom, parts: Atom) -> list[Alternative] | None:
    """Of a known beginning and a text, with nothing between."""
    if separator != Known("") or not isinstance(parts, ArrayAtom) or len(parts.items) != 2:
        return None
    first, second = parts.items
    if not isinstance(first, Known) or not isinstance(first.value, str):
        return None
    if isinstance(second, Text):
        return _one(Text(term("joined", first.value, second.term)))
    found = rank(second)
    return [] if found is not None and found != _STRING else None
