"""The governed exceptions of a bundle, as far as they can be read: those of a bundle kept from before may lack what is asked now."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from gateway.policy.bundle import Bundle
from gateway.policy.vetting.exemptions import Exemption


def exceptions_of(bundle: Bundle) -> list[Exemption]:
    """The exceptions that are whole, in the order of the table."""
    found = []
    for entry in _granted(bundle):
        try:
            found.append(Exemption.model_validate(entry))
        except ValidationError:
            continue
    return found


def broken_exceptions(bundle: Bundle) -> int:
    """How many entries of the table are no whole exception."""
    return sum(1 for _ in _granted(bundle)) - len(exceptions_of(bundle))


def _granted(bundle: Bundle) -> Iterator[Any]:
    areas = bundle.data.get("context")
    table = areas.get("exceptions") if isinstance(areas, dict) else None
    granted = table.get("granted") if isinstance(table, dict) else None
    yield from granted if isinstance(granted, list) else ()
