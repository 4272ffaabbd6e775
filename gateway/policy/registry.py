"""Reading the registry of a bundle: agents, contracts, domains, models, purposes, budgets, prompts and sources."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from gateway.errors import BundleInvalidError
from gateway.model import Registry
from gateway.model.registry import DANGLING
from gateway.policy.bundle import Bundle

BY_ID: Final = ("agents", "contracts", "domains", "models", "purposes", "sources")
"""Folders of `registry` whose table has an entry for each id."""

TABLES: Final = tuple(sorted(Registry.model_fields))
"""Folders of `registry`."""


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something in the registry of a bundle that keeps it from deciding."""

    table: str
    """Folder of `registry`; empty where the registry is missing whole."""

    place: tuple[str, ...]
    """Entry and field within the table."""

    message: str

    def __str__(self) -> str:
        return f"{'/'.join(('registry', *filter(None, (self.table,)), *self.place))}: {self.message}"


def registry_of(bundle: Bundle) -> Registry:
    """
    The registry that a bundle brings, checked.

    Raises:
        BundleInvalidError: names the table and the field at fault.
    """
    for flaw in _missing(bundle):
        raise BundleInvalidError(str(flaw))
    try:
        return _read(bundle)
    except ValidationError as error:
        raise BundleInvalidError(str(_flaw(error.errors()[0]))) from error


def flaws(bundle: Bundle) -> list[Flaw]:
    """Everything that is wrong with the registry of a bundle; nothing where `registry_of` reads it."""
    if missing := list(_missing(bundle)):
        return missing
    try:
        _read(bundle)
    except ValidationError as error:
        return [_flaw(one) for one in error.errors()]
    return []


def _missing(bundle: Bundle) -> Iterator[Flaw]:
    tables = bundle.data.get("registry")
    if not isinstance(tables, dict):
        yield Flaw("", (), "the bundle holds no registry: there is no registry/agents/data.yaml")
        return
    for name in TABLES:
        if not isinstance(tables.get(name), dict):
            yield Flaw(name, (), f"the bundle lacks registry/{name}/data.yaml")
    for name in sorted(tables.keys() - set(TABLES), key=str):
        yield Flaw(str(name), (), f"nothing reads a table of this name; there are {', '.join(TABLES)}")


def _read(bundle: Bundle) -> Registry:
    tables: Mapping[str, Any] = bundle.data["registry"]
    return Registry.model_validate(
        {name: _with_ids(table) if name in BY_ID else table for name, table in tables.items()}
    )


def _with_ids(table: Mapping[str, Any]) -> dict[str, Any]:
    """Entries that know their id; what is no table stays as it is, for the model to refuse."""
    return {id_: {**entry, "id": id_} if isinstance(entry, dict) else entry for id_, entry in table.items()}


def _flaw(error: ErrorDetails) -> Flaw:
    if error["type"] == DANGLING:
        said = error["ctx"]
        table, *place = said["place"]
        return Flaw(table, tuple(place), f"names the unknown {said['kind']} {said['name']}")
    table, *place = map(str, error["loc"])
    return Flaw(table, tuple(place), error["msg"])
