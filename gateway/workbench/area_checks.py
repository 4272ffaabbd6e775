"""
Whether a bundle's list of areas tells the truth about it.

An area that is not listed would be asked by nobody, and a line of `context.rego` that is missing would let through what
the area refuses: neither may decide.  A kept bundle is not checked when the past is decided again, since it decides
nothing new.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from pydantic import ValidationError

from gateway.errors import BundleInvalidError
from gateway.model.policy_answer import IncidentCodes
from gateway.policy.annotations import annotations, conditions
from gateway.policy.areas import ENTRY, LIST, Area, Areas, areas_of, lines, written
from gateway.policy.bundle import Bundle, files_of
from gateway.policy.codes import GATEWAY_CODES, rows
from gateway.policy.entrypoints import NAMES as ENTRYPOINTS
from gateway.policy.entrypoints import REACH
from gateway.policy.rego.reader import read
from gateway.policy.rego.tree import Module, Rule
from gateway.policy.vetting.hints import hint
from gateway.policy.vetting.places import Places

SERVER_ONLY: Final = "context/batch/"
"""Modules that only a policy server evaluates; the embedded engine never compiles them."""

_WRITE: Final = "Run `ctxgate policy areas --write`, which writes these lines from the list."
_SAYING: Final = frozenset({"permit", "deny", "warn"})
"""The rules with which an area answers."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that keeps a bundle from deciding."""

    file: str
    line: int
    rule: str
    """Title of the rule it is in, or of the file."""

    message: str
    hint: str
    column: int = 0
    """From 1; 0 where the whole line is meant."""

    @property
    def where(self) -> str:
        """File, line and column, as editors take it."""
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")

    def __str__(self) -> str:
        return f"{self.where}: {self.rule}: {self.message} Hint: {self.hint}"


def area_problems(bundle: Bundle) -> Iterator[Problem]:
    """What is wrong with the list of areas, the areas, and the lines that ask them."""
    try:
        areas = areas_of(bundle)
    except BundleInvalidError as error:
        hint = "List every area with its entrypoint and title, as the shipped policies do."
        yield Problem(LIST, 1, "areas", f"{error}.", hint)
        return
    yield from _list_problems(bundle, areas)
    yield from _strangers(bundle, areas)
    for area in areas.listed:
        yield from _area_problems(bundle, area)
    yield from _entry_problems(bundle, areas)
    yield from _code_problems(bundle)
    yield from _incident_problems(bundle)


def _list_problems(bundle: Bundle, areas: Areas) -> Iterator[Problem]:
    # What may be found is what the areas of `admit` say, so that it has none of its own.
    known = {name.removeprefix("context/") for name in ENTRYPOINTS if name != REACH.name}
    seen: set[str] = set()
    for area in areas.listed:
        if area.name in seen:
            yield Problem(
                LIST,
                _listed(bundle, area.name),
                area.name,
                "the area is listed twice.",
                "Leave one of the two lines out.",
            )
        seen.add(area.name)
        if area.entrypoint not in known:
            message = f"the area belongs to `{area.entrypoint}`, which is no entrypoint."
            yield Problem(
                LIST, _listed(bundle, area.name), area.name, message, f"Name one of {', '.join(sorted(known))}."
            )
    for name in sorted(known - set(areas.entrypoints())):
        message = f"no area belongs to `{name}`, so nothing would decide there."
        yield Problem(LIST, 1, "areas", message, "List the area that decides there.")
    for one, other in areas.includes.items():
        if not {one, other} <= known:
            yield Problem(LIST, 1, "includes", f"`{one}: {other}` names no entrypoints.", "Name two entrypoints.")


def _strangers(bundle: Bundle, areas: Areas) -> Iterator[Problem]:
    """Packages that look like an area and are not in the list, and areas whose file is not where its package says."""
    for name, rego in sorted(bundle.modules.items()):
        package = read(name, rego).package
        folder = ".".join(PurePosixPath(name).parent.parts)
        if package != folder:
            message = (
                f"the package is `{package}` and the folder `{folder}`, so the area is not where it is looked for."
            )
            yield Problem(name, 1, _title(rego), message, "Give the package the name of its folder.")
        elif name != ENTRY and not name.startswith(SERVER_ONLY) and _answers(name, rego):
            area = PurePosixPath(name).parent.name
            if areas.named(area) is None:
                message = f"the area {area} is not in the list of areas, so nothing asks it."
                hint = f"Add `{{name: {area}, entrypoint: admit, title: …}}` to {LIST}. {_WRITE}"
                yield Problem(name, 1, _title(rego), message, hint)
            elif name != f"context/{area}/{area}.rego":
                message = f"a `permit`, `deny` or `warn` of the area {area} stands in a second file."
                yield Problem(name, 1, _title(rego), message, f"Move it to context/{area}/{area}.rego.")


def _area_problems(bundle: Bundle, area: Area) -> Iterator[Problem]:
    name = f"context/{area.name}/{area.name}.rego"
    rego = bundle.modules.get(name)
    if rego is None:
        message = f"the area {area.name} is listed, and there is no {name}."
        yield Problem(
            LIST,
            _listed(bundle, area.name),
            area.name,
            message,
            "Write it with `ctxgate policy new area`, or leave the line out.",
        )
        return
    title = _title(rego)
    if title != area.title:
        message = f"the list calls the area `{area.title}` and its METADATA `{title}`."
        yield Problem(name, 1, title, message, "Use one title in both places.")
    rules = _answers(name, rego)
    if area.refuses:
        yield from _permit_problems(name, rego, title)
        if "deny" not in rules:
            yield Problem(
                name, 1, title, "the area has no `deny`.", "Explain each condition of `permit` with a `deny`."
            )
    elif rules & {"permit", "deny"}:
        message = "the list says `refuses: false`, and the area has a `permit` or a `deny`."
        yield Problem(name, 1, title, message, "Take `refuses: false` out of its line, so that the area is asked.")
    if area.warns != ("warn" in rules):
        said = "warns" if area.warns else "does not warn"
        message = f"the list says that the area {said}, and its rules say otherwise."
        yield Problem(name, 1, title, message, f"Set `warns` in {LIST}.")


def _answers(name: str, rego: str) -> set[str]:
    return {rule.name for rule in read(name, rego).rules} & _SAYING


def _permit_problems(name: str, rego: str, title: str) -> Iterator[Problem]:
    module = read(name, rego)
    permit = module.named("permit")
    if not permit:
        hint = "Add `permit if { … }` with one named condition per line."
        yield Problem(name, 1, title, "the area has no `permit`.", hint)
        return
    for rule in permit:
        if rule.kind == "default":
            message = "`permit` has a default, so that it would hold where no condition was looked at."
            yield Problem(name, rule.place.line, title, message, "Leave the default out.")
    try:
        conditions(rego)
    except BundleInvalidError as error:
        hint = "Give each condition a name, and write one name per line."
        yield Problem(name, permit[0].place.line, title, f"the checklist cannot be read: {error}.", hint)
        return
    yield from _condition_problems(module, permit[0], title)


def _condition_problems(module: Module, permit: Rule, title: str) -> Iterator[Problem]:
    stated = {rule.name for rule in module.rules}
    for statement in permit.bodies[0].query.statements:
        condition = module.source(statement)
        if condition not in stated:
            message = f"the condition `{condition}` is no named statement of this area."
            line, column = statement.place.line, statement.place.column
            help_ = f"{hint(condition, stated - _SAYING)} Else write `{condition} if …` below."
            yield Problem(module.file, line, title, message, help_, column)


def _entry_problems(bundle: Bundle, areas: Areas) -> Iterator[Problem]:
    rego = bundle.modules.get(ENTRY)
    if rego is None:
        yield Problem(
            ENTRY, 1, "areas", "the module of the entrypoints is missing.", "Copy that of the shipped policies."
        )
        return
    stands, wanted = written(rego), lines(areas)
    if stands is None:
        message = "the comments between which the areas are asked are missing."
        yield Problem(ENTRY, 1, _title(rego), message, f"Copy them from the shipped policies. {_WRITE}")
    elif stands != wanted:
        pairs = zip(stands.split("\n"), wanted.split("\n"), strict=False)
        same = next((index for index, (one, other) in enumerate(pairs) if one != other), 0)
        line = rego[: rego.index(stands)].count("\n") + 1 + same
        message = "the lines that ask the areas are not those of the list."
        yield Problem(ENTRY, line, _title(rego), message, _WRITE)
    for name, text in sorted(bundle.modules.items()):
        if PurePosixPath(name).parent.name != "context":
            continue
        start = text.find(stands) if stands else -1
        inside = range(start, start + len(stands or "")) if start >= 0 else range(0)
        for rule in read(name, text).rules:
            if rule.name.startswith("_") and rule.name.endswith("_permitted") and rule.place.start not in inside:
                message = "an entrypoint is permitted by more than the areas of the list."
                hint_ = "Write the condition as an area, and list it."
                yield Problem(name, rule.place.line, _title(text), message, hint_)
                break


def _code_problems(bundle: Bundle) -> Iterator[Problem]:
    """Codes that the gateway gives itself need a row that says what they mean."""
    try:
        described = {row.code for row in rows(bundle)}
    except BundleInvalidError as error:
        hint = "Give each row a title, a description, an owner, a control and a message."
        yield Problem("context", 1, "raised_by_gateway", f"{error}.", hint)
        return
    emitted = {block.code for rego in bundle.modules.values() for block in annotations(rego) if block.code}
    for code, area in GATEWAY_CODES.items():
        if code not in described:
            message = f"the gateway gives the code {code}, and no table says what it means."
            hint = "Add it under `raised_by_gateway`, as the shipped policies do."
            yield Problem(f"context/{area}/data.yaml", 1, area, message, hint)
    for code in sorted(described & emitted):
        message = f"the code {code} is given by a rule and by the gateway."
        yield Problem("context", 1, "raised_by_gateway", message, "Take a code of its own.")


def _incident_problems(bundle: Bundle) -> Iterator[Problem]:
    """A metric that counts nothing, or a code that nothing gives, would say that all is well."""
    file, rule = "context/notices/data.yaml", "incidents"
    table = bundle.data.get("context", {}).get("notices", {}).get("incidents", {})
    try:
        listed = IncidentCodes.model_validate(table).model_dump()
    except ValidationError:
        yield Problem(file, 1, rule, "the table cannot be read.", "List codes under `trust`, `stale` and `conflict`.")
        return
    emitted = {block.code for rego in bundle.modules.values() for block in annotations(rego) if block.code}
    for kind, codes in listed.items():
        if not codes:
            yield Problem(file, 1, rule, f"`{kind}` lists no code, so its metric counts nothing.", "List its codes.")
        for code in codes:
            if not code.endswith("*") and code not in emitted:
                message = f"`{kind}` lists {code}, which no rule gives."
                yield Problem(file, 1, rule, message, "Correct it, or leave it out.")


def _listed(bundle: Bundle, area: str) -> int:
    """The line of the list that names an area; the first where it is not known."""
    text = files_of(bundle.content).get(LIST, b"")
    listed: Any = bundle.data.get("context", {}).get("areas", {}).get("list", [])
    index = next((index for index, one in enumerate(listed) if isinstance(one, dict) and one.get("name") == area), None)
    return Places(text).of(("list", str(index), "name"))[0] if index is not None else 1


def _title(rego: str) -> str:
    """The title of a module."""
    try:
        blocks = annotations(rego)
    except BundleInvalidError:
        return "untitled"
    return str(blocks[0].fields.get("title", "untitled")) if blocks else "untitled"
