"""Findings as SARIF 2.1.0 (OASIS), which code hosts show beside the lines of a change."""

from collections.abc import Iterable
from typing import Any, Final

from gateway.workbench.results.findings import KINDS, CheckFinding

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS: Final = {"no-case": "warning"}
_HELP: Final = "docs/policies.md"


def sarif(findings: Iterable[CheckFinding], *, version: str, root: str = "policies") -> dict[str, Any]:
    """
    A log of one run.

    Args:
        findings: in the order of their places.
        version: of the gateway.
        root: where the bundle's files are, from where the log is read.
    """
    kinds = list(KINDS)
    rules = [
        {"id": f"ctxgate/{kind}", "name": kind, "shortDescription": {"text": text}, "help": {"text": f"See {_HELP}."}}
        for kind, text in KINDS.items()
    ]
    driver = {"name": "ctxgate", "version": version, "semanticVersion": version, "rules": rules}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_result(one, kinds, root) for one in findings]}],
    }


def _result(one: CheckFinding, kinds: list[str], root: str) -> dict[str, Any]:
    region = {"startLine": max(one.line, 1)} | ({"startColumn": one.column} if one.column else {})
    place = {"artifactLocation": {"uri": f"{root.rstrip('/')}/{one.file}"}, "region": region}
    return {
        "ruleId": f"ctxgate/{one.kind}",
        "ruleIndex": kinds.index(one.kind),
        "level": _LEVELS.get(one.kind, "error"),
        "message": {"text": " ".join(filter(None, (f"{one.entry}:", one.message, one.hint)))},
        "locations": [{"physicalLocation": place}],
    }
