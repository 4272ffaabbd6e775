"""Reading the registry of a bundle: agents, contracts, domains, models, purposes, budgets, prompts and sources."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from gateway.errors import BundleInvalidError
from gateway.model import Registry
from gateway.policy.bundle import Bundle

TABLES: Final = ("agents", "contracts", "domains", "models", "outputs", "purposes", "sources")
"""Folders of `registry` whose table has an entry for each id."""


def registry_of(bundle: Bundle) -> Registry:
    """
    The registry that a bundle brings, checked.

    Raises:
        BundleInvalidError: names the table and the field at fault.
    """
    tables = bundle.data.get("registry")
    if not isinstance(tables, dict):
        raise BundleInvalidError("the bundle holds no registry: there is no registry/agents/data.yaml")
    for name in (*TABLES, "budgets", "prompts"):
        if not isinstance(tables.get(name), dict):
            raise BundleInvalidError(f"the bundle lacks registry/{name}/data.yaml")
    try:
        named = {name: _with_ids(tables[name]) for name in TABLES if name != "outputs"}
        named["outputs"] = {id_: {"id": id_, "schema_": schema} for id_, schema in tables["outputs"].items()}
        return Registry.model_validate({**named, "budgets": tables["budgets"], "prompts": tables["prompts"]})
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(map(str, first["loc"]))
        raise BundleInvalidError(f"the registry of the bundle is invalid at {where}: {first['msg']}") from error


def _with_ids(table: Mapping[str, Any]) -> dict[str, Any]:
    """Entries that know their id; what is no table stays as it is, for the model to refuse."""
    return {id_: {**entry, "id": id_} if isinstance(entry, dict) else entry for id_, entry in table.items()}
