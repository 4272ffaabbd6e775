"""A text becomes a tree whose places are those that an editor shows."""

import pytest

from gateway.errors import RegoTooDeepError, RegoUnreadableError
from gateway.policy.rego.parse import parse
from gateway.policy.rego.tree import (
    Arithmetic,
    Array,
    Assignment,
    Call,
    Comparison,
    Comprehension,
    Every,
    Membership,
    Negative,
    Not,
    Object,
    Ref,
    Scalar,
    SetOf,
    Some,
    SomeIn,
    Unknown,
    Var,
)

_STATEMENTS = {
    "input.a.b": Ref,
    "known": Var,
    "not known": Not,
    'x == "é中"': Comparison,
    'input["a"] != `b`': Comparison,
    "x > -1": Comparison,
    "some y": Some,
    "some k, v in input.rows": SomeIn,
    "every v in input.rows { v > 3; v < 5 }": Every,
    "x in {1, 2}": Membership,
    '"k", x in input.rows': Membership,
    "count(input.rows)": Call,
    "y := 1 + 2": Assignment,
    "1 + 2": Arithmetic,
    "{1} | {2}": Arithmetic,
    "[1, 2]": Array,
    "{1, 2}": SetOf,
    '{"a": 1}': Object,
    "[y | some y in input.rows]": Comprehension,
    "{y | some y in input.rows}": Comprehension,
    "{k: y | some k, y in input.rows}": Comprehension,
    "true": Scalar,
}


@pytest.mark.parametrize(("text", "kind"), _STATEMENTS.items())
def test_statement_has_its_kind_its_place_and_its_text(text, kind):
    """
    Every form of a statement is told from the others, and its text is what an officer wrote, behind letters of any width.
    """
    module = parse("m.rego", f"package a\n\n# 中𝄞\np if {{\n\tx := input.x\n\t{text}\n}}\n")
    [body] = module.rules[0].bodies
    statement = body.query.statements[1]

    assert type(statement.what) is kind
    assert module.source(statement) == text
    assert (statement.place.line, statement.place.column) == (6, 2)


_RULES = {
    "default p := false": ("p", "default"),
    "p if true": ("p", "complete"),
    "p := 3": ("p", "complete"),
    "p contains 3 if true": ("p", "set"),
    "p contains 3": ("p", "set"),
    "p[k] := v if some k, v in input.x": ("p", "object"),
    "p.q := 3": ("p.q", "object"),
    "p(x) := x if x > 3": ("p", "function"),
    "p(x) if x > 3": ("p", "function"),
    "default p(x) := 3": ("p", "default"),
}


@pytest.mark.parametrize(("text", "said"), _RULES.items())
def test_rule_has_its_kind_and_its_text(text, said):
    """
    A rule is told from the others by how it makes its value.
    """
    module = parse("m.rego", f"package a\n{text}\n")
    [rule] = module.rules

    assert (rule.name, rule.kind) == said
    assert module.source(rule) == text


def test_else_is_a_body_of_its_own():
    """
    What is given where the first body does not hold, and what is given in the end, are seen.
    """
    module = parse("m.rego", 'package a\np := "a" if {\n\tx\n} else := "b" if {\n\ty\n}\n\nelse := "c"\nx := 1\n')
    first, second, last = module.rules[0].bodies

    assert [body.is_else for body in (first, second, last)] == [False, True, True]
    assert [module.source(body.value) for body in (second, last)] == ['"b"', '"c"']
    assert [len(body.query.statements) for body in (first, second, last)] == [1, 1, 0]


def test_what_stands_for_something_else_is_seen():
    """
    A `with` belongs to its statement, and what the statement says is without it.
    """
    module = parse("m.rego", "package a\np if not x with input.q as 3 with data.y as {}\n")
    [statement] = module.rules[0].bodies[0].query.statements

    assert [module.source(one.target) for one in statement.withs] == ["input.q", "data.y"]
    assert module.source(statement.what).strip() == "not x"


def test_negative_number_is_one():
    """
    A sign before something is seen.
    """
    module = parse("m.rego", "package a\np := -(input.x)\n")

    assert isinstance(module.rules[0].value, Negative)


def test_imports_and_package():
    """
    A module says what it is called and what it brings in, under which name.
    """
    module = parse("m.rego", 'package a["b-c"].d\nimport data.x.y as z\nimport rego.v1\n')

    assert module.package == "a.b-c.d"
    assert [(one.path, one.alias) for one in module.imports] == [("data.x.y", "z"), ("rego.v1", None)]


def test_stray_brace_is_told_with_its_place():
    """
    An officer who wrote a brace too many hears in which line and column.
    """
    with pytest.raises(
        RegoUnreadableError, match=r"^m\.rego:4:2: the rules cannot be read: expecting identifier"
    ) as told:
        parse("m.rego", "package a\np if {\n\tx\n}}\n")

    assert told.value.fields[0][0] == "m.rego:4:2"


def test_text_without_a_package_is_refused():
    """
    What is no module at all is refused, not taken for an empty one.
    """
    with pytest.raises(RegoUnreadableError, match="package"):
        parse("m.rego", "p := 3\n")


def test_chain_of_thousands_is_refused_before_it_is_parsed():
    """
    A chain whose tree would take hundreds of megabytes is refused by its text alone.
    """
    with pytest.raises(RegoTooDeepError, match=r"^m\.rego:"):
        parse("m.rego", "package a\np := 1" + "\n+1" * 3_000 + "\n")


def test_what_the_parser_learns_is_not_passed_over(monkeypatch):
    """
    A form that a later parser knows and we do not is seen as unknown, with all that was said of it.
    """
    span = {"line": 2, "col": 6, "start": 15, "end": 16}
    package = {"refr": {"Var": {"span": span, "value": "a"}}}
    head = {"Compr": {"span": span, "refr": {"Var": {"span": span, "value": "p"}}, "assign": None}}
    literal = {"Expr": {"span": span, "expr": {"Tomorrow": {"span": span, "of": "x"}}}}
    query = {"span": span, "stmts": [{"span": span, "literal": literal}]}
    body = {"span": span, "assign": None, "is_else": False, "query": query}
    rule = {"Spec": {"span": span, "head": head, "bodies": [body]}}
    tree = {"package": package, "imports": [], "rules": [rule]}
    monkeypatch.setattr("gateway.policy.rego.parse._parsed", lambda *_: tree)

    found = parse("m.rego", "package a\np if x\n").rules[0].bodies[0].query.statements[0].what

    assert isinstance(found, Unknown)
    assert (found.kind, found.raw["of"]) == ("Tomorrow", "x")
