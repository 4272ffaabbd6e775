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
8. nothing is used on which the compiled program is known to differ from OPA (docs/adr/0002-embedded-engine.md).
"""

import re

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, get_type_hints

from gateway.policy.annotations import annotations, refusals
from gateway.policy.bundle import Bundle, files_of
from gateway.policy.entrypoints import ENTRYPOINTS
from gateway.policy.registry import flaws
from gateway.workbench.area_checks import SERVER_ONLY, Problem, area_problems


@dataclass(frozen=True, slots=True)
class _Construct:
    pattern: re.Pattern[str]
    message: str
    hint: str


UNSAFE: Final = (
    _Construct(
        re.compile(r"^\t+\w+ := (?![\[{\"\d]|true\b|false\b|null\b)"),
        "a value that may be missing is given a name inside a rule.",
        "Compare it where it stands, or go through it with `some … in`.",
    ),
    _Construct(
        re.compile(r"\bwith\s+(input|data)\b"),
        "`with` is used outside a test.",
        "Write a named statement about the input itself.",
    ),
    _Construct(
        re.compile(r"^\w+\[[^\]]+\] (contains|:=|if)\b"),
        "a rule builds a table with keys.",
        "Build a list of small objects and go through it.",
    ),
    _Construct(
        re.compile(r"[\[{]\s*[\w\"]+[.\[(][^|:{}]*\|\s*some\b"),
        "a list is built from values that may be missing.",
        "Give the value a name first: `some value in [thing.field]`.",
    ),
    _Construct(
        re.compile(r"\b(http\.send|opa\.runtime|rego\.metadata|time\.now_ns|rand\.|net\.lookup)"),
        "a function is used whose answer is not the same every time.",
        "Everything a rule needs comes in the input or the tables.",
    ),
    _Construct(
        re.compile(
            r"\b(json\.(is_valid|match_schema|verify_schema)|yaml\.is_valid|graph\.reachable\w*"
            r"|numbers\.range_step|strings\.count)\("
        ),
        "a function is used that the embedded engine answers differently than OPA (docs/conformance.json).",
        "Use a comparison, `in`, or a table.",
    ),
    _Construct(
        re.compile(r"\bnot \{|^default \w+(\(| := [\[{].*\bsome\b)"),
        "a form is used that the embedded engine answers differently than OPA (docs/conformance.json).",
        "Give the condition a name and negate the name; write a default as a plain value.",
    ),
    _Construct(
        re.compile(r"\bdata(\.context)?\["),
        "an area is looked up by a name that is not written out, which the embedded engine mistakes for another area.",
        "Write `data.context.<area>` out; `ctxgate policy areas --write` writes the lines of `context.rego`.",
    ),
    _Construct(
        re.compile(r"\bcount\((\w+\.)*deny\) == 0"),
        "a decision is made by counting refusals, which permits when a refusal is broken.",
        "List what must hold in `permit`.",
    ),
)


TOLD: Final = frozenset(name for entrypoint in ENTRYPOINTS for name in get_type_hints(entrypoint.input))
"""What the questions tell, by its name in `input`."""

LONGEST: Final = 2_000
"""Characters of a line: some of the patterns take the square of it."""

_REGISTRY_HINT: Final = "Write the entry as the shipped ones are; policies/README.md has a recipe for each table."


def check(bundle: Bundle) -> list[Problem]:
    """Everything that is wrong with a bundle, by file and line."""
    problems = [problem for name, rego in sorted(bundle.modules.items()) for problem in _check_module(name, rego)]
    seen: dict[str, str] = {}
    for name, rego in sorted(bundle.modules.items()):
        for block in annotations(rego):
            if block.code and seen.setdefault(block.code, name) != name:
                title = str(block.fields.get("title"))
                message = f"the code {block.code} is used in {seen[block.code]} too."
                problems.append(Problem(name, block.line, title, message, "Take a code of its own."))
    problems += area_problems(bundle)
    problems += _registry_problems(bundle)
    return sorted(problems, key=lambda problem: (problem.file, problem.line))


def _registry_problems(bundle: Bundle) -> Iterator[Problem]:
    found = flaws(bundle)
    texts = files_of(bundle.content) if found else {}
    for flaw in found:
        name = f"registry/{flaw.table or 'agents'}/data.yaml"
        where = "/".join(flaw.place)
        line = _line_of(texts.get(name, b"").decode(errors="replace"), flaw.place)
        message = f"{where}: {flaw.message}." if where else f"{flaw.message}."
        yield Problem(name, line, f"registry of {flaw.table or 'the bundle'}", message, _REGISTRY_HINT)


def _line_of(text: str, place: Sequence[str]) -> int:
    """The line of an entry of a table, or of its field where that has a line of its own."""
    found, lines = 0, text.split("\n")
    for name in place:
        key = re.compile(rf"""^\s*(- )?(\{{?\w+: )?["']?{re.escape(name)}["']?\s*(:|,|$)""")
        found = next((at for at in range(found, len(lines)) if key.search(lines[at])), found)
    return found + 1


def _check_module(name: str, rego: str) -> Iterator[Problem]:
    if not name.startswith(SERVER_ONLY):
        yield from _unsafe_constructs(name, rego)
        yield from _never_told(name, rego)
    yield from _refusals(name, rego)


def _unsafe_constructs(name: str, rego: str) -> Iterator[Problem]:
    for line, text in enumerate(rego.split("\n"), start=1):
        if text.startswith("#"):
            continue
        if len(text) > LONGEST:
            yield Problem(name, line, _title(rego, line), f"a line has more than {LONGEST} characters.", "Break it.")
            continue
        for construct in UNSAFE:
            if construct.pattern.search(text):
                yield Problem(name, line, _title(rego, line), construct.message, construct.hint)


def _never_told(name: str, rego: str) -> Iterator[Problem]:
    """A rule that waits for what never comes holds nothing, and looks like one that found nothing wrong."""
    for line, text in enumerate(rego.split("\n"), start=1):
        for member in re.findall(r"\binput\.(\w+)", text.partition("#")[0]):
            if member not in TOLD:
                message = f"the rule reads `input.{member}`, which no question tells."
                yield Problem(name, line, _title(rego, line), message, "policies/schemas has what each question tells.")


def _refusals(name: str, rego: str) -> Iterator[Problem]:
    blocks = {block.line + _height(rego, block.line): block for block in annotations(rego)}
    for refusal in refusals(rego):
        line, codes = refusal.line, refusal.codes
        block = blocks.get(line)
        if block is None or not {"title", "description"} <= set(block.fields):
            hint = "Copy the comment block of another refusal and say what this one means."
            yield Problem(name, line, _title(rego, line), "a refusal has no METADATA with title and description.", hint)
        elif codes != {block.code}:
            hint = "Write the same code in both places."
            message = f"METADATA says {block.code} and the rule says {', '.join(sorted(codes)) or 'nothing'}."
            yield Problem(name, line, str(block.fields["title"]), message, hint)
        elif not block.controls:
            hint = "Add `related_resources` with the control's page."
            yield Problem(name, line, str(block.fields["title"]), "a refusal names no control.", hint)


def _height(rego: str, line: int) -> int:
    """How many lines the comment block that starts at a line has."""
    lines = rego.split("\n")[line - 1 :]
    return next((index for index, text in enumerate(lines) if not text.startswith("#")), len(lines))


def _title(rego: str, line: int) -> str:
    """The title of the last METADATA block before a line."""
    before = [block for block in annotations(rego) if block.line <= max(line, 1) and "title" in block.fields]
    return str(before[-1].fields["title"]) if before else "untitled"
