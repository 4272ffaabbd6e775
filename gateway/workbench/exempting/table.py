"""
Governed exceptions: lines of `policies/context/exceptions/data.yaml`, edited without touching the rest.

An exception that lacks an owner, a reason, a scope, an expiry or a rollback trigger, or that waives what can never be
waived, is refused before it is written; what is written decides only once the bundle is activated.
"""

from datetime import date
from pathlib import Path

import yaml

from pydantic import ValidationError

from gateway.errors import BundleInvalidError, FieldInvalidError, NotFoundError
from gateway.policy.bundle import read_table
from gateway.policy.supply.edits import with_item, without
from gateway.policy.vetting.exemptions import Exemption, Scope

__all__ = ["Exemption", "Scope", "grant", "granted", "next_id", "revoke"]

_FILE = Path("context/exceptions/data.yaml")


def granted(root: Path) -> list[Exemption]:
    """
    All exceptions of a bundle folder, expired ones included.

    Raises:
        BundleInvalidError: one of them is not whole.
    """
    try:
        return [Exemption.model_validate(one) for one in _table(root)["granted"] or []]
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"]))
        raise BundleInvalidError(f"{_FILE}: an exception is not whole: {where}") from error


def grant(root: Path, exemption: Exemption, today: date) -> None:
    """
    Write a new exception at the end of the table.

    Raises:
        FieldInvalidError: its id is taken, it has expired already, or it waives what can never be waived.
    """
    if any(one.id == exemption.id for one in granted(root)):
        raise FieldInvalidError("the id is taken", fields=[("id", "is taken")])
    if exemption.expires <= today.isoformat():
        raise FieldInvalidError("an exception must expire in the future", fields=[("expires", "has passed")])
    forbidden = sorted(set(exemption.codes) - set(_table(root)["waivable"]))
    if forbidden:
        raise FieldInvalidError(
            f"these refusals can never be waived: {', '.join(forbidden)}", fields=[("codes", "cannot be waived")]
        )
    path = root / _FILE
    text = yaml.safe_dump([exemption.model_dump(mode="json")], sort_keys=False, default_flow_style=None, width=110)
    path.write_text(with_item(path.read_text(), "granted", text))
    granted(root)


def revoke(root: Path, exception_id: str) -> None:
    """
    Take an exception out of the table.

    Raises:
        NotFoundError: there is none of that id.
    """
    path = root / _FILE
    index = next((at for at, one in enumerate(granted(root)) if one.id == exception_id), None)
    if index is None:
        raise NotFoundError("there is no exception of that id")
    path.write_text(without(path.read_text(), "granted", index))
    granted(root)


def next_id(root: Path, today: date) -> str:
    """The next free id of this year, such as EXC-2026-002."""
    numbers = [int(one.id[-3:]) for one in granted(root) if one.id.startswith(f"EXC-{today.year}-")]
    return f"EXC-{today.year}-{max(numbers, default=0) + 1:03d}"


def _table(root: Path) -> dict[str, list[object]]:
    try:
        return read_table(_FILE.as_posix(), (root / _FILE).read_bytes())
    except OSError as error:
        raise BundleInvalidError(f"{_FILE} cannot be read") from error
