"""Rows of Operational Risk Management."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from bank.draws import Draw
from bank.npa import Row
from bank.planting import Plan, Planted, plan_of
from bank.words import (
    CALM,
    CATEGORIES,
    CONTROLS,
    HAPPENED,
    INDICATORS,
    JURISDICTIONS,
    LINES,
    TODAY,
    UNITS,
)

INCIDENTS: Final = 200


def incidents(seed: int, told: list[Planted]) -> Iterator[Row]:
    """The controls, and each incident with all its rows."""
    yield from _controls(seed)
    for number in range(1, INCIDENTS + 1):
        draw = Draw(seed, "orm", number)
        name, place = f"INC-2026-{number:04}", draw.pick(JURISDICTIONS)
        plan = plan_of(seed, "ORM", name, place)
        happened, loss = draw.pick(HAPPENED), draw.integer(0, 900)
        yield (
            "orm_incidents",
            {
                "id": number,
                "incident_id": name,
                "title": happened,
                "risk_category": draw.pick(CATEGORIES),
                "business_line": draw.pick(LINES),
                "jurisdiction": place,
                "status": draw.pick(("OPEN", "UNDER_ANALYSIS", "CLOSED")),
                "detected_on": draw.day(date(2025, 6, 2), TODAY),
                "gross_loss_usd_k": loss,
                "narrative": plan.text("orm_incidents.narrative", f"{happened}. {draw.pick(CALM)}"),
            },
        )
        for control in draw.several(range(1, len(CONTROLS) + 1), draw.integer(1, 3)):
            yield "orm_incident_controls", {"incident_id": number, "control_id": f"CTL-{control:03}"}
        yield from _assessments(draw, number, plan)
        yield from _losses(draw, number, loss, plan)
        told += plan.told


def _controls(seed: int) -> Iterator[Row]:
    for number, name in enumerate(CONTROLS, start=1):
        draw = Draw(seed, "control", number)
        yield (
            "orm_controls",
            {
                "control_id": f"CTL-{number:03}",
                "name": name,
                "design": draw.pick(("EFFECTIVE", "NEEDS_IMPROVEMENT")),
                "operation": draw.pick(("EFFECTIVE", "NEEDS_IMPROVEMENT", "INEFFECTIVE")),
                "last_tested": draw.day(date(2025, 1, 6), TODAY),
                "owner_unit": draw.pick(UNITS),
            },
        )


def _assessments(draw: Draw, number: int, plan: Plan) -> Iterator[Row]:
    for place, risk in enumerate(draw.several(CATEGORIES, 2)):
        levels = {"inherent": draw.pick(("medium", "high")), "residual": draw.pick(("low", "medium", "high"))}
        day = draw.day(date(2025, 6, 2), TODAY)
        yield (
            "orm_rcsa",
            {"id": number * 10 + place, "incident_id": number, "risk": risk, **levels, "assessed_on": day},
        )
    for place, name in enumerate(draw.several(INDICATORS, 3)):
        day = draw.day(date(2026, 1, 5), TODAY)
        if plan.wrong("orm_kri.measured_on", "the indicator was measured three years ago"):
            day = "2023-02-01"
        yield (
            "orm_kri",
            {
                "id": number * 10 + place,
                "incident_id": number,
                "name": name,
                "value": draw.integer(0, 60),
                "threshold": draw.integer(10, 40),
                "measured_on": day,
            },
        )


def _losses(draw: Draw, number: int, loss: int, plan: Plan) -> Iterator[Row]:
    """Two bookings that come to the incident's loss, unless a contradiction is planted."""
    parts = [loss // 2, loss - loss // 2]
    if plan.wrong("orm_loss_events.amount_usd_k", f"the bookings come to 250 more than the incident's loss of {loss}"):
        parts[0] += 250
    for place, amount in enumerate(parts):
        yield (
            "orm_loss_events",
            {
                "id": number * 10 + place,
                "incident_id": number,
                "amount_usd_k": amount,
                "recovered_usd_k": draw.integer(0, amount),
                "booked_on": draw.day(date(2025, 7, 1), TODAY),
                "remark": plan.text("orm_loss_events.remark", draw.pick(CALM)),
            },
        )
