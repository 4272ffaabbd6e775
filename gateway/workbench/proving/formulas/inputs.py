"""Every input that the schema of an entrypoint allows, as facts that are not known."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from gateway.workbench.proving.formulas.terms import TRUE, Index, conjoined, negated, some_number, some_text, some_truth
from gateway.workbench.proving.formulas.values import (
    Alternative,
    Atom,
    Entries,
    Known,
    Listed,
    Number,
    ObjectFacts,
    Obscure,
    Text,
    Truth,
)

NAME: Final = "@name"
VALUE: Final = "@value"
"""Of an entry of an object whose names the schema leaves open."""


class InputSchema:
    """The inputs of one entrypoint; a place in the schema has a name, which tells of two objects whether they are of one kind."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        """
        Args:
            schema: as JSON InputSchema, of the kind that pydantic writes.
        """
        self._definitions = schema.get("$defs", {})
        self._nodes: dict[str, Mapping[str, Any]] = {"": schema}
        self._options: dict[tuple[Any, ...], tuple[Atom, ...]] = {}

    def everything(self) -> ObjectFacts:
        """The whole input."""
        return ObjectFacts((), "")

    def names(self, kind: str) -> list[str]:
        """The facts of an object."""
        return list(self._nodes[kind].get("properties", {}))

    def field(self, facts: ObjectFacts, name: str) -> list[Alternative]:
        """What a fact of an object may be; nothing where the schema has no such fact."""
        node = self._nodes[facts.kind].get("properties", {}).get(name)
        if node is None:
            return []
        found = self.alternatives(f"{facts.kind}/{name}", node, (*facts.path, name))
        if name in self._nodes[facts.kind].get("required", ()):
            return found
        there = some_truth(*facts.path, name, "?there")
        return [Alternative(conjoined([there, one.guard]), one.atom) for one in found]

    def item(self, listed: Listed, path: tuple[Any, ...]) -> list[Alternative]:
        """What a member of a list may be, at its own path."""
        return self.alternatives(f"{listed.kind}/*", self._nodes[listed.kind].get("items", {}), path)

    def entry(self, entries: Entries, index: Index) -> tuple[Text, list[Alternative]]:
        """The name of an entry, and what it may be."""
        path, values = (*entries.path, index), self._nodes[entries.kind].get("additionalProperties", {})
        return Text(some_text(*path, NAME)), self.alternatives(f"{entries.kind}/*", values, (*path, VALUE))

    def alternatives(self, kind: str, node: Mapping[str, Any], path: tuple[Any, ...]) -> list[Alternative]:
        """What stands at a place, by what its schema says."""
        atoms = tuple(self._atoms(kind, node, path))
        self._options[named(path)] = atoms
        found, others = [], TRUE
        for place, atom in enumerate(atoms):
            this = some_truth(*path, f"?{place}") if place < len(atoms) - 1 else TRUE
            found.append(Alternative(conjoined([others, this]), atom))
            others = conjoined([others, negated(this)])
        return found

    def option(self, path: tuple[Any, ...], place: int) -> Atom:
        """One of what a fact of this path may be."""
        return self._options[named(path)][place]

    def _atoms(self, kind: str, node: Mapping[str, Any], path: tuple[Any, ...]) -> Iterator[Atom]:
        if "$ref" in node:
            node = self._definitions[str(node["$ref"]).rpartition("/")[2]]
        if "anyOf" in node:
            for place, option in enumerate(node["anyOf"]):
                yield from self._atoms(f"{kind}?{place}", option, path)
        elif "enum" in node:
            yield from map(Known, node["enum"])
        elif "const" in node:
            yield Known(node["const"])
        else:
            yield self._of_type(kind, node, path)

    def _of_type(self, kind: str, node: Mapping[str, Any], path: tuple[Any, ...]) -> Atom:
        match node.get("type"):
            case "null":
                return Known(None)
            case "string":
                return Text(some_text(*path))
            case "boolean":
                return Truth(some_truth(*path))
            case "integer" | "number" as type_:
                return Number(some_number(*path, whole=type_ == "integer"))
            case "object" if "properties" in node:
                self._nodes[kind] = node
                return ObjectFacts(path, kind)
            case "object" if isinstance(node.get("additionalProperties"), Mapping):
                self._nodes[kind] = node
                return Entries(path, kind)
            case "array" if "items" in node:
                self._nodes[kind] = node
                return Listed(path, kind)
        return Obscure(("input", *path))


def named(path: tuple[Any, ...]) -> tuple[Any, ...]:
    """A path that says of members of lists no more than that they are."""
    return tuple("*" if isinstance(one, Index) else one for one in path)


def fits(value: object, atom: Atom) -> bool:
    """Whether a value is one that a fact may be."""
    match atom:
        case Known():
            return type(value) is type(atom.value) and value == atom.value
        case Text():
            return isinstance(value, str)
        case Truth():
            return isinstance(value, bool)
        case Number():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case ObjectFacts() | Entries():
            return isinstance(value, dict)
        case Listed():
            return isinstance(value, list)
    return False
