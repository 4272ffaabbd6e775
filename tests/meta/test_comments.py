"""Where the code is densest, it says why."""

import ast
import io
import tokenize

import pytest

from gateway.settings import HOME

SOURCES = sorted(path for package in ("gateway", "adapters", "ledger") for path in (HOME / package).rglob("*.py"))
COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp

LOOPS = 4
"""From so many loops in its comprehensions on, chained or nested, a function has a comment of its own."""

TOGETHER = 3
"""The same, where they stand in one statement."""


def dense_functions(code):
    """Names of the functions of a module whose comprehensions carry the logic, and whether each has a comment."""
    words = tokenize.generate_tokens(io.StringIO(code).readline)
    comments = {word.start[0] for word in words if word.type == tokenize.COMMENT and tells(word.string)}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            simple = [part for part in ast.walk(node) if isinstance(part, ast.stmt) and not hasattr(part, "body")]
            if loops(node) >= LOOPS or max(map(loops, simple), default=0) >= TOGETHER:
                lines = range(node.lineno, (node.end_lineno or 0) + 1)
                yield node.name, any(line in comments for line in lines)


def tells(comment):
    """Whether a comment is for people, and not for a tool."""
    return not comment.lstrip("# ").startswith(("noqa", "type:", "pragma"))


def loops(tree):
    """How many `for` stand in the comprehensions of a piece of code."""
    return sum(len(node.generators) for node in ast.walk(tree) if isinstance(node, COMPREHENSIONS))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(HOME).as_posix())
def test_dense_functions_say_why(path):
    """
    A function whose logic is carried by comprehensions has a comment that says why, or is named here.
    """
    name = path.relative_to(HOME).as_posix()
    silent = {f"{name}:{function}" for function, told in dense_functions(path.read_text()) if not told}
    assert silent == set()


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("def f(a):\n    return [x for y in a for x in y]\n", []),
        ("def f(a):\n    return {x: [z for z in x] for y in a for x in y}\n", [("f", False)]),
        ("def f(a):\n    # For a reason.\n    return {x: [z for z in x] for y in a for x in y}\n", [("f", True)]),
        ("def f(a):\n    return {x: [z for z in x] for y in a for x in y}  # noqa: C416\n", [("f", False)]),
        ("def f(a):\n    b = [x for x in a if x]\n    c = [x for x in b]\n    return [x for x in c]\n", []),
        (
            "def f(a):\n    b = [x for x in a]\n    c = [x for x in b]\n    d = [x for x in c]\n    return {*(x for x in d)}\n",
            [("f", False)],
        ),
        ("# Why.\nasync def f(a):\n    return [[[x for x in y] for y in z] for z in a]\n", [("f", False)]),
    ],
)
def test_what_is_dense(code, found):
    """
    Three loops in one statement or four in a function are dense; a comment above the function or for a tool does not count.
    """
    assert list(dense_functions(code)) == found
