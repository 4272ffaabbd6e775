"""What a formula says of one input: the same question that the engine answers, so that the two can be held against each other."""

from typing import Any, Final

from gateway.workbench.proving.formulas.inputs import NAME, VALUE, InputSchema, fits
from gateway.workbench.proving.formulas.reading import Ground
from gateway.workbench.proving.formulas.terms import Index, Term

_ABSENT: Final = object()


class ObscureError(Exception):
    """The formula depends on something that is not covered, so that it says nothing of this input."""


class Deciding:
    """One input, and what formulas say of it."""

    def __init__(self, facts: dict[str, Any], schema: InputSchema, ground: Ground) -> None:
        """
        Args:
            facts: the input.
            schema: of such inputs, with which the formulas were made.
            ground: asks the engine for a builtin.
        """
        self._facts = facts
        self._schema = schema
        self._ground = ground
        self._found: dict[Term, Any] = {}

    def holds(self, one: Term) -> bool:
        """
        Whether a formula holds.

        Raises:
            ObscureError: it depends on what is not covered.
        """
        return bool(self._of(one, {}))

    def _of(self, one: Term, chosen: dict[Index, int]) -> Any:  # noqa: ANN401 - a truth, text or number
        if one.free:
            return self._made(one, chosen)
        if one not in self._found:
            self._found[one] = self._made(one, chosen)
        return self._found[one]

    def _made(self, one: Term, chosen: dict[Index, int]) -> Any:  # noqa: ANN401 - a truth, text or number
        match one.op:
            case "true" | "false":
                return one.op == "true"
            case "text" | "number":
                return one.args[0]
            case "not":
                return not self._of(one.args[0], chosen)
            case "and":
                return all(self._of(part, chosen) for part in one.args)
            case "or":
                return any(self._of(part, chosen) for part in one.args)
            case "exists":
                return self._some(one, chosen)
            case "equal" | "below" | "plus" | "minus" | "times":
                return self._pair(one.op, self._of(one.args[0], chosen), self._of(one.args[1], chosen))
            case "joined" | "without_prefix" | "made_text":
                return self._text(one, chosen)
        return self._fact(one, chosen)

    @staticmethod
    def _pair(op: str, left: Any, right: Any) -> Any:  # noqa: ANN401 - texts or numbers
        # Of two types only where the alternative that compares them does not hold.
        if isinstance(left, str) != isinstance(right, str) or any(
            one is None or one is _ABSENT for one in (left, right)
        ):
            return False
        match op:
            case "equal":
                return left == right
            case "below":
                return left < right
            case "plus":
                return left + right
            case "minus":
                return left - right
        return left * right

    def _some(self, one: Term, chosen: dict[Index, int]) -> bool:
        index, body = one.args
        several = self._at(index.path, chosen)
        places = range(len(several)) if isinstance(several, list | dict) else range(0)
        return any(self._of(body, {**chosen, index: place}) for place in places)

    def _text(self, one: Term, chosen: dict[Index, int]) -> Any:  # noqa: ANN401 - a text
        if one.op == "joined":
            return one.args[0] + self._of(one.args[1], chosen)
        if one.op == "without_prefix":
            return str(self._of(one.args[0], chosen)).removeprefix(one.args[1])
        return self._asked(one.args[0], one.args[1:], chosen)

    def _asked(self, function: str, arguments: tuple[Term, ...], chosen: dict[Index, int]) -> Any:  # noqa: ANN401 - what it gives
        found = self._ground(function, tuple(self._of(each, chosen) for each in arguments))
        return found[0] if found else _ABSENT

    def _fact(self, one: Term, chosen: dict[Index, int]) -> Any:  # noqa: ANN401 - a truth, text or number
        *path, last = one.args
        if one.args[0] == "~":
            if all(isinstance(each, Term) for each in one.args[2:]):
                return self._asked(one.args[1], one.args[2:], chosen)
            raise ObscureError
        if last == "?there":
            return self._at(tuple(path), chosen) is not _ABSENT
        if isinstance(last, str) and last.startswith("?"):
            return fits(self._at(tuple(path), chosen), self._schema.option(tuple(path), int(last[1:])))
        return self._at(one.args, chosen)

    def _at(self, path: tuple[Any, ...], chosen: dict[Index, int]) -> Any:  # noqa: ANN401 - any JSON
        """What stands at a path; a fact of another type than is asked for makes no difference, as its alternative does not hold."""
        value: Any = self._facts
        for step in path:
            if isinstance(step, Index):
                value = _member(value, chosen[step])
            elif step in {NAME, VALUE}:
                value = value[step == VALUE] if isinstance(value, tuple) else _ABSENT
            else:
                value = value.get(step, _ABSENT) if isinstance(value, dict) else _ABSENT
        return value


def _member(value: object, place: int) -> Any:  # noqa: ANN401 - any JSON
    """A member of a list, or an entry of an object with its name."""
    if isinstance(value, dict):
        return list(value.items())[place]
    return value[place] if isinstance(value, list) else _ABSENT
