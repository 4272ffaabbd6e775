"""
Why something would be released or refused: the checklist of each area that is asked, with ticks and crosses.

For every condition: whether it holds, the facts it reads and the table rows it looks at.  Then the
smallest change of facts that would flip the outcome, found by trying values that the tables know.
"""

import itertools

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final

from gateway.errors import BundleInvalidError
from gateway.policy.annotations import annotations, conditions, refusals
from gateway.policy.areas import areas_of
from gateway.policy.bundle import Bundle
from gateway.policy.rego.reader import read
from gateway.policy.rego.tree import Rule
from gateway.policy.rego.walk import dotted, references
from gateway.ports.policy import Queryable
from gateway.workbench.cases import Compile, permits
from gateway.workbench.mutation import module_of

_THROUGH: Final = {"release": "released", "admit": "admitted"}


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
    """All of it, for one input."""

    outcome: str
    """Of an item at its release; elsewhere `denied`, or what *through* says."""

    conditions: tuple[Condition, ...]
    """Of all areas that are asked, in the order of the list; where a reason is given, a condition of its area fails."""

    reasons: tuple[Reason, ...]
    through: str
    """What it would be if nothing refused it: released, admitted or allowed."""

    change: dict[str, object] | None
    """The smallest change of facts that would let it through; None if no single or double change would."""


def explain(bundle: Bundle, facts: Mapping[str, Any], compile_: Compile, entrypoint: str = "release") -> Explanation:
    """
    The checklist of every area that an entrypoint asks, for one input.

    Raises:
        BundleInvalidError: the bundle has no list of areas, or a checklist that cannot be read.
    """
    checklist = list(_checklist(bundle, entrypoint))
    asked = f"context/{entrypoint}"
    engine = compile_(bundle, [*(f"context/{area}/{name}" for area, name, _ in checklist), asked])
    answer: Any = engine.query(asked, facts)
    # A condition that is undefined does not hold, as where `permit` asks for it: only a plain true counts.
    lines = tuple(
        Condition(
            area,
            name,
            holds=engine.query(f"context/{area}/{name}", facts) is True,
            facts={fact: _look_up(facts, fact) for fact in _read(rules, "input", 2)},
            tables=tuple(_read(rules, "data", 2)),
        )
        for area, name, rules in checklist
    )
    controls = {
        block.code: tuple(block.controls)
        for rego in bundle.modules.values()
        for block in annotations(rego)
        if block.code
    }
    reasons = tuple(Reason(d["code"], d["message"], controls.get(d["code"], ())) for d in answer["denials"])
    through = _THROUGH.get(entrypoint, "allowed")
    outcome = str(answer.get("outcome") or (through if answer["allow"] else "denied"))
    change = None if _through(answer) else _smallest_change(bundle, facts, engine, asked)
    return Explanation(outcome, lines, reasons, through, change)


def _through(answer: Mapping[str, Any]) -> bool:
    return permits(answer) and answer.get("outcome") != "quarantined"


def _read(rules: Sequence[Rule], root: str, names: int) -> list[str]:
    """What rules read below `input` or `data`, by so many names; areas without the `context` that they all lie in."""
    # An officer knows the areas by their names alone: that all lie in `context` says nothing to them.
    paths = (dotted(one).split(".") for one in references(rules))
    below = (path[1:] for path in paths if path[0] == root)
    inner = (path[1:] if root == "data" and path[:1] == ["context"] else path for path in below)
    least = names if root == "data" else 1
    return sorted({".".join(path[:names]) for path in inner if len(path) >= least})


def _checklist(bundle: Bundle, entrypoint: str) -> Iterator[tuple[str, str, list[Rule]]]:
    """
    Area, name and rules of every condition, in the order of the areas.

    Beside those of `permit` also what a refusal explains without being one of them, such as what sets an item aside.
    """
    for area in areas_of(bundle).asked_by(entrypoint):
        rego = bundle.modules.get(module_of(area))
        if rego is None:
            raise BundleInvalidError(f"the area {area.name} is listed, and there is no {module_of(area)}")
        stated = conditions(rego) if area.refuses else []
        explained = [name for refusal in refusals(rego) for name in refusal.conditions]
        module = read(module_of(area), rego)
        for name in dict.fromkeys([*stated, *explained]):
            yield area.name, name, module.named(name)


def _look_up(facts: Mapping[str, Any], path: str) -> object:
    value: Any = facts
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _smallest_change(
    bundle: Bundle, facts: Mapping[str, Any], engine: Queryable, asked: str
) -> dict[str, object] | None:
    """One change of one fact that lets it through, else two."""
    single = list(_candidates(bundle, facts))
    for size in (1, 2):
        for changes in itertools.combinations(single, size):
            if len({path for path, _ in changes}) < size:
                continue
            tried = _changed(facts, changes)
            answer: Any = engine.query(asked, tried)
            if _through(answer):
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
    entity = _look_up(facts, "request.entity")
    corpora = itertools.chain(*tables["jurisdiction"]["domain_corpora"].values())
    choices: dict[str, Sequence[object]] = {
        "subject.role": list(tables["entitlement"]["clearance"]),
        "subject.department": list(tables["entitlement"]["department_domains"]),
        "subject.jurisdictions": [[*(_look_up(facts, "subject.jurisdictions") or ()), j] for j in jurisdictions],  # type: ignore[misc]
        "subject.agents": [[*(_look_up(facts, "subject.agents") or ()), _look_up(facts, "agent.id")]],  # type: ignore[misc]
        "request.jurisdictions": [[*(_look_up(facts, "request.jurisdictions") or ()), j] for j in jurisdictions],  # type: ignore[misc]
        "request.purpose": tables["trust"]["web_purposes"],
        "agent.id": tables["entitlement"]["named_agents"][:1],
        "item.domain": [tables["entitlement"]["shared_domain"], *tables["entitlement"]["domain_entitlements"]],
        "item.data_classification": list(tables["classification"]["levels"]),
        "item.jurisdiction": jurisdictions,
        "item.source_type": list(tables["trust"]["sources"]),
        "item.media_type": tables["exposure"]["structured_media_types"],
        "agent.archetype": list(tables["contract"]["contracts"]),
        "item.age_seconds": [0],
        "item.ttl_seconds": [86400],
        "item.expiry_date": [None],
        "item.effective_date": [None],
        "item.version": ["1"],
        "item.owner": ["somebody"],
        "item.doc_section": ["1"],
        "item.entity_id": [None, *([entity["id"]] if isinstance(entity, Mapping) else [])],
        "item.corpus": [None, *corpora],
        "findings": [[]],
        "reviews": [[]],
    }
    for path, values in choices.items():
        for value in values:
            parent = _look_up(facts, path.rpartition(".")[0]) if "." in path else facts
            if isinstance(parent, Mapping) and _look_up(facts, path) != value:
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
