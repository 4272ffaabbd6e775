"""
OPA's own conformance cases on the embedded engine: which it does not pass, and why.

The cases come with the Go module of OPA that `make tools` fetches; none of them is in this repository.  Run
`python -m tools.conformance` to write the list anew.
"""

import json
import re
import subprocess
import sys

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import regorus
import yaml

VERSION = "v1.20.2"
LIST = Path(__file__).resolve().parents[1] / "docs" / "conformance.json"

_QUERY = re.compile(r"(data(?:\.\w+)+) = (\w+)")


def folder() -> Path | None:
    """Where the cases lie, if the Go module is here."""
    try:
        cache = subprocess.run(["go", "env", "GOMODCACHE"], capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
    path = Path(cache) / f"github.com/open-policy-agent/opa@{VERSION}" / "v1/test/cases/testdata/v1"
    return path if path.is_dir() else None


def outcomes(root: Path) -> dict[str, str]:
    """For every case with a plain query: "passes", or why it does not."""
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*.yaml")):
        for case in yaml.load(path.read_text(), Loader=yaml.CSafeLoader).get("cases", []):
            found[f"{path.parent.name}: {case['note']}"] = _outcome(case)
    return found


def _outcome(case: dict[str, Any]) -> str:
    query = _QUERY.fullmatch(str(case.get("query", "")))
    if query is None:
        return "not asked: the query is not one rule"
    if case.get("want_error") or case.get("want_error_code"):
        return "not asked: an error is wanted"
    try:
        answer = _evaluate(case, query.group(1))
    except BaseException as error:
        if not isinstance(error, RuntimeError) and type(error).__name__ != "PanicException":
            raise
        return _reason(str(error))
    wanted = [row.get(query.group(2)) for row in case.get("want_result") or []]
    return "passes" if _same(answer, wanted) else "another result"


def _evaluate(case: dict[str, Any], rule: str) -> list[Any]:
    data = json.dumps(case.get("data") or {}, default=str)
    modules = [(f"m{place}.rego", text) for place, text in enumerate(case.get("modules") or [])]
    program = regorus.Program.compile_from_modules(data, modules, [rule])
    machine = regorus.Rvm()
    machine.load_program(program)
    machine.set_data_json(data)
    if "input" in case or "input_term" in case:
        machine.set_input_json(json.dumps(case.get("input"), default=str))
    answer = machine.execute_entry_point(rule)
    return [] if answer == '"<undefined>"' else [json.loads(answer)]


def _same(answer: list[Any], wanted: list[Any]) -> bool:
    """Equal as JSON, with arrays in any order, since the cases write sets as arrays."""
    return _canonical(answer) == _canonical(wanted)


def _canonical(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(str(k))}:{_canonical(v)}" for k, v in sorted(value.items(), key=str)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(sorted(map(_canonical, value))) + "]"
    return json.dumps(value, default=str)


def _reason(text: str) -> str:
    first = text.partition("Stack backtrace")[0]
    unknown = re.search(r"[Uu]nknown function: [`'\"]?([\w.]+)", first)
    if unknown:
        return f"has no {unknown.group(1)}"
    last = [line for line in first.strip().splitlines() if line.strip()][-1]
    return "fails: " + re.sub(r"[`'\"][^`'\"]*[`'\"]|\d+", "…", last.strip())[:80]


def summary(found: dict[str, str]) -> Iterator[str]:
    """One line for each folder that does not pass whole."""
    by_folder: dict[str, Counter[str]] = defaultdict(Counter)
    for name, outcome in found.items():
        by_folder[name.partition(":")[0]][outcome] += 1
    for name, counts in sorted(by_folder.items()):
        yield f"{name}: {dict(counts)}"


def failing(found: dict[str, str]) -> dict[str, list[str]]:
    """Names of the cases that do not pass, by reason."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for name, outcome in found.items():
        if outcome != "passes" and not outcome.startswith("not asked"):
            reasons[outcome].append(name)
    return {reason: sorted(names) for reason, names in sorted(reasons.items())}


def main() -> None:
    """Write the list."""
    root = folder()
    if root is None:
        sys.exit("the Go module of OPA is not here: run `make tools`")
    found = outcomes(root)
    counts = Counter(outcome.partition(":")[0] for outcome in found.values())
    passing = sum(outcome == "passes" for outcome in found.values())
    document = {"opa": VERSION, "cases": len(found), "passing": passing, "not_passing": failing(found)}
    LIST.write_text(json.dumps(document, indent=1, sort_keys=True) + "\n")
    print(counts)


if __name__ == "__main__":
    main()
