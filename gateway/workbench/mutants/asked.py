"""What is asked of a changed bundle: only what the change may answer otherwise; everything else is as it was before."""

import json

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

from gateway.policy.bundle import Bundle
from gateway.ports.policy import Queryable
from gateway.workbench.cases import Compile, OfficerCase, rules_of


@dataclass
class Before:
    """The answers of a bundle as it is, each asked once; the inputs are those of its cases, which are kept as they are."""

    bundle: Bundle
    cases: list[OfficerCase]
    compile_: Compile
    _texts: dict[int, bytes] = field(default_factory=dict)
    _answers: dict[tuple[str, int], object] = field(default_factory=dict)

    def text(self, facts: object) -> bytes:
        """An input as JSON, written once."""
        key = id(facts)
        if key not in self._texts:
            self._texts[key] = json.dumps(facts).encode()
        return self._texts[key]

    def query(self, rule: str, facts: object) -> object:
        """The value of a rule before anything is changed."""
        key = rule, id(facts)
        if key not in self._answers:
            self._answers[key] = self._engine.query(rule, self.text(facts))
        return self._answers[key]

    @cached_property
    def _engine(self) -> Queryable:
        return self.compile_(self.bundle, rules_of(self.cases))


@dataclass(frozen=True)
class Changed:
    """A changed bundle that is asked for some of its rules; of the others the answers are those from before."""

    engine: Queryable
    rules: Collection[str]
    before: Before

    def query(self, rule: str, facts: object) -> object:
        """The value of a rule."""
        if rule in self.rules:
            return self.engine.query(rule, self.before.text(facts))
        return self.before.query(rule, facts)
