"""
Why an item would be released or refused: the checklist of each area, with ticks and crosses.

For every condition: whether it holds, the facts it reads and the table rows it looks at.  Then the
smallest change of facts that would flip the outcome, found by trying values that the tables know.
"""

import itertools
import re

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final

from gateway.policy.annotations import annotations
from gateway.policy.bundle import Bundle
from gateway.policy.entrypoints import RELEASE
from gateway.workbench.cases import Compile

AREAS: Final = (
    "entitlement",
    "jurisdiction",
    "classification",
    "trust",
    "freshness",
    "exceptions",
    "pii",
    "injection",
)
_FACT: Final = re.compile(r"input\.([a-z_]+(?:\.[a-z_]+)?)")
_TABLE: Final = re.compile(r"data\.context\.([a-z_]+\.[a-z_]+)")


@dataclass(frozen=True, slots=True)
class Condition:
    """One line of a checklist."""

    area: str
    name: str
    holds: bool
    facts: dict[str, object]
    tables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """One refusal, and the control it implements."""

    code: str
    message: str
    controls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """All of it, for one item."""

    outcome: str
    conditions: tuple[Condition, ...]
    reasons: tuple[Reason, ...]
    change: dict[str, object] | None
    """The smallest change of facts that would release the item; None if no single or double change would."""


def explain(bundle: Bundle, facts: Mapping[str, Any], compile_: Compile) -> Explanation:
    """The checklist of every area for one input of `context/release`."""
    checklist = list(_conditions(bundle))
    rules = [f"context/{area}/{name}" for area, name, _ in checklist]
    engine = compile_(bundle, [*rules, RELEASE.name])
    release: Any = engine.query(RELEASE.name, facts)
    conditions = tuple(
        Condition(
            area,
            name,
            holds=engine.query(f"context/{area}/{name}", facts) is True,
            facts={fact: _look_up(facts, fact) for fact in sorted(set(_FACT.findall(source)))},
            tables=tuple(sorted(set(_TABLE.findall(source)))),
        )
        for area, name, source in checklist
    )
    controls = {
        block.code: tuple(block.controls)
        for rego in bundle.modules.values()
        for block in annotations(rego)
        if block.code
    }
    reasons = tuple(Reason(d["code"], d["message"], controls.get(d["code"], ())) for d in release["denials"])
    change = None if release["outcome"] in {"released", "redacted"} else _smallest_change(bundle, facts, engine)
    return Explanation(str(release["outcome"]), conditions, reasons, change)


def _conditions(bundle: Bundle) -> Iterator[tuple[str, str, str]]:
    """Area, name and source of every condition of every `permit`, in the order of the areas."""
    modules = {PurePosixPath(name).parent.name: rego for name, rego in bundle.modules.items()}
    for area in AREAS:
        rego = modules.get(area, "")
        permit = re.search(r"^permit if (?:\{\n((?:\t.*\n)+)\}|(.+))", rego, re.MULTILINE)
        body = (permit.group(1) or permit.group(2) or "") if permit else ""
        for name in re.findall(r"^\t?(?:not )?([a-z_]+)$", body, re.MULTILINE):
            definitions = re.findall(rf"^{name} .*(?:\n(?:[\t\]}}].*))*", rego, re.MULTILINE)
            yield area, name, "\n".join(definitions)


def _look_up(facts: Mapping[str, Any], path: str) -> object:
    value: Any = facts
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _smallest_change(bundle: Bundle, facts: Mapping[str, Any], engine: Any) -> dict[str, object] | None:  # noqa: ANN401 - Queryable
    """One change of one fact that releases the item, else two."""
    single = list(_candidates(bundle, facts))
    for size in (1, 2):
        for changes in itertools.combinations(single, size):
            if len({path for path, _ in changes}) < size:
                continue
            tried = _changed(facts, changes)
            if engine.query(RELEASE.name, tried)["outcome"] in {"released", "redacted"}:
                return dict(changes)
        if len(single) > _MOST_PAIRED:
            return None
    return None


_MOST_PAIRED: Final = 120
"""With more candidates than this, pairs are too many to try."""


def _candidates(bundle: Bundle, facts: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    """Values that the tables know, for the facts that a person could change."""
    tables = bundle.data["context"]
    jurisdictions = [*tables["jurisdiction"]["jurisdictions"], tables["jurisdiction"]["group_wide"]]
    choices: dict[str, Sequence[object]] = {
        "subject.role": list(tables["entitlement"]["clearance"]),
        "subject.department": list(tables["entitlement"]["department_domains"]),
        "subject.jurisdictions": [[*(_look_up(facts, "subject.jurisdictions") or ()), j] for j in jurisdictions],  # type: ignore[misc]
        "request.jurisdictions": [[*(_look_up(facts, "request.jurisdictions") or ()), j] for j in jurisdictions],  # type: ignore[misc]
        "request.purpose": tables["trust"]["web_purposes"],
        "agent.id": tables["entitlement"]["named_agents"][:1],
        "item.domain": [tables["entitlement"]["shared_domain"], *tables["entitlement"]["domain_entitlements"]],
        "item.data_classification": list(tables["classification"]["levels"]),
        "item.jurisdiction": jurisdictions,
        "item.source_type": list(tables["trust"]["sources"]),
        "item.age_seconds": [0],
        "item.ttl_seconds": [86400],
        "item.expiry_date": [None],
        "item.effective_date": [None],
        "item.version": ["1"],
        "item.owner": ["somebody"],
        "findings": [[]],
        "reviews": [[]],
    }
    for path, values in choices.items():
        for value in values:
            if _look_up(facts, path) != value:
                yield path, value


def _changed(facts: Mapping[str, Any], changes: Sequence[tuple[str, object]]) -> dict[str, Any]:
    tried = deepcopy(dict(facts))
    for path, value in changes:
        *folders, name = path.split(".")
        inner = tried
        for folder in folders:
            inner = inner[folder]
        inner[name] = value
    return tried
