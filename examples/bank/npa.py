"""Rows of New Product Approval."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Final

from bank.draws import Draw
from bank.planting import Plan, Planted, plan_of
from bank.words import (
    ASPECTS,
    BOOKING_ENTITIES,
    CALM,
    JURISDICTIONS,
    PARTIES,
    PARTS,
    PRODUCTS,
    RESULTS,
    RISKS,
    SECTIONS,
    STAGES,
    TODAY,
    TRACKS,
    UNDERLYINGS,
    UNITS,
)

Row = tuple[str, dict[str, object]]

PROJECTS: Final = 300
WALKTHROUGH: Final = 142
"""The project that the walkthrough asks about: in Singapore, at risk assessment, with nothing planted."""

_KNOWN: Final = {
    "title": "FX target redemption forward on USD/SGD", "product_type": "fx_derivative", "approval_track": "variation",
    "stage": "RISK_ASSESSMENT", "status": "IN_REVIEW", "notional_usd_k": 50_000, "tenor_months": 24,
    "business_unit": "Markets", "submitted_on": "2026-01-19",
}  # fmt: skip


def projects(seed: int, told: list[Planted]) -> Iterator[Row]:
    """Each project with all its rows."""
    for number in range(1, PROJECTS + 1):
        draw, known = Draw(seed, "npa", number), number == WALKTHROUGH
        places = _jurisdictions(draw, known=known)
        row = _project(draw, number, places[0], _KNOWN if known else {})
        plan = plan_of(seed, "NPA", str(row["project_id"]), places[0], clean=known)
        yield "npa_projects", row
        for place in sorted(places):
            told_of = {"project_id": number, "jurisdiction": place, "is_primary": int(place == places[0])}
            yield "npa_jurisdictions", told_of
        yield from _form(draw, row, plan)
        yield from _signoffs(draw, row, plan)
        yield from _checks(draw, row, plan)
        yield from _workflow(draw, row, plan)
        yield from _parties(draw, number, plan)
        yield from _factors(draw, number, places[0])
        told += plan.told


def project_id(number: int) -> str:
    """The name of a project: its year and its number, which no other project has."""
    return f"NPA-{_year(number)}-{number:05}"


def _year(number: int) -> int:
    return 2025 if number < 120 else 2026


def _jurisdictions(draw: Draw, *, known: bool) -> list[str]:
    """The jurisdiction in which a project is booked, and the others that it is offered in."""
    first = "SG" if known else draw.pick(JURISDICTIONS)
    others = [place for place in JURISDICTIONS if place != first]
    return [first] if known or draw.chance(60) else [first, *draw.several(others, draw.integer(1, 2))]


def _project(draw: Draw, number: int, place: str, known: Mapping[str, object]) -> dict[str, object]:
    product_type = draw.pick(sorted(PRODUCTS))
    return {
        "id": number,
        "project_id": project_id(number),
        "title": f"{draw.pick(PRODUCTS[product_type])} on {UNDERLYINGS[place]}",
        "product_type": product_type,
        "approval_track": draw.pick(TRACKS),
        "stage": draw.pick(STAGES),
        "status": draw.pick(("IN_REVIEW", "APPROVED", "CONDITIONAL", "ON_HOLD")),
        "notional_usd_k": draw.integer(1, 400) * 500,
        "tenor_months": draw.pick((6, 12, 24, 36, 60)),
        "booking_entity": BOOKING_ENTITIES[place],
        "business_unit": draw.pick(UNITS),
        "submitted_on": draw.day(date(_year(number), 1, 5), min(date(_year(number), 12, 19), TODAY)),
        "variation_of": draw.integer(1, number - 1) if number > 1 and draw.chance(20) else None,
        **known,
    }


def _form(draw: Draw, row: Mapping[str, object], plan: Plan) -> Iterator[Row]:
    """The 339 fields of the approval form; those that repeat the project's row repeat it rightly, unless that is planted."""
    notional = int(str(row["notional_usd_k"]))
    contradicted = plan.wrong("npa_form_data.notional", f"the form says {notional * 3}, the project {notional}")
    fixed = {
        "product_scope": str(row["title"]),
        "credit_threshold": f"{notional * 3 if contradicted else notional} thousand US dollars",
        "booking_scope": str(row["booking_entity"]),
    }
    names = [(section, f"{section}_{aspect}", options) for section in SECTIONS for aspect, options in ASPECTS.items()]
    for number, (section, name, options) in enumerate(names, start=1):
        value = fixed.get(name) or draw.pick(options)
        yield "npa_form_data", _field(row, number, section, name, value)
    remarks = plan.text("npa_form_data.value", draw.pick(CALM))
    yield "npa_form_data", _field(row, len(names) + 1, "remarks", "remarks", remarks)


def _field(row: Mapping[str, object], number: int, section: str, name: str, value: str) -> dict[str, object]:
    return {"project_id": row["id"], "field_no": number, "section": section, "name": name, "value": value}


def _signoffs(draw: Draw, row: Mapping[str, object], plan: Plan) -> Iterator[Row]:
    for place, party in enumerate(PARTIES):
        status = draw.pick(("APPROVED", "APPROVED", "PENDING", "REJECTED"))
        yield (
            "npa_signoffs",
            {
                "id": int(str(row["id"])) * 10 + place,
                "project_id": row["id"],
                "party": party,
                "status": status,
                "decided_on": None if status == "PENDING" else draw.day(date(2026, 1, 5), TODAY),
                "comment": plan.text("npa_signoffs.comment", draw.pick(CALM)),
            },
        )


def _checks(draw: Draw, row: Mapping[str, object], plan: Plan) -> Iterator[Row]:
    for place, risk in enumerate(RISKS):
        yield (
            "npa_risk_checks",
            {
                "id": int(str(row["id"])) * 10 + place,
                "project_id": row["id"],
                "risk_domain": risk,
                "result": draw.pick(RESULTS),
                "score": draw.integer(1, 10),
                "checked_on": draw.day(date(2026, 1, 5), TODAY),
                "note": plan.text("npa_risk_checks.note", draw.pick(CALM)),
            },
        )


def _workflow(draw: Draw, row: Mapping[str, object], plan: Plan) -> Iterator[Row]:
    """The stages that a project went through, the last of them open; overdue for a year where that is planted."""
    reached = STAGES[: STAGES.index(str(row["stage"])) + 1]
    entered = date.fromisoformat(str(row["submitted_on"]))
    for place, stage in enumerate(reached):
        last, left = stage == reached[-1], entered + timedelta(days=draw.integer(3, 20))
        due = entered + timedelta(days=30)
        if last and plan.wrong("npa_workflow_state.due_on", "the open stage was due a year ago"):
            due = TODAY - timedelta(days=365)
        yield (
            "npa_workflow_state",
            {
                "id": int(str(row["id"])) * 10 + place,
                "project_id": row["id"],
                "stage": stage,
                "entered_on": entered.isoformat(),
                "due_on": due.isoformat(),
                "left_on": None if last else left.isoformat(),
                "assigned_to": draw.pick(PARTIES),
            },
        )
        entered = left


def _parties(draw: Draw, number: int, plan: Plan) -> Iterator[Row]:
    for place in range(draw.integer(1, 4)):
        desk = draw.integer(1, 9)
        yield (
            "npa_external_parties",
            {
                "id": number * 10 + place,
                "project_id": number,
                "counterparty_id": f"CP-{draw.integer(1, 150):05}",
                "part": PARTS[place],
                "contact": plan.text("npa_external_parties.contact", f"Documentation desk {desk}."),
            },
        )


def _factors(draw: Draw, number: int, place: str) -> Iterator[Row]:
    kinds = ("spot", "volatility surface", "yield curve", "correlation", "forward skew")
    for row, kind in enumerate(draw.several(kinds, draw.integer(2, 5))):
        yield (
            "npa_market_risk_factors",
            {
                "id": number * 10 + row,
                "project_id": number,
                "factor": f"{UNDERLYINGS[place]} {kind}",
                "var_captured": int(draw.chance(80)),
                "stress_captured": int(draw.chance(70)),
                "sensitivity_usd_k": draw.integer(-900, 900),
            },
        )
