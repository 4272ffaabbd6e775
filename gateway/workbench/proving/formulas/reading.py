"""
A bundle's rules as formulas over every input.

Rules held here: a rule, body or builtin that is not covered gets a value of which nothing is known, and is named; so a formula covers
at least what the engine can do, and whatever no formula allows, no engine does.
"""

import hashlib
import json

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from gateway.policy.bundle import Bundle
from gateway.policy.rego.tree import Call, Expr, Module, Node, Place, Query, Rule
from gateway.workbench.proving.formulas.inputs import InputSchema
from gateway.workbench.proving.formulas.terms import Index, Term
from gateway.workbench.proving.formulas.values import Alternative, Atom, unknown

Ground = Callable[[str, tuple[Any, ...]], tuple[Any, ...]]
"""What a builtin of the engine gives for values that are known: the value, or nothing where it is undefined."""


class NotCoveredError(Exception):
    """Something is outside what is read as a formula."""

    def __init__(self, node: Node | Place, reason: str) -> None:
        self.place = node if isinstance(node, Place) else node.place
        self.reason = reason
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class Around:
    """What an expression sees."""

    module: Module
    names: Mapping[str, Atom] = field(default_factory=dict)
    """Its variables."""

    scope: frozenset[Index] = frozenset()
    """The members of lists that are chosen around it."""

    def within(self, binders: Iterable[Index]) -> "Around":
        """The same, with members chosen."""
        more = frozenset(binders)
        return Around(self.module, self.names, self.scope | more) if more else self

    def naming(self, name: str, atom: Atom) -> "Around":
        """The same, with a variable; the wildcard names nothing."""
        return self if name == "_" else Around(self.module, {**self.names, name: atom}, self.scope)

    def key(self) -> tuple[Any, ...]:
        """What tells it from others."""
        return tuple(sorted(self.names.items(), key=lambda pair: pair[0]))


@dataclass(frozen=True, slots=True)
class Solution:
    """One way in which a body holds."""

    guard: Term
    binders: tuple[Index, ...]
    around: Around


@dataclass(frozen=True, slots=True)
class ChosenMember:
    """One member of a collection, where it has it."""

    guard: Term
    binders: tuple[Index, ...]
    key: Atom
    value: Atom


class BundleReading:
    """What is known of one bundle while it is read."""

    def __init__(self, bundle: Bundle, modules: Iterable[Module], schema: InputSchema, ground: Ground) -> None:
        """
        Args:
            bundle: whose tables they are.
            modules: the rules.
            schema: of the input.
            ground: asks the engine for a builtin.
        """
        self.bundle = bundle
        self.schema = schema
        self.ground = ground
        self.modules = tuple(modules)
        self.notes: dict[str, str] = {}
        self.conflicts: dict[str, list[Term]] = {}
        self.rules_read: set[tuple[str, str]] = set()

    @cached_property
    def tables(self) -> dict[str, Any]:
        """The tables as the engine is told them: as JSON, whose keys are texts."""
        read: dict[str, Any] = json.loads(json.dumps(self.bundle.data))
        return read

    @cached_property
    def tag(self) -> str:
        """Tells what is not known of this bundle from what is not known of another."""
        return hashlib.sha256(json.dumps([self.bundle.modules, self.tables], sort_keys=True).encode()).hexdigest()

    @cached_property
    def rules(self) -> dict[tuple[str, str], list[tuple[Module, Rule]]]:
        """Every rule by its package and first name."""
        found: dict[tuple[str, str], list[tuple[Module, Rule]]] = {}
        for module in self.modules:
            for rule in module.rules:
                found.setdefault((module.package, rule.name.partition(".")[0]), []).append((module, rule))
        return found

    @cached_property
    def packages(self) -> frozenset[str]:
        """Every package, and every part of the tree that holds one."""
        parts = [package.split(".") for package, _ in self.rules]
        return frozenset(".".join(one[:end]) for one in parts for end in range(len(one) + 1))

    def note(self, error: NotCoveredError) -> None:
        """Name what is not covered."""
        self.notes.setdefault(str(error.place), error.reason)

    def unknown_at(self, error: NotCoveredError, around: Around) -> Term:
        """A truth of which nothing is known, in place of what is not covered."""
        self.note(error)
        return unknown(self.tag, str(error.place), *around.key())


class ExpressionsRead(ABC):
    """Reads expressions."""

    @abstractmethod
    def of(self, expr: Expr, around: Around) -> list[Alternative]: ...

    @abstractmethod
    def steps(self, found: Sequence[Alternative], parts: tuple[Expr, ...], around: Around) -> list[Alternative]: ...


class BodiesRead(ABC):
    """Reads bodies."""

    @abstractmethod
    def solutions(self, query: Query, around: Around) -> list[Solution]: ...

    @abstractmethod
    def members(self, atom: Atom, around: Around, node: Node) -> list[ChosenMember]: ...


class RulesRead(ABC):
    """Reads rules, with expressions and bodies that read each other."""

    reading: BundleReading

    expressions: ExpressionsRead
    bodies: BodiesRead

    @abstractmethod
    def value(self, package: str, name: str, node: Expr) -> tuple[Alternative, ...]: ...

    @abstractmethod
    def call(self, call: Call, arguments: tuple[Atom, ...], around: Around) -> tuple[Alternative, ...] | None: ...

    @abstractmethod
    def data(self, node: Expr, path: tuple[str, ...], parts: tuple[Expr, ...], around: Around) -> list[Alternative]: ...
