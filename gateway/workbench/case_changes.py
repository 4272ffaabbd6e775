"""
Which of a bundle's own checks another bundle does without: cases and Rego tests that are gone, expect less, or ask something else.

A case is known by its area and its input, and not by its name: one that is only called otherwise, moved, or written as a line of a
matrix is the same case.  What is stricter than before is no loss and is not told of.
"""

import hashlib
import json

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final, Literal

from gateway.errors import BundleInvalidError
from gateway.model.base import Model
from gateway.policy.supply.tables import TableError, read_yaml
from gateway.policy.vetting.matrix import expanded, overlaid
from gateway.policy.vetting.words import members
from gateway.workbench.case_tests import FILE
from gateway.workbench.cases import BASE

_STRICTNESS: Final = {"allowed": 0, "warned": 1, "set_aside": 2, "refused": 3}
"""Parts of a file of cases, the more forbidding the higher."""

_NOTHING: Final = "nothing known"
_LONGEST: Final = 200


class CaseChange(Model):
    """Something that the old bundle had checked and that the new one does not."""

    kind: Literal["removed", "weakened", "changed", "uncovered"]
    """No case is about this input; one expects less; a case or a test of this name asks something else; no case expects a code."""

    file: str
    case: str
    """Its name, or that of a Rego test, or the code that no case expects any more."""

    message: str
    """One sentence for the officer who answers for it."""

    def __str__(self) -> str:
        return f"{self.file}: {self.case}: {self.message}"


@dataclass(frozen=True, slots=True)
class _Case:
    file: str
    name: str
    part: str
    codes: frozenset[str]
    answers: Mapping[str, str]
    """By rule, what it answers, canonically."""

    asks: str
    """The hash of its input."""

    shown: str
    """What differs from the base, cut to what a line holds."""

    def as_strict_as(self, other: "_Case") -> bool:
        """Whether whatever keeps this case keeps the other one too."""
        mine, theirs = _STRICTNESS[self.part], _STRICTNESS[other.part]
        answers = all(self.answers.get(rule) == said for rule, said in other.answers.items())
        return mine > theirs or (mine == theirs and self.codes >= other.codes and answers)


def cases_changed(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> list[CaseChange]:
    """
    What the checks of *old* found and those of *new* would not.

    Args:
        old: the files of the bundle that decides, by name; of those only cases and Rego tests are read.
        new: the files of the one that is to decide.

    Raises:
        BundleInvalidError: a file of cases of *new* cannot be read.
    """
    return [*_base_changes(old, new), *_changes_of_cases(old, new), *_changes_of_tests(old, new)]


def digest_of(changes: Iterable[CaseChange]) -> str:
    """What stands for all of these changes where somebody acknowledges them: SHA-256, in any order, with "sha256:" before it."""
    lines = "".join(sorted(f"{_canonical(one.model_dump())}\n" for one in changes))
    return f"sha256:{hashlib.sha256(lines.encode(errors='surrogatepass')).hexdigest()}"


def _changes_of_cases(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> Iterator[CaseChange]:
    # Both from the new base, so that a case which repeats what the base says is the same; what the base does otherwise is told above.
    base = _document(BASE, new[BASE]) if BASE in new else {}
    before, unread = _cases_of_old(old, base)
    after = [case for name, body in _files_of_cases(new) for case in _cases(name, _document(name, body), base)]
    yield from unread
    asked: dict[tuple[str, str], list[_Case]] = defaultdict(list)
    named: dict[tuple[str, str], str] = {}
    for case in after:
        asked[case.file, case.asks].append(case)
        named[case.file, case.name] = case.asks
    for case in before:
        same = asked[case.file, case.asks]
        if any(other.as_strict_as(case) for other in same):
            continue
        if same:
            yield _told("weakened", case, f"{_expected(case)}, and now {_expected(same[0])}.")
        elif (case.file, case.name) in named:
            yield _told("changed", case, f"it is about another input now; no case is about {case.shown}.")
        else:
            yield _told("removed", case, f"nothing checks any more that it is {_expected(case)}.")
    yield from _uncovered(before, after)


def _uncovered(before: Sequence[_Case], after: Sequence[_Case]) -> Iterator[CaseChange]:
    """Codes that a case held before and none does now."""
    # Backwards, so that of several cases the one that stands first in the files is named.
    held = {code for case in after if case.name != _NOTHING for code in case.codes}
    first = {
        code: case
        for case in reversed(before)
        if case.name != _NOTHING
        for code in sorted(case.codes)
        if code not in held
    }
    for code, case in sorted(first.items()):
        yield CaseChange(kind="uncovered", file=case.file, case=code, message="no case expects this code any more.")


def _told(kind: Literal["removed", "weakened", "changed"], case: _Case, message: str) -> CaseChange:
    return CaseChange(kind=kind, file=case.file, case=case.name, message=message)


def _expected(case: _Case) -> str:
    codes = f" with {', '.join(sorted(case.codes))}" if case.codes else ""
    answers = "".join(f", where {rule} is {said[:100]}" for rule, said in sorted(case.answers.items()))
    return f"{case.part.replace('_', ' ')}{codes}{answers}"


def _cases_of_old(files: Mapping[str, bytes], base: Mapping[str, Any]) -> tuple[list[_Case], list[CaseChange]]:
    found: list[_Case] = []
    unread: list[CaseChange] = []
    if not _files_of_cases(files):
        message = "the cases of the bundle that decides were not kept, so that nobody can tell which of them are gone."
        unread.append(CaseChange(kind="changed", file="context", case="all", message=message))
    for name, body in _files_of_cases(files):
        try:
            found += _cases(name, _document(name, body), base)
        except BundleInvalidError:
            # Kept by an earlier version, perhaps: what cannot be compared may have been lost.
            message = "these cases cannot be read any more, so that nobody can tell whether they are kept."
            unread.append(CaseChange(kind="changed", file=name, case="all", message=message))
    return found, unread


def _files_of_cases(files: Mapping[str, bytes]) -> list[tuple[str, bytes]]:
    return [(name, files[name]) for name in sorted(files) if PurePosixPath(name).name == "cases.yaml"]


def _document(name: str, body: bytes) -> Mapping[str, Any]:
    try:
        document = read_yaml(body)
    except TableError as error:
        raise BundleInvalidError(f"{name} cannot be read: {error}") from error
    if not isinstance(document, dict):
        return {}
    try:
        return expanded(document)
    except BundleInvalidError as error:
        raise BundleInvalidError(f"{name}: {error.detail}") from error


def _cases(name: str, document: Mapping[str, Any], base: Mapping[str, Any]) -> Iterator[_Case]:
    for part in _STRICTNESS:
        for _, case in members(document.get(part)):
            if isinstance(case, dict):
                yield _case(name, part, case, base)
    nothing = document.get("nothing_known")
    codes = nothing.get("codes") if isinstance(nothing, dict) else ()
    yield _Case(name, _NOTHING, "refused", _codes(codes), {}, _NOTHING, _NOTHING)


def _case(name: str, part: str, case: Mapping[str, Any], base: Mapping[str, Any]) -> _Case:
    answers = case.get("answers")
    said = {str(rule): _answer(value) for rule, value in answers.items()} if isinstance(answers, dict) else {}
    change = case.get("change")
    asks = hashlib.sha256(_canonical(overlaid(base, change)).encode(errors="surrogatepass")).hexdigest()
    shown = _canonical(change)[:_LONGEST]
    return _Case(name, str(case.get("case"))[:_LONGEST], part, _codes(case.get("codes")), said, asks, shown)


def _codes(listed: object) -> frozenset[str]:
    return frozenset(map(str, listed)) if isinstance(listed, list | tuple) else frozenset()


def _answer(value: object) -> str:
    # A rule answers with a set: an officer writes its members in any order.
    return ", ".join(sorted(map(_canonical, value))) if isinstance(value, list) else _canonical(value)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)


def _base_changes(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> Iterator[CaseChange]:
    if BASE not in old:
        return
    try:
        before = _document(BASE, old[BASE])
    except BundleInvalidError:
        before = {}
    after = _document(BASE, new[BASE]) if BASE in new else {}
    waiting: list[tuple[str, object, object]] = [("", before, after)]
    while waiting:
        path, one, other = waiting.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            keys = sorted({*map(str, one), *map(str, other)}, reverse=True)
            waiting += [(f"{path}/{key}" if path else key, one.get(key), other.get(key)) for key in keys]
        elif _canonical(one) != _canonical(other):
            message = (
                f"every case starts from {_canonical(other)[:100]} here, and no more from {_canonical(one)[:100]}."
            )
            yield CaseChange(kind="changed", file=BASE, case=path or "all", message=message)


def _changes_of_tests(old: Mapping[str, bytes], new: Mapping[str, bytes]) -> Iterator[CaseChange]:
    for name in sorted(old):
        if not name.endswith("_test.rego") or name == FILE:
            continue
        kept = list(_statements(new.get(name, b"")))
        texts, names = {text for _, text in kept}, {called for called, _ in kept}
        # The same test under another name is the same test; one that is no test any more, such as `todo_test_x`, is not.
        bodies = {text.removeprefix(called) for called, text in kept if called.startswith("test_")}
        for called, text in _statements(old[name]):
            if text in texts or (called.startswith("test_") and text.removeprefix(called) in bodies):
                continue
            if called in names:
                yield CaseChange(kind="changed", file=name, case=called, message="it says something else now.")
            else:
                yield CaseChange(kind="removed", file=name, case=called, message="it is run no more.")


def _statements(rego: bytes) -> Iterator[tuple[str, str]]:
    """The statements of a module by their first word, without comments and blank lines; the same word may come again."""
    lines: list[str] = []
    for line in [*rego.decode(errors="replace").split("\n"), "end"]:
        if lines and line[:1].strip() and line[:1] not in "#}])":
            yield _word(lines[0]), "\n".join(lines)
            lines = []
        if line.strip() and not line.startswith("#"):
            lines.append(line.rstrip())


def _word(line: str) -> str:
    """The first word of a statement; of an import or a package all of it."""
    end = next((at for at, one in enumerate(line) if not (one.isalnum() or one == "_")), len(line))
    return line if line[:end] in {"import", "package"} else line[:end]
