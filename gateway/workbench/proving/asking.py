"""One bundle as it is asked over all inputs: its formulas for each question, and the engines that decide single inputs."""

import dataclasses
import json

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from pydantic import TypeAdapter

from gateway.policy.areas import areas_of
from gateway.policy.bundle import Bundle, bundle_of, read_table
from gateway.policy.entrypoints import ENTRYPOINTS
from gateway.policy.rego.parse import parse
from gateway.policy.rego.tree import Module, Place, Scalar
from gateway.policy.rego.walk import walk
from gateway.workbench.proving.documents import Coverage
from gateway.workbench.proving.engines import Engines
from gateway.workbench.proving.formulas.inputs import InputSchema
from gateway.workbench.proving.formulas.reading import BundleReading
from gateway.workbench.proving.formulas.rules import Rules
from gateway.workbench.proving.formulas.terms import FALSE, Index, Term, disjoined, parts_of
from gateway.workbench.proving.invariants import PACKAGE
from gateway.workbench.proving.solver import Settled, possible

_BASE: Final = "context/cases.base.yaml"
_FILE: Final = "ctxgate/proof.rego"
_SCHEMAS: Final = {one.name.rpartition("/")[2]: one.input for one in ENTRYPOINTS}


@dataclass
class AskedBundle:
    """A bundle with a module of questions."""

    bundle: Bundle
    module: str
    """Rego of the package of proofs."""

    engines: Engines
    schemas: dict[str, InputSchema] = field(default_factory=dict)
    """By question; two bundles that are compared share them."""

    def __post_init__(self) -> None:
        self._rules: dict[str, Rules] = {}
        self._parsed: list[Module] = [parse(name, text) for name, text in self.bundle.modules.items()]
        self._parsed.append(parse(_FILE, self.module))

    def schema(self, asked: str) -> InputSchema:
        """The inputs of a question."""
        if asked not in self.schemas:
            self.schemas[asked] = InputSchema(TypeAdapter(_SCHEMAS[asked]).json_schema())
        return self.schemas[asked]

    def rules(self, asked: str) -> Rules:
        """The rules, read over the inputs of a question."""
        if asked not in self._rules:
            reading = BundleReading(self.bundle, self._parsed, self.schema(asked), self.engines.ground)
            self._rules[asked] = Rules(reading)
        return self._rules[asked]

    def holds(self, asked: str, rule: str) -> Term:
        """
        Where a rule of the package of proofs holds.

        Raises:
            NotCoveredError: it is not covered.
        """
        rules = self.rules(asked)
        if (PACKAGE, rule) not in rules.reading.rules:
            return FALSE
        whole = Place(_FILE, 1, 1, 0, 0)
        found = rules.value(PACKAGE, rule, Scalar(whole, None))
        return disjoined(one.closed() for one in found)

    @cached_property
    def words(self) -> set[str]:
        """Every text of the tables and the rules."""
        texts = {one.value for one in walk(self._parsed[:-1]) if isinstance(one, Scalar) and isinstance(one.value, str)}
        return texts | set(words_of(self.bundle.data))

    @cached_property
    def base(self) -> Mapping[str, Any]:
        """The input that every case starts from; nothing where the bundle brings none."""
        body = self.bundle.checks.get(_BASE)
        return json.loads(json.dumps(read_table(_BASE, body), default=str)) if body else {}

    def decides(self, rule: str, facts: object) -> dict[str, bool]:
        """What each engine says of a rule of the package of proofs."""
        path = f"{PACKAGE.replace('.', '/')}/{rule}"
        return {name: engine.query(path, facts) is True for name, engine in self._deciders.items()}

    @cached_property
    def _deciders(self) -> dict[str, Any]:
        names = [rule.name for rule in self._parsed[-1].rules]
        paths = [f"{PACKAGE.replace('.', '/')}/{name}" for name in dict.fromkeys(names)]
        whole = dataclasses.replace(self.bundle, modules={**self.bundle.modules, _FILE: self.module})
        found = {self.engines.embedded: self.engines.compile_(whole, paths)}
        if self.engines.other is not None and self.engines.compile_other is not None:
            found[self.engines.other] = self.engines.compile_other(_alone(whole), paths)
        return found

    def coverage(self, asked: Iterable[str], formulas: Iterable[Term], seconds: float) -> Coverage:
        """
        Over what formulas were settled.

        Args:
            asked: the questions.
            formulas: what was settled.
            seconds: for one check of the solver.
        """
        # Once for all questions, since what was read for one may be part of another.
        names = sorted(set(asked))
        readings = [self.rules(name).reading for name in names]
        notes = {f"{place}: {reason}" for one in readings for place, reason in one.notes.items()}
        areas = areas_of(self.bundle)
        heard = {area.name for name in names for area in areas.asked_by(name)}
        return Coverage(
            entrypoints=tuple(f"context/{name}" for name in names),
            areas=tuple(area.name for area in areas.listed if area.name in heard),
            rules=len({rule for one in readings for rule in one.rules_read}),
            facts=tuple(sorted(set().union(*(facts_in(one) for one in formulas)))),
            not_covered=tuple(sorted(notes)),
            two_values=tuple(sorted(_two_values(readings, seconds))),
        )


def _two_values(readings: Iterable[BundleReading], seconds: float) -> set[str]:
    """The rules that may be given two values, as far as it is not shown that they are not."""
    conflicts = [(name, disjoined(several)) for one in readings for name, several in one.conflicts.items()]
    return {name for name, one in conflicts if possible(one, seconds=seconds) is not Settled.NEVER}


def _alone(bundle: Bundle) -> Bundle:
    """A bundle with its own content, for an engine that reads files."""
    files = {name: text.encode() for name, text in bundle.modules.items()}
    return bundle_of({**files, "data.json": json.dumps(bundle.data).encode(), ".manifest": b"{}"})


def words_of(data: object) -> Iterator[str]:
    """Every text of a table, keys as well."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield str(key)
            yield from words_of(value)
    elif isinstance(data, list):
        for value in data:
            yield from words_of(value)


def facts_in(formula: Term) -> set[str]:
    """The facts of the input that a formula speaks of, by their names; of a list all members together."""
    found = set()
    for one in parts_of(formula):
        if one.op in {"some_text", "some_whole", "some_number", "some_truth"} and one.args[0] != "~":
            names = ["*" if isinstance(each, Index) else str(each) for each in one.args]
            found.add(".".join(name for name in names if not name.startswith("?")))
        elif one.op == "exists":
            found.add(".".join("*" if isinstance(each, Index) else str(each) for each in one.args[0].path))
    return found
