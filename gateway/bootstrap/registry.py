"""Reading the registry: agents, domains, models, purposes, budgets and sources, as YAML."""

from pathlib import Path
from typing import Any

import yaml

from pydantic import ValidationError

from gateway.errors import ConfigurationError
from gateway.model import Registry


def load_registry(folder: Path) -> Registry:
    """
    The registry in a folder, checked.

    Raises:
        ConfigurationError: names the file and the field at fault.
    """
    files = {
        name: _read(folder / f"{name}.yaml")
        for name in ("agents", "domains", "models", "purposes", "contracts", "sources", "budgets")
    }
    try:
        return Registry.model_validate(
            {
                "agents": _by_id(files["agents"]["agents"]),
                "domains": _by_id(files["domains"]["domains"]),
                "models": _by_id(files["models"]["models"]),
                "purposes": _by_id(files["purposes"]["purposes"]),
                "contracts": _by_id(files["contracts"]["contracts"]),
                "sources": files["sources"]["sources"],
                "budgets": files["budgets"],
            }
        )
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ConfigurationError(f"the registry in {folder} is invalid at {where}: {first['msg']}") from error
    except (KeyError, TypeError) as error:
        raise ConfigurationError(f"the registry in {folder} lacks a list: {error}") from error


def _read(path: Path) -> Any:  # noqa: ANN401 - checked by the model
    try:
        return yaml.safe_load(path.read_text())
    except (OSError, yaml.YAMLError) as error:
        raise ConfigurationError(f"{path} cannot be read") from error


def _by_id(entries: list[dict[str, Any]]) -> dict[str, Any]:
    ids = [entry["id"] for entry in entries]
    if len(ids) != len(set(ids)):
        raise ConfigurationError("two entries of the registry have the same id")
    return dict(zip(ids, entries, strict=True))
