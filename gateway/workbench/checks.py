"""
What a bundle must be before it may decide, with file, line and a hint in an officer's words.

Rules checked, beside that the bundle compiles:

1. every `deny` has METADATA with a title, a description, a control and a code, and emits exactly that code;
2. no code stands twice, and no area decides by counting its refusals;
3. every area that refuses has a `permit`, and each of its conditions is a named statement;
4. the list of areas and the areas are the same, and `context.rego` asks exactly those of the list;
5. what the gateway says in its own name stands in a table with a title, a meaning, an owner and a control;
6. the registry is whole: every table is there, every field is one that is read, every name is one that exists;
7. no rule reads what no question tells, such as what the gateway told bundles in an earlier version;
8. every date of a table or a case is one, every name in it is of something that there is, and every table is read;
9. nothing is used on which the compiled program is known to differ from OPA (docs/adr/0002-embedded-engine.md);
10. its invariants can be read, since one that cannot holds nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final

from gateway.errors import BundleInvalidError, InvariantInvalidError, RegoTooDeepError, RegoUnreadableError
from gateway.policy.annotations import annotations, refusals, title_over
from gateway.policy.areas import areas_of
from gateway.policy.bundle import Bundle, files_of
from gateway.policy.registry import flaws
from gateway.policy.rego.reader import read
from gateway.policy.rego.tree import Module, Place
from gateway.policy.vetting.check import misplaced
from gateway.policy.vetting.places import Places
from gateway.workbench.area_checks import SERVER_ONLY, Problem, area_problems
from gateway.workbench.proving.invariants import FILE, invariants_of
from gateway.workbench.rules.forms import forms
from gateway.workbench.rules.reads import never_stated, never_told

_REGISTRY_HINT: Final = "Write the entry as the shipped ones are; policies/README.md has a recipe for each table."


@dataclass(frozen=True, slots=True, eq=False)
class _Whole:
    """A bundle with its cases: what the same bundle was found to be once is not looked for again."""

    bundle: Bundle

    def __hash__(self) -> int:
        return hash(self.bundle.revision)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Whole):
            return NotImplemented
        return self.bundle == other.bundle and self.bundle.checks == other.bundle.checks


def check(bundle: Bundle) -> list[Problem]:
    """Everything that is wrong with a bundle, by file and line."""
    return list(_problems(_Whole(bundle)))


@lru_cache(maxsize=4)
def _problems(whole: _Whole) -> list[Problem]:
    bundle = whole.bundle
    modules, problems = _readable(bundle)
    # What the rules say is not known where one cannot be read, so that nothing else is said of them.
    if problems:
        return problems
    problems = [problem for module in modules.values() for problem in _check_module(bundle, module, modules)]
    problems += _codes_twice(bundle)
    problems += area_problems(bundle)
    problems += _registry_problems(bundle)
    problems += _invariant_problems(bundle)
    problems += [Problem(one.file, one.line, one.entry, one.message, one.hint, one.column) for one in misplaced(bundle)]
    return sorted(problems, key=lambda problem: (problem.file, problem.line, problem.column))


def _readable(bundle: Bundle) -> tuple[dict[str, Module], list[Problem]]:
    """The trees of all modules, and why the others have none."""
    modules: dict[str, Module] = {}
    problems = []
    for name, rego in sorted(bundle.modules.items()):
        try:
            modules[name] = read(name, rego)
            annotations(rego)
        except (RegoUnreadableError, RegoTooDeepError) as error:
            problems.append(_unreadable(name, str(error), error.remedy))
    return modules, problems


def _unreadable(name: str, message: str, remedy: str) -> Problem:
    line, _, rest = message.removeprefix(f"{name}:").partition(":")
    column, _, why = rest.partition(": ") if rest[:1].isdecimal() else ("0", "", rest)
    return Problem(name, int(line), "the rules", f"{why.strip()}.", remedy, int(column))


def _codes_twice(bundle: Bundle) -> Iterator[Problem]:
    """A code says one thing: whoever hears of it must find one rule."""
    seen: dict[str, tuple[str, int]] = {}
    for name, rego in sorted(bundle.modules.items()):
        for block in annotations(rego):
            if not block.code:
                continue
            file, line = seen.setdefault(block.code, (name, block.line))
            if (file, line) != (name, block.line):
                title = str(block.fields.get("title"))
                twice = f"stands twice, lines {line} and {block.line}" if file == name else f"is used in {file} too"
                yield Problem(name, block.line, title, f"the code {block.code} {twice}.", "Take a code of its own.")


def _registry_problems(bundle: Bundle) -> Iterator[Problem]:
    found = flaws(bundle)
    texts = files_of(bundle.content) if found else {}
    held: dict[str, Places] = {}
    for flaw in found:
        name = f"registry/{flaw.table or 'agents'}/data.yaml"
        where = "/".join(flaw.place)
        if name not in held:
            held[name] = Places(texts.get(name, b""))
        line, column = held[name].of(flaw.place)
        message = f"{where}: {flaw.message}." if where else f"{flaw.message}."
        yield Problem(
            name,
            line,
            f"registry of {flaw.table or 'the bundle'}",
            message,
            f"{flaw.hint} {_REGISTRY_HINT}".strip(),
            column,
        )


def _invariant_problems(bundle: Bundle) -> Iterator[Problem]:
    try:
        invariants_of(bundle)
    except BundleInvalidError as error:
        yield Problem(FILE, 1, "invariants", f"{error.detail}.", InvariantInvalidError.remedy)


def _check_module(bundle: Bundle, module: Module, modules: dict[str, Module]) -> Iterator[Problem]:
    if not module.file.startswith(SERVER_ONLY):
        package = [one for one in modules.values() if one.package == module.package and one is not module]
        found = [*forms(module), *never_told(module, _asking(bundle, module)), *never_stated(module, package)]
        for one in found:
            yield _at(module, one.place, one.message, one.hint)
    yield from _refusals(module)


def _asking(bundle: Bundle, module: Module) -> list[str]:
    """The questions in which the rules of a module are asked; none where that is not known, or where it is asked in all."""
    try:
        areas = areas_of(bundle)
    except BundleInvalidError:
        return []
    area = areas.named(PurePosixPath(module.file).parent.name)
    return areas.asking(area) if area else []


def _at(module: Module, place: Place, message: str, hint: str) -> Problem:
    rule = next((one for one in module.rules if one.place.start <= place.start < one.place.end), None)
    return Problem(module.file, place.line, _title(module, rule.place.line if rule else 1), message, hint, place.column)


def _title(module: Module, line: int) -> str:
    """The title of the rule that begins in a line; its name where it has none."""
    named = next((f"the rule `{rule.name}`" for rule in module.rules if rule.place.line == line), "untitled")
    return title_over(module.text, line) or named


def _refusals(module: Module) -> Iterator[Problem]:
    blocks = {block.line + _height(module.text, block.line): block for block in annotations(module.text)}
    for refusal in refusals(module.text):
        line, codes = refusal.line, refusal.codes
        block = blocks.get(line)
        if block is None or not {"title", "description"} <= set(block.fields):
            said = ", ".join(sorted(codes)) or "without a code"
            message = f"the refusal {said} has no METADATA with title and description directly above it."
            hint = "Copy the comment block of another refusal and say what this one means."
            yield Problem(module.file, line, _title(module, line), message, hint)
        elif codes != {block.code}:
            hint = "Write the same code in both places."
            said = f"METADATA says {block.code}" if block.code else "METADATA has no `code` under `custom`"
            message = f"{said} and the rule says {', '.join(sorted(codes)) or 'nothing'}."
            yield Problem(module.file, line, str(block.fields["title"]), message, hint)
        elif not block.controls:
            hint = "Add `related_resources` with the control's page."
            yield Problem(module.file, line, str(block.fields["title"]), "a refusal names no control.", hint)


def _height(rego: str, line: int) -> int:
    """How many lines the comment block that starts at a line has."""
    lines = rego.split("\n")[line - 1 :]
    return next((index for index, text in enumerate(lines) if not text.startswith("#")), len(lines))
