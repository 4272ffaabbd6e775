"""
The officers' cases as Rego tests, for OPA's runner and its count of coverage.

A case is written once, in a `cases.yaml`; `context/cases_test.rego` is made from all of them and never edited.
"""

import json

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from gateway.errors import BundleInvalidError
from gateway.policy.areas import Area, areas_of
from gateway.policy.bundle import Bundle
from gateway.workbench.cases import BASE, NOTED, base_of, document_of

FILE: Final = "context/cases_test.rego"
_HEAD: Final = (
    "# Written from the `cases.yaml` of each area by `make docs` and `ctxgate policy new`; edit those.\n"
    "package context.cases_test\n\n"
)
_COLUMNS: Final = 120
_TAB: Final = 4
"""Columns that a tab counts as, so that a line of the file is at most as wide as a page of it."""


def with_base_input(bundle: Bundle) -> Bundle:
    """
    The bundle with the input that its own Rego tests start from, and without the cases as Rego tests.

    For where the cases themselves were run already: a file that was made before the cases were changed says nothing.
    """
    if BASE not in bundle.checks:
        return bundle
    module = _HEAD + _good(bundle)
    return replace(bundle, checks={**bundle.checks, FILE: module.encode()})


def case_tests(bundle: Bundle) -> str:
    """
    The module of tests.

    Raises:
        BundleInvalidError: the list of areas or a file of cases cannot be read.
    """
    areas = [area for area in areas_of(bundle).listed if f"context/{area.name}/cases.yaml" in bundle.checks]
    # Imports by name and tests in the order of the list: the same cases make the same bytes, which `make docs` compares.
    imports = "".join(f"import data.context.{name}\n" for name in sorted(area.name for area in areas))
    tests = "".join(f"\n{test}" for area in areas for test in _tests(bundle, area))
    return f"{_HEAD}{imports}\n{_good(bundle)}{tests}"


def _good(bundle: Bundle) -> str:
    about = "# The input that every area permits; tests change one thing at a time."
    return f"{about}\ngood := {_rego(base_of(bundle), 0, 8)}\n"


def _tests(bundle: Bundle, area: Area) -> Iterator[str]:
    name = f"context/{area.name}/cases.yaml"
    document = document_of(bundle, name)
    try:
        allowed, refused = document["allowed"], document.get("refused", ())
        noted = [(part, rule) for part, rule in NOTED.items() if part in document]
        if allowed:
            yield _allowed(area, allowed, [rule for _, rule in noted])
        if refused:
            yield _refused(area, refused)
        for part, rule in noted:
            yield _noted(area, part, rule, document[part])
        # Any case may say what other rules of its area answer, so those are asked over all of them together.
        every = [case for part in ("allowed", "refused", *NOTED) for case in document.get(part, ())]
        yield from _answers(area, every)
        yield _nothing_known(area, document["nothing_known"]["codes"])
    except (KeyError, TypeError, AttributeError) as error:
        raise BundleInvalidError(f"{name} lacks a part of a case: {error}") from error


def _allowed(area: Area, cases: Sequence[Mapping[str, Any]], noted: Sequence[str]) -> str:
    table = {case["case"]: case["change"] for case in cases}
    silent = [f"count({area.name}.{rule}) == 0 with input as facts" for rule in ("deny", *noted)]
    checks = [f"{area.name}.permit with input as facts", *silent] if area.refuses else silent[1:]
    return _table_test(area, "allowed", "change", table, ["facts := object.union(good, change)", *checks])


def _refused(area: Area, cases: Sequence[Mapping[str, Any]]) -> str:
    table = {case["case"]: {"change": case["change"], "codes": sorted(case["codes"])} for case in cases}
    checks = [
        "facts := object.union(good, example.change)",
        f"not {area.name}.permit with input as facts",
        f"codes := {{refusal.code | some refusal in {area.name}.deny}} with input as facts",
        "codes == {code | some code in example.codes}",
    ]
    # An exception in force may let through what such an area refuses; `ctxgate policy test` looks at that.
    if not area.waivable:
        told = f"{{refusal.code | some refusal in data.context.{area.entrypoint}.denials}}"
        checks += [f"told := {told} with input as facts", "codes - told == set()"]
    return _table_test(area, "refused", "example", table, checks)


def _noted(area: Area, part: str, rule: str, cases: Sequence[Mapping[str, Any]]) -> str:
    table = {case["case"]: {"change": case["change"], "codes": sorted(case["codes"])} for case in cases}
    permitted = [f"{area.name}.permit with input as facts"] if area.refuses else []
    checks = [
        "facts := object.union(good, example.change)",
        *permitted,
        f"codes := {{one.code | some one in {area.name}.{rule}}} with input as facts",
        "codes == {code | some code in example.codes}",
    ]
    if rule == "warn":
        told = f"{{one.code | some one in data.context.{area.entrypoint}.warnings}}"
        checks += [f"told := {told} with input as facts", "codes - told == set()"]
    return _table_test(area, part, "example", table, checks)


def _answers(area: Area, cases: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    rules = dict.fromkeys(rule for case in cases for rule in case.get("answers", {}))
    for rule in rules:
        told = [case for case in cases if rule in case.get("answers", {})]
        table = {case["case"]: {"change": case["change"], "answer": case["answers"][rule]} for case in told}
        # Compared as sets: a rule answers with one, and an officer writes a list in any order.
        checks = [
            "facts := object.union(good, example.change)",
            f"answer := {{one | some one in {area.name}.{rule}}} with input as facts",
            "answer == {one | some one in example.answer}",
        ]
        yield _table_test(area, f"answers_{rule}", "example", table, checks)


def _nothing_known(area: Area, codes: Sequence[str]) -> str:
    if not area.refuses:
        return f"test_{area.name}_nothing_known if {{\n\tcount({area.name}.warn) == 0 with input as {{}}\n}}\n"
    lines = [f"codes := {{refusal.code | some refusal in {area.name}.deny}} with input as {{}}"]
    lines.append(f"codes == {_set(codes)}")
    refused = [f"not {area.name}.permit with input as {{}}"] if codes else []
    body = "".join(f"\t{line}\n" for line in (*refused, *lines))
    return f"test_{area.name}_nothing_known if {{\n{body}}}\n"


def _set(codes: Sequence[str]) -> str:
    return "{" + ", ".join(json.dumps(code) for code in sorted(codes)) + "}" if codes else "set()"


def _table_test(area: Area, part: str, each: str, table: Mapping[str, Any], checks: Sequence[str]) -> str:
    """A test that holds if it is true for every note of its table."""
    rows = "".join(f"\t\t{_text(note)}: {_rego(value, 2, len(_text(note)) + 2)},\n" for note, value in table.items())
    body = "".join(f"\t{line}\n" for line in checks)
    return f"test_{area.name}_{part}[note] if {{\n\tsome note, {each} in {{\n{rows}\t}}\n{body}}}\n"


def _rego(value: object, depth: int, used: int) -> str:
    """A value as Rego, on one line where it fits behind what is *used* of it, else with a line for each member."""
    flat = _flat(value)
    if not isinstance(value, dict | list) or not value or depth * _TAB + used + len(flat) < _COLUMNS:
        return flat
    # Broken where `opa fmt` would break it, so that the file that is written passes the formatter.
    tabs = "\t" * (depth + 1)
    if isinstance(value, dict):
        names = {name: _text(str(name)) for name in value}
        members = [f"{names[name]}: {_rego(one, depth + 1, len(names[name]) + 3)}" for name, one in value.items()]
        begin, end = "{", "}"
    else:
        members = [_rego(one, depth + 1, 1) for one in value]
        begin, end = "[", "]"
    return "\n".join([begin, *(f"{tabs}{member}," for member in members), "\t" * depth + end])


def _flat(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(str(name))}: {_flat(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flat, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
