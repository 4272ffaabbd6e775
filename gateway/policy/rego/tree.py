"""
The kinds of nodes of a module's syntax tree.

Whatever the parser knows and this file does not is an `Unknown`, never left out: who asks whether something stands in a rule
must look for `Unknown` as well.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

RuleKind = Literal["complete", "set", "object", "function", "default"]
"""How a rule makes its value: `p := v`, `p contains v`, `p[k] := v`, `p(x) := v`, `default p := v`."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a node stands."""

    file: str
    line: int
    """Of its first character, from 1."""

    column: int
    """Of its first character, from 1; a tab counts as one."""

    start: int
    """Index of its first character in the text of the module."""

    end: int
    """Index behind its last character."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Node:
    """Anything that stands somewhere."""

    place: Place


@dataclass(frozen=True, slots=True)
class Var(Node):
    """A name alone: a variable, a rule of the module, `input`, `data` or a builtin."""

    name: str


@dataclass(frozen=True, slots=True)
class Scalar(Node):
    """A text, a number, true, false or null."""

    value: str | int | float | bool | None
    raw: bool = False
    """Whether it is a text between backticks."""


@dataclass(frozen=True, slots=True)
class Ref(Node):
    """What is looked up under something: `input.item.zone`, `table[key].rows[_]`."""

    head: "Expr"
    parts: "tuple[Expr, ...]"
    """What is looked up, one after the other; a name after a dot is a `Scalar`."""


@dataclass(frozen=True, slots=True)
class Array(Node):
    """`[a, b]`."""

    members: "tuple[Expr, ...]"


@dataclass(frozen=True, slots=True)
class SetOf(Node):
    """`{a, b}`."""

    members: "tuple[Expr, ...]"


@dataclass(frozen=True, slots=True)
class Object(Node):
    """`{k: v}`."""

    fields: "tuple[tuple[Expr, Expr], ...]"


@dataclass(frozen=True, slots=True)
class Comprehension(Node):
    """`[v | …]`, `{v | …}`, `{k: v | …}`; *key* is None but in the last."""

    kind: Literal["array", "set", "object"]
    key: "Expr | None"
    value: "Expr"
    query: "Query"


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`f(a, b)`, with *function* as it is written, such as `http.send` or `data.context.pii.f`."""

    function: str
    target: "Expr"
    arguments: "tuple[Expr, ...]"


@dataclass(frozen=True, slots=True)
class Comparison(Node):
    """`a == b`, with `==`, `!=`, `<`, `<=`, `>` or `>=`."""

    operator: str
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class Arithmetic(Node):
    """`a + b`, with `+`, `-`, `*`, `/`, `%`, or `&` and `|` of sets."""

    operator: str
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class Assignment(Node):
    """`a := b`, or `a = b`, which compares where both are known."""

    operator: str
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True)
class Membership(Node):
    """`v in c`, or `k, v in c`."""

    key: "Expr | None"
    value: "Expr"
    within: "Expr"


@dataclass(frozen=True, slots=True)
class Negative(Node):
    """`-a`."""

    of: "Expr"


@dataclass(frozen=True, slots=True)
class Unknown(Node):
    """What this file has no kind for."""

    kind: str
    """The parser's word for it."""

    raw: Mapping[str, Any]
    """All that the parser says of it."""


_Collection = Array | SetOf | Object | Comprehension
_Operation = Call | Comparison | Arithmetic | Assignment | Membership | Negative

Expr = Var | Scalar | Ref | _Collection | _Operation | Unknown
"""What has a value."""


@dataclass(frozen=True, slots=True)
class Not(Node):
    """`not a`."""

    of: Expr


@dataclass(frozen=True, slots=True)
class Some(Node):
    """`some a, b`, which names variables and says nothing of them."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SomeIn(Node):
    """`some v in c`, `some k, v in c`."""

    key: Expr | None
    value: Expr
    within: Expr


@dataclass(frozen=True, slots=True)
class Every(Node):
    """`every v in c { … }`, `every k, v in c { … }`."""

    key: str | None
    value: str
    within: Expr
    query: "Query"


@dataclass(frozen=True, slots=True)
class With(Node):
    """`with target as value`, behind a statement."""

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Statement(Node):
    """One line of a body: what must hold, and what stands for what while it is asked."""

    what: Expr | Not | Some | SomeIn | Every
    withs: tuple[With, ...] = ()


@dataclass(frozen=True, slots=True)
class Query(Node):
    """Statements that must hold together; its place is with its braces where it has any."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Body(Node):
    """What follows a head: `if { … }`, or `else := v if { … }`."""

    query: Query
    """Without statements where it always holds, as in `else := v`."""

    is_else: bool
    value: Expr | None
    """Of an `else`; None where that is plainly true, and of the first body, whose value is the rule's."""


@dataclass(frozen=True, slots=True)
class Rule(Node):
    """One rule as it is written; rules of one name are alternatives of each other."""

    name: str
    """Its name as it is written, without keys in brackets: `permit`, `p.q`."""

    kind: RuleKind
    head: Place
    """Where its head stands, up to `if`."""

    path: tuple[Expr, ...]
    """What stands behind its first name: the key of `p[k]`, the names of `p.q`."""

    arguments: tuple[Expr, ...]
    operator: str
    """`:=` or `=`; empty where no value is written."""

    value: Expr | None
    """What it gives, or what its set contains; None where that is plainly true."""

    bodies: tuple[Body, ...]
    """The first, and one for each `else`; none where the rule always holds."""


@dataclass(frozen=True, slots=True)
class Import(Node):
    """`import data.a.b as c`."""

    path: str
    alias: str | None


@dataclass(frozen=True, slots=True)
class Module(Node):
    """One file."""

    file: str
    text: str
    package: str
    """Such as `context.pii`."""

    imports: tuple[Import, ...]
    rules: tuple[Rule, ...]

    def named(self, name: str) -> list[Rule]:
        """The rules of a name, in order, the default among them."""
        return [rule for rule in self.rules if rule.name == name]

    def source(self, node: Node) -> str:
        """The text of a node, as it is written."""
        return self.text[node.place.start : node.place.end]
