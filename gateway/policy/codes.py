"""Codes that no rule can give, since policy is not asked: what they mean stands in the tables of the area they belong to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from gateway.errors import BundleInvalidError
from gateway.model.base import Model
from gateway.policy.agent import AGENT_DECLARED, NO_PERSON
from gateway.policy.bundle import Bundle

TABLE: Final = "raised_by_gateway"

GATEWAY_CODES: Final = {
    AGENT_DECLARED: "notices",
    "AZN-001": "scoping",
    "BUDGET-CUT": "notices",
    "DTK-000": "detokenization",
    "ENT-900": "entitlement",
    NO_PERSON: "scoping",
    "QUARANTINED": "notices",
}
"""Every code that the gateway gives itself, and the area whose table describes it."""


class Row(Model):
    """What a code means."""

    title: str
    description: str
    owner: str
    control: str
    """The control's page."""

    message: str
    """What a caller reads."""


@dataclass(frozen=True, slots=True)
class Described:
    """A code of the gateway and its row."""

    code: str
    area: str
    row: Row


def rows(bundle: Bundle) -> list[Described]:
    """
    Every code that a table describes, by area and code.

    Raises:
        BundleInvalidError: a row lacks a part; the message names it.
    """
    areas: Mapping[str, Any] = bundle.data.get("context", {})
    found = []
    for area, tables in sorted(areas.items()):
        listed = tables.get(TABLE, {}) if isinstance(tables, dict) else {}
        if not isinstance(listed, dict):
            raise BundleInvalidError(f"context/{area}/data.yaml: {TABLE} is not a table of codes")
        for code, fields in sorted(listed.items()):
            try:
                found.append(Described(code, area, Row.model_validate(fields)))
            except ValidationError as error:
                where = ".".join(map(str, error.errors()[0]["loc"]))
                raise BundleInvalidError(
                    f"context/{area}/data.yaml: {TABLE}.{code}.{where} is missing or no text"
                ) from error
    return found
