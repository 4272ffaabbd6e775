"""Formulas that speak of another list."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from gateway.workbench.proving.formulas.terms import Index, Term, rebuilt


def moved(formula: Term, path: tuple[Any, ...], to: tuple[Any, ...]) -> Term:
    """A formula that speaks of the members of another list; whether there is a list at all stays the same fact."""
    done: dict[Any, Any] = {}

    def of(one: Any) -> Any:  # noqa: ANN401 - a term, an index, or what holds some
        if isinstance(one, tuple):
            return tuple(map(of, one))
        if is_dataclass(one) and not isinstance(one, type):
            if one not in done:
                done[one] = replace(one, **{each.name: of(getattr(one, each.name)) for each in fields(one)})
                if isinstance(one, Index) and one.path == path:
                    done[one] = Index(to, one.number)
            return done[one]
        if not isinstance(one, Term):
            return one
        if one not in done:
            args = tuple(map(of, one.args))
            inside = one.op.startswith("some_") and args[: len(path)] == path and isinstance(args[len(path)], Index)
            done[one] = rebuilt(one.op, (*to, *args[len(path) :]) if inside else args)
        return done[one]

    found: Term = of(formula)
    return found
