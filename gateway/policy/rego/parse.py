"""
The one place that asks the engine's own parser for the tree of a module, and knows its words for it.

The parser is a function from a text to a tree, as the reader of YAML is, so that it is called where it is needed and not
handed down through every check (docs/adr/0036-rego-as-a-tree.md).  Spans come as offsets in UTF-8, and the line and column of
some are those of an operator: places are made from the offsets.
"""

import json

from bisect import bisect_right
from typing import Any, Final

import regorus

from gateway.errors import RegoUnreadableError
from gateway.policy.rego.limits import require_readable
from gateway.policy.rego.tree import (
    Arithmetic,
    Array,
    Assignment,
    Body,
    Call,
    Comparison,
    Comprehension,
    Every,
    Expr,
    Import,
    Membership,
    Module,
    Negative,
    Not,
    Object,
    Place,
    Query,
    Ref,
    Rule,
    RuleKind,
    Scalar,
    SetOf,
    Some,
    SomeIn,
    Statement,
    Unknown,
    Var,
    With,
)

_PANIC: Final = "PanicException"
_COMPARED: Final = {"Lt": "<", "Le": "<=", "Eq": "==", "Ge": ">=", "Gt": ">", "Ne": "!="}
_COUNTED: Final = {"Add": "+", "Sub": "-", "Mul": "*", "Div": "/", "Mod": "%", "Union": "|", "Intersection": "&"}
_ASSIGNED: Final = {"Eq": "=", "ColEq": ":="}
_QUOTES: Final = frozenset('"`')
_SCALARS: Final = frozenset({"String", "RawString", "Number", "Bool", "Null"})


def parse(file: str, text: str) -> Module:
    """
    The tree of a module.

    Raises:
        RegoUnreadableError: it is no Rego, or too deep to be read; the message has file, line and column.
    """
    require_readable(file, text)
    return _Translation(file, text).module(_parsed(file, text))


def _parsed(file: str, text: str) -> dict[str, Any]:
    engine = regorus.Engine()
    try:
        engine.add_policy(file, text)
        tree: dict[str, Any] = json.loads(engine.get_ast_as_json())[0]["ast"]
    except BaseException as error:
        # Its panics are no `Exception`.
        if not isinstance(error, RuntimeError | RecursionError) and type(error).__name__ != _PANIC:
            raise
        raise _unreadable(file, str(error)) from error
    return tree


def _unreadable(file: str, said: str) -> RegoUnreadableError:
    """The parser's words without the lines of source and the native stack around them."""
    words = said.partition("Stack backtrace")[0]
    place = words.partition("--> ")[2].partition("\n")[0].strip()
    line, _, column = place.removeprefix(f"{file}:").partition(":")
    message = words.rpartition("error: ")[2].strip()[:200] if place else words.strip()[:200]
    at = f"{file}:{line}:{column}" if line.isdecimal() and column.isdecimal() else f"{file}:1:1"
    why = message or "it cannot be parsed"
    return RegoUnreadableError(f"{at}: the rules cannot be read: {why}", fields=[(at, why)])


class _Translation:
    """From the parser's words to ours, for one module."""

    def __init__(self, file: str, text: str) -> None:
        self._file = file
        self._text = text
        self._bytes = text.encode()
        self._plain = len(self._bytes) == len(text)
        self._lines = [0, *(index + 1 for index, letter in enumerate(text) if letter == "\n")]

    def module(self, ast: dict[str, Any]) -> Module:
        package = self._dotted(ast["package"]["refr"])
        whole = self._between(0, len(self._text))
        imports = tuple(self._import(one) for one in ast["imports"])
        return Module(
            whole, self._file, self._text, package, imports, tuple(self._rule(*_only(one)) for one in ast["rules"])
        )

    def _place(self, span: dict[str, int]) -> Place:
        start, end = self._index(span["start"]), self._index(span["end"])
        # The parser's span of a text, and of all that begins or ends with one, is without its quote.
        before, behind = self._text[max(0, start - 1) : start], self._text[end : end + 1]
        return self._between(start - (before in _QUOTES), end + (behind in _QUOTES))

    def _index(self, offset: int) -> int:
        """Characters before an offset, which counts bytes."""
        return offset if self._plain else len(self._bytes[:offset].decode(errors="ignore"))

    def _between(self, start: int, end: int) -> Place:
        line = bisect_right(self._lines, start)
        return Place(self._file, line, start - self._lines[line - 1] + 1, start, end)

    def _span_text(self, span: dict[str, int]) -> str:
        return self._bytes[span["start"] : span["end"]].decode(errors="ignore")

    def _dotted(self, refr: dict[str, Any]) -> str:
        expr = self._expr(refr)
        parts = [str(part.value) for part in expr.parts if isinstance(part, Scalar)] if isinstance(expr, Ref) else []
        head = expr.head if isinstance(expr, Ref) else expr
        return ".".join([head.name if isinstance(head, Var) else "", *parts])

    def _import(self, one: dict[str, Any]) -> Import:
        alias = self._span_text(one["as"]) if one.get("as") else None
        return Import(self._place(one["span"]), self._dotted(one["refr"]), alias)

    def _rule(self, kind: str, rule: dict[str, Any]) -> Rule:
        place = self._place(rule["span"])
        if kind == "Default":
            arguments = self._exprs(rule["args"])
            operator, value = _ASSIGNED.get(rule["op"], rule["op"]), self._expr(rule["value"])
            name, path = self._name(rule["refr"])
            return Rule(place, name, "default", place, path, arguments, operator, value, ())
        form, head = _only(rule["head"])
        name, path = self._name(head["refr"])
        assigned = head.get("assign") or {}
        value_ = head["key"] if form == "Set" else assigned.get("value")
        return Rule(
            place,
            name,
            _kind(form, path),
            self._place(head["span"]),
            path,
            self._exprs(head.get("args", ())),
            _ASSIGNED.get(assigned.get("op", ""), ""),
            self._expr(value_) if value_ else None,
            tuple(self._body(one) for one in rule["bodies"]),
        )

    def _name(self, refr: dict[str, Any]) -> tuple[str, tuple[Expr, ...]]:
        """The name of a rule, and what stands behind its first name."""
        expr = self._expr(refr)
        if not isinstance(expr, Ref):
            return (expr.name if isinstance(expr, Var) else "", ())
        names = [expr.head.name if isinstance(expr.head, Var) else ""]
        for part in expr.parts:
            if not isinstance(part, Scalar) or self._text[part.place.start - 1] != ".":
                break
            names.append(str(part.value))
        return ".".join(names), expr.parts

    def _body(self, body: dict[str, Any]) -> Body:
        assigned = body["assign"]
        value = self._expr(assigned["value"]) if assigned else None
        return Body(self._place(body["span"]), self._query(body["query"]), body["is_else"], value)

    def _query(self, query: dict[str, Any]) -> Query:
        return Query(self._place(query["span"]), tuple(self._statement(one) for one in query["stmts"]))

    def _statement(self, one: dict[str, Any]) -> Statement:
        withs = tuple(
            With(self._place(mod["span"]), self._expr(mod["refr"]), self._expr(mod["as"]))
            for mod in one.get("with_mods", ())
        )
        kind, said = _only(one["literal"])
        whole = self._place(one["span"])
        # Behind it, its replacements belong to the statement and not to what it says.
        place = self._between(whole.start, withs[0].place.start) if withs else whole
        return Statement(whole, self._literal(kind, said, place), withs)

    def _literal(self, kind: str, said: dict[str, Any], place: Place) -> Expr | Not | Some | SomeIn | Every:
        match kind:
            case "Expr":
                return self._expr(said["expr"])
            case "NotExpr":
                return Not(place, self._expr(said["expr"]))
            case "SomeVars":
                return Some(place, tuple(self._span_text(one) for one in said["vars"]))
            case "SomeIn":
                return SomeIn(
                    place, self._maybe(said["key"]), self._expr(said["value"]), self._expr(said["collection"])
                )
            case "Every":
                key = self._span_text(said["key"]) if said["key"] else None
                domain, query = self._expr(said["domain"]), self._query(said["query"])
                return Every(place, key, self._span_text(said["value"]), domain, query)
        return Unknown(place, kind, said)

    def _maybe(self, one: dict[str, Any] | None) -> Expr | None:
        return self._expr(one) if one else None

    def _exprs(self, several: Any) -> tuple[Expr, ...]:  # noqa: ANN401 - a part of JSON
        return tuple(self._expr(one) for one in several)

    def _expr(self, one: dict[str, Any]) -> Expr:
        kind, said = _only(one)
        place = self._place(said["span"])
        if kind in _SCALARS:
            return Scalar(place, said.get("value"), raw=kind == "RawString")
        if kind in {"RefDot", "RefBrack"}:
            return self._ref(place, one)
        return self._collection(kind, said, place) or self._operation(kind, said, place) or Unknown(place, kind, said)

    def _ref(self, place: Place, one: dict[str, Any]) -> Ref:
        parts: list[Expr] = []
        kind, said = _only(one)
        while kind in {"RefDot", "RefBrack"}:
            if kind == "RefDot":
                span, name = said["field"]
                parts.append(Scalar(self._place(span), name))
            else:
                parts.append(self._expr(said["index"]))
            one = said["refr"]
            kind, said = _only(one)
        return Ref(place, self._expr(one), tuple(reversed(parts)))

    def _collection(self, kind: str, said: dict[str, Any], place: Place) -> Expr | None:
        match kind:
            case "Var":
                return Var(place, said["value"])
            case "Array":
                return Array(place, self._exprs(said["items"]))
            case "Set":
                return SetOf(place, self._exprs(said["items"]))
            case "Object":
                fields = ((self._expr(key), self._expr(value)) for _, key, value in said["fields"])
                return Object(place, tuple(fields))
            case "ArrayCompr":
                return Comprehension(place, "array", None, self._expr(said["term"]), self._query(said["query"]))
            case "SetCompr":
                return Comprehension(place, "set", None, self._expr(said["term"]), self._query(said["query"]))
            case "ObjectCompr":
                key, value = self._expr(said["key"]), self._expr(said["value"])
                return Comprehension(place, "object", key, value, self._query(said["query"]))
        return None

    def _operation(self, kind: str, said: dict[str, Any], place: Place) -> Expr | None:
        match kind:
            case "Call":
                target = self._expr(said["fcn"])
                return Call(
                    place, self._text[target.place.start : target.place.end], target, self._exprs(said["params"])
                )
            case "BoolExpr":
                return Comparison(place, _COMPARED.get(said["op"], said["op"]), *self._sides(said))
            case "ArithExpr" | "BinExpr":
                return Arithmetic(place, _COUNTED.get(said["op"], said["op"]), *self._sides(said))
            case "AssignExpr":
                return Assignment(place, _ASSIGNED.get(said["op"], said["op"]), *self._sides(said))
            case "Membership":
                return Membership(
                    place, self._maybe(said["key"]), self._expr(said["value"]), self._expr(said["collection"])
                )
            case "UnaryExpr":
                return Negative(place, self._expr(said["expr"]))
        return None

    def _sides(self, said: dict[str, Any]) -> tuple[Expr, Expr]:
        return self._expr(said["lhs"]), self._expr(said["rhs"])


def _kind(form: str, path: tuple[Expr, ...]) -> RuleKind:
    if form == "Func":
        return "function"
    if form == "Set":
        return "set"
    return "object" if path else "complete"


def _only(one: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The kind of a node and what is said of it."""
    ((kind, said),) = one.items()
    return kind, said
