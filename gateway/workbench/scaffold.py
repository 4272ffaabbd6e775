"""
New areas, rules and cases: rule, test and case written together, so that nothing is forgotten.

Every function changes the files of a bundle folder and leaves it so that `ctxgate policy check` passes; what it writes
refuses until an officer says otherwise.
"""

import json
import re

from pathlib import Path

import yaml

from gateway.errors import FieldInvalidError, NotFoundError
from gateway.model.base import Model
from gateway.policy.bundle import load_bundle
from gateway.workbench.checks import check


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


def new_case(root: Path, area: str, name: str, change: object, codes: list[str]) -> None:
    """
    Add a case at the end of its part: `refused` where there are codes, else `allowed`.

    Raises:
        NotFoundError: there is no such area.
    """
    path = _area(root, area) / "cases.yaml"
    flow = yaml.safe_dump(change, default_flow_style=True, width=10_000).strip().removesuffix("\n...")
    lines = f"  - case: {json.dumps(name)}\n    change: {flow}\n"
    if codes:
        lines += f"    codes: [{', '.join(sorted(codes))}]\n"
    before = "nothing_known:" if codes else "refused:"
    _insert(path, before, lines)


def new_rule(root: Path, area: str, rule: NewRule) -> None:
    """
    Add a condition to an area's `permit`, its definition, and the refusal that explains it.

    Raises:
        NotFoundError: there is no such area.

        FieldInvalidError: the code or the condition is taken, or what was written may not decide.
    """
    folder = _area(root, area)
    path = folder / f"{area}.rego"
    before = path.read_text()
    if any(f'"{rule.code}"' in text for text in load_bundle(root).modules.values()):
        raise FieldInvalidError("the code is taken", fields=[("code", "is taken")])
    if re.search(rf"^{re.escape(rule.condition)}\b", before, re.MULTILINE) or not rule.condition.isidentifier():
        raise FieldInvalidError("the condition needs a name of its own", fields=[("condition", "is taken or no name")])
    text = re.sub(r"^permit if (\w+)$", r"permit if {\n\t\1\n}", before, count=1, flags=re.MULTILINE)
    text = re.sub(r"^(permit if \{\n(?:\t.*\n)+)\}", rf"\1\t{rule.condition}\n}}", text, count=1, flags=re.MULTILINE)
    path.write_text(f"{text.rstrip()}\n\n{_refusal(rule)}\n{rule.condition} if {rule.holds_if}\n")
    problems = [problem for problem in check(load_bundle(root)) if problem.file.endswith(path.name)]
    if problems:
        path.write_text(before)
        raise FieldInvalidError(
            f"the rule may not decide: {problems[0].message}", fields=[("holds_if", problems[0].hint)]
        )
    _expect_when_nothing_is_known(folder / "cases.yaml", rule.code)


def new_area(root: Path, area: str, title: str, owner: str) -> None:
    """
    Add an area without conditions of its own yet, with its four files, and ask for its permission in `context.rego`.

    Raises:
        FieldInvalidError: the name is taken or is none.
    """
    folder = root / "context" / area
    if folder.exists() or not area.isidentifier():
        raise FieldInvalidError("the area needs a name of its own", fields=[("area", "is taken or no name")])
    folder.mkdir()
    (folder / "data.yaml").write_text(f"# Owner: {owner}.\nlabelled: true\n")
    (folder / "cases.yaml").write_text(
        f"# {title}: what is allowed and what is refused. The rest of each input is in ../cases.base.yaml.\n"
        f'area: {area}\nallowed:\n  - case: "an item with a section"\n    change: {{}}\nrefused:\n'
        f'  - case: "an item without a section"\n    change: {{item: {{section: null}}}}\n'
        f"    codes: [{_code(area)}]\nnothing_known:\n  codes: [{_code(area)}]\n"
    )
    rule = NewRule(
        code=_code(area),
        title=f"{title}: section not known",
        description="The item does not say which part of the context it is for.",
        control=f"https://controls.bank.example/{_code(area)}",
        condition="section_known",
        holds_if="is_string(input.item.section)",
    )
    (folder / f"{area}.rego").write_text(
        f"# METADATA\n# title: {_scalar(title)}\n# description: {_scalar(title)}\n# organizations:\n#   - {_scalar(owner)}\n# schemas:\n"
        f"#   - input: schema.admit_input\npackage context.{area}\n\n# METADATA\n"
        "# description: Every condition below holds. A condition we cannot check does not hold.\n"
        f"permit if {{\n\tsection_known\n}}\n\n{_refusal(rule)}\nsection_known if {rule.holds_if}\n"
    )
    (folder / f"{area}_test.rego").write_text(_first_test(area))
    entry = root / "context" / "context.rego"
    text = entry.read_text().replace(
        "\tdata.context.exceptions.permit\n", f"\tdata.context.exceptions.permit\n\tdata.context.{area}.permit\n", 1
    )
    denials = (
        f"_admit_denials contains refusal if {{\n\tnot _admitted\n\tsome refusal in data.context.{area}.deny\n}}\n"
    )
    entry.write_text(
        text.replace("# METADATA\n# title: Section forbidden", f"{denials}\n# METADATA\n# title: Section forbidden", 1)
    )


def _first_test(area: str) -> str:
    return (
        f"package context.{area}_test\n\nimport data.context.{area}\nimport data.context.samples_test\n\n"
        f"test_permitted if {{\n\t{area}.permit with input as samples_test.good\n}}\n\n"
        f"test_nothing_known_is_refused if {{\n\tnot {area}.permit with input as {{}}\n"
        f"\tcodes := {{refusal.code | some refusal in {area}.deny}} with input as {{}}\n"
        f'\tcodes == {{"{_code(area)}"}}\n}}\n'
    )


def _code(area: str) -> str:
    return f"{area.replace('_', '')[:4].upper()}-001"


def _scalar(text: str) -> str:
    """A text as YAML on one line."""
    return str(yaml.safe_dump(text, width=10_000, allow_unicode=True)).strip().removesuffix("\n...")


def _refusal(rule: NewRule) -> str:
    return (
        f"# METADATA\n# title: {_scalar(rule.title)}\n# description: {_scalar(rule.description)}\n# related_resources:\n"
        f"#   - ref: {rule.control}\n# custom:\n#   code: {rule.code}\n"
        f'deny contains {{"code": "{rule.code}", "message": {json.dumps(rule.description)}}} if {{\n'
        f"\tnot {rule.condition}\n}}\n"
    )


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


def _insert(path: Path, before: str, lines: str) -> None:
    text = path.read_text()
    place = re.search(rf"^{re.escape(before)}", text, re.MULTILINE)
    start = place.start() if place else len(text)
    path.write_text(text[:start] + lines + text[start:])
