"""Rows of Desk Support."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from bank.draws import Draw
from bank.npa import Row
from bank.planting import Plan, Planted, plan_of
from bank.words import (
    AGREEMENTS,
    CALM,
    DOCUMENTS,
    FAMILIES,
    FORMS_OF_FIRMS,
    JURISDICTIONS,
    LAWS,
    LEGAL_NAMES,
    RATINGS,
    SEGMENTS,
    TODAY,
    UNITS,
)

COUNTERPARTIES: Final = 150


def counterparties(seed: int, told: list[Planted]) -> Iterator[Row]:
    """Each counterparty with its limits, agreements and documents."""
    for number in range(1, COUNTERPARTIES + 1):
        draw = Draw(seed, "desk", number)
        name, place = f"CP-{number:05}", draw.pick(JURISDICTIONS)
        plan = plan_of(seed, "DESK", name, place)
        yield (
            "desk_counterparties",
            {
                "id": number,
                "counterparty_id": name,
                "legal_name": f"{draw.pick(LEGAL_NAMES[0])} {draw.pick(LEGAL_NAMES[1])} {FORMS_OF_FIRMS[place]}",
                "jurisdiction": place,
                "segment": draw.pick(SEGMENTS),
                "rating": draw.pick(RATINGS),
                "watchlist": int(draw.chance(8)),
                "business_unit": draw.pick(UNITS),
                "kyc_reviewed_on": draw.day(date(2024, 6, 3), TODAY),
            },
        )
        yield from _limits(draw, number, plan)
        yield from _agreements(draw, number, plan)
        yield from _documents(draw, number, plan)
        told += plan.told


def _limits(draw: Draw, number: int, plan: Plan) -> Iterator[Row]:
    """A limit for each product family; where a contradiction is planted, one family has two."""
    families = draw.several(FAMILIES, draw.integer(1, 4))
    if plan.wrong("desk_credit_limits.limit_usd_k", f"there are two limits for {families[0]}"):
        families = [families[0], *families]
    for place, family in enumerate(families):
        limit = draw.integer(1, 200) * 1000
        yield (
            "desk_credit_limits",
            {
                "id": number * 10 + place,
                "counterparty_id": number,
                "product_family": family,
                "limit_usd_k": limit,
                "used_usd_k": draw.integer(0, limit),
                "approved_on": draw.day(date(2025, 1, 6), TODAY),
                "review_due": draw.day(TODAY, date(2027, 2, 26)),
            },
        )


def _agreements(draw: Draw, number: int, plan: Plan) -> Iterator[Row]:
    for place, (kind, edition) in enumerate(draw.several(AGREEMENTS, draw.integer(1, 3))):
        expired = plan.wrong("desk_agreements.expires_on", "the agreement expired in 2024")
        yield (
            "desk_agreements",
            {
                "id": number * 10 + place,
                "counterparty_id": number,
                "kind": kind,
                "edition": edition,
                "governing_law": draw.pick(LAWS),
                "signed_on": draw.day(date(2018, 1, 8), date(2023, 12, 29)),
                "expires_on": "2024-06-30" if expired else None,
                "threshold_usd_k": draw.integer(0, 50) * 100,
            },
        )


def _documents(draw: Draw, number: int, plan: Plan) -> Iterator[Row]:
    for place, kind in enumerate(draw.several(DOCUMENTS, draw.integer(2, 5))):
        yield (
            "desk_documents",
            {
                "id": number * 10 + place,
                "counterparty_id": number,
                "kind": kind,
                "received_on": draw.day(date(2025, 1, 6), TODAY),
                "note": plan.text("desk_documents.note", draw.pick(CALM)),
            },
        )
