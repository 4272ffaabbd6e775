"""
New areas, rules and cases, written so that nothing is forgotten: the list of areas, the lines that ask them, the tests.

What is written stands in `templates/`.  Every function changes the files of a bundle folder and leaves it so that
`ctxgate policy check` passes; what it writes refuses until an officer says otherwise.
"""

import json
import re

from pathlib import Path
from string import Template
from typing import Final

import yaml

from gateway.errors import BundleInvalidError, FieldInvalidError, GatewayError, NotFoundError
from gateway.model.base import Model
from gateway.policy.annotations import conditions, emitted_codes, with_conditions
from gateway.policy.areas import ENTRY, LIST, areas_of, rewritten
from gateway.policy.bundle import load_bundle
from gateway.policy.entrypoints import NAMES
from gateway.policy.rego.reader import read
from gateway.workbench.case_tests import FILE, case_tests
from gateway.workbench.cases import Compile
from gateway.workbench.checks import check
from gateway.workbench.publishing.table_schemas import write_schema

TEMPLATES: Final = Path(__file__).parent / "templates"


class NewRule(Model):
    """What an officer says of a new refusal."""

    code: str
    title: str
    description: str
    control: str
    condition: str
    """Name of the condition that must hold, in lower case with underscores."""

    holds_if: str
    """When it holds, as one line of Rego."""


_ADMITS: Final = re.compile(r"\bentrypoint: admit\b")


def new_case(root: Path, area: str, name: str, change: object, codes: list[str]) -> None:
    """
    Add a case at the end of its part: `refused` where there are codes, else `allowed`.

    Raises:
        NotFoundError: there is no such area.
    """
    path = _area(root, area) / "cases.yaml"
    flow = yaml.safe_dump(change, default_flow_style=True, width=10_000).strip().removesuffix("\n...")
    lines = _filled("case.yaml", name=json.dumps(name), change=flow)
    if codes:
        lines += f"    codes: [{', '.join(sorted(codes))}]\n"
    text = path.read_text()
    path.write_text(_at_the_end_of(text, "refused" if codes else "allowed", lines))
    write_case_tests(root)


def new_rule(root: Path, area: str, rule: NewRule, *, compile_: Compile | None = None) -> None:
    """
    Add a condition to an area's `permit`, its definition, and the refusal that explains it; nothing where that may not decide.

    Args:
        root: the bundle folder.
        area: the folder of the area.
        rule: what is added.
        compile_: tells what only the compiler finds.

    Raises:
        NotFoundError: there is no such area.

        FieldInvalidError: the code or the condition is taken, or what was written may not decide.
    """
    folder = _area(root, area)
    path = folder / f"{area}.rego"
    before = path.read_text()
    if any(f'"{rule.code}"' in text for text in load_bundle(root).modules.values()):
        raise FieldInvalidError("the code is taken", fields=[("code", "is taken")])
    taken = {one.name for one in read(path.name, before).rules}
    if rule.condition in taken or not rule.condition.isidentifier():
        raise FieldInvalidError("the condition needs a name of its own", fields=[("condition", "is taken or no name")])
    text = with_conditions(before, [*conditions(before), rule.condition])
    path.write_text(f"{text.rstrip()}\n\n{_refusal(rule)}")
    try:
        _require_deciding(root, f"context/{area}/{area}.rego", compile_)
    except GatewayError:
        path.write_text(before)
        raise
    _expect_when_nothing_is_known(folder / "cases.yaml", rule.code)
    write_case_tests(root)


def _require_deciding(root: Path, name: str, compile_: Compile | None) -> None:
    """
    Raises:
        FieldInvalidError: a module may not decide as it is written now.

        BundleInvalidError: it does not compile.
    """
    bundle = load_bundle(root)
    problem = next((one for one in check(bundle) if one.file == name), None)
    if problem:
        raise FieldInvalidError(f"the rule may not decide: {problem.message}", fields=[("holds_if", problem.hint)])
    if compile_:
        compile_(bundle, NAMES)


def new_area(root: Path, area: str, title: str, owner: str, *, prefix: str = "") -> None:
    """
    Add an area with one condition to change: its files, its line in the list, and the lines that ask it.

    Args:
        root: the bundle folder.
        area: its folder.
        title: its name in words.
        owner: who owns it.
        prefix: the letters of its codes, such as ``JUR``; the first four of the folder where none is given.

    Raises:
        FieldInvalidError: the name is taken or is none.

        BundleInvalidError: the list of areas, or the place where they are asked, is not as `ctxgate policy check` wants it.
    """
    folder = root / "context" / area
    # Two folders that differ in capitals alone are one on some machines.
    taken = {one.name.casefold() for one in folder.parent.iterdir()}
    if area.casefold() in taken or not area.isidentifier():
        raise FieldInvalidError("the area needs a name of its own", fields=[("area", "is taken or no name")])
    code = _code(root, prefix or area.replace("_", "")[:4].upper())
    listed = _with_line(root, area, title)
    rule = NewRule(
        code=code,
        title=f"{title}: section not known",
        description="The item does not say which part of the context it is for.",
        control=f"https://controls.bank.example/{code}",
        condition="section_known",
        holds_if="is_string(input.item.section)",
    )
    said = {"area": area, "title": _scalar(title), "owner": _scalar(owner), "code": rule.code}
    folder.mkdir()
    (folder / "data.yaml").write_text(_filled("data.yaml", **said))
    write_schema(root, area)
    (folder / "cases.yaml").write_text(_filled("cases.yaml", **said))
    module = _filled("area.rego", **said, condition=rule.condition, refusal=_refusal(rule).rstrip())
    (folder / f"{area}.rego").write_text(module)
    (root / LIST).write_text(listed)
    write_areas(root)
    write_case_tests(root)


def write_areas(root: Path) -> bool:
    """
    Let `context.rego` ask exactly the areas of the list; whether that changed it.

    Raises:
        BundleInvalidError: the list cannot be read, or the module has no place for the lines.
    """
    bundle = load_bundle(root)
    before = bundle.modules.get(ENTRY)
    if before is None:
        raise BundleInvalidError(f"the bundle has no {ENTRY}")
    after = rewritten(before, areas_of(bundle))
    (root / ENTRY).write_text(after)
    return before != after


def write_case_tests(root: Path) -> None:
    """Make the Rego tests anew from the cases."""
    (root / FILE).write_text(case_tests(load_bundle(root)))


def _with_line(root: Path, area: str, title: str) -> str:
    """The list with a line for a new area, behind the last one that decides on labels."""
    text = (root / LIST).read_text()
    lines = text.splitlines(keepends=True)
    admitting = [n for n, one in enumerate(lines) if one.startswith("  - {") and _ADMITS.search(one)]
    if not admitting:
        raise BundleInvalidError(f"{LIST} has no line `- {{name: …, entrypoint: admit, title: …}}` to write behind")
    line = f"  - {{name: {area}, entrypoint: admit, title: {json.dumps(title, ensure_ascii=False)}}}\n"
    return "".join([*lines[: admitting[-1] + 1], line, *lines[admitting[-1] + 1 :]])


def _filled(template: str, **values: str) -> str:
    return Template((TEMPLATES / template).read_text()).substitute(values)


def _code(root: Path, prefix: str) -> str:
    """
    The first code with a prefix.

    Raises:
        FieldInvalidError: it is none, or is that of another area.
    """
    if not (prefix.isascii() and prefix.isalpha() and prefix.isupper()):
        raise FieldInvalidError("the prefix of a code is capital letters", fields=[("prefix", "is not")])
    given = {code for rego in load_bundle(root).modules.values() for code in emitted_codes(rego)}
    if any(code.startswith(f"{prefix}-") for code in given):
        raise FieldInvalidError("the prefix is taken", fields=[("prefix", "is another area's")])
    return f"{prefix}-001"


def _scalar(text: str) -> str:
    """A text as YAML on one line."""
    return str(yaml.safe_dump(text, width=10_000, allow_unicode=True)).strip().removesuffix("\n...")


def _refusal(rule: NewRule) -> str:
    said = {**rule.model_dump(), "title": _scalar(rule.title), "description": _scalar(rule.description)}
    return _filled("refusal.rego", **said, message=json.dumps(rule.description, ensure_ascii=False))


def _expect_when_nothing_is_known(path: Path, code: str) -> None:
    text = path.read_text()
    known = re.search(r"^nothing_known:\n  codes: \[(.*)\]", text, re.MULTILINE)
    if known:
        codes = sorted({*filter(None, known.group(1).split(", ")), code})
        path.write_text(text.replace(known.group(0), f"nothing_known:\n  codes: [{', '.join(codes)}]"))


def _area(root: Path, area: str) -> Path:
    folder = root / "context" / area
    if not (folder / "cases.yaml").is_file():
        raise NotFoundError(f"there is no area {area}")
    return folder


def _at_the_end_of(text: str, part: str, lines: str) -> str:
    """A file of cases with lines at the end of one of its parts; the part is written where it is missing."""
    begin = re.search(rf"^{part}:.*\n", text, re.MULTILINE)
    if begin is None:
        before = text.index("nothing_known:")
        return f"{text[:before]}{part}:\n{lines}{text[before:]}"
    after = re.compile(r"^\S", re.MULTILINE).search(text, begin.end())
    end = after.start() if after else len(text)
    return text[:end] + lines + text[end:]
