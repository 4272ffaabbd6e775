"""Rows of Digital Client Experience."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from bank.draws import Draw
from bank.npa import Row
from bank.planting import Plan, Planted, plan_of
from bank.words import CALM, CHANNELS, CONSENTS, JOURNEYS, JURISDICTIONS, REQUESTS, SEGMENTS, TODAY, UNITS

CLIENTS: Final = 100


def clients(seed: int, told: list[Planted]) -> Iterator[Row]:
    """Each client with journeys, consents and service requests."""
    for number in range(1, CLIENTS + 1):
        draw = Draw(seed, "dce", number)
        name, place, channel = f"CL-{number:05}", draw.pick(JURISDICTIONS), draw.pick(CHANNELS)
        plan = plan_of(seed, "DCE", name, place)
        if plan.wrong("dce_clients.channel", "a client of the branch alone has journeys on line"):
            channel = "branch counter"
        yield (
            "dce_clients",
            {
                "id": number,
                "client_id": name,
                "segment": draw.pick(SEGMENTS),
                "jurisdiction": place,
                "channel": channel,
                "onboarded_on": draw.day(date(2023, 1, 9), TODAY),
                "relationship_unit": draw.pick(UNITS),
            },
        )
        yield from _journeys(draw, number, plan)
        yield from _requests(draw, number, plan)
        told += plan.told


def _journeys(draw: Draw, number: int, plan: Plan) -> Iterator[Row]:
    for place, journey in enumerate(draw.several(JOURNEYS, draw.integer(1, 3))):
        yield (
            "dce_journeys",
            {
                "id": number * 10 + place,
                "client_id": number,
                "journey": journey,
                "stage": draw.pick(("started", "documents", "review", "done")),
                "started_on": draw.day(date(2025, 9, 1), TODAY),
                "abandoned": int(draw.chance(25)),
            },
        )
    for place, purpose in enumerate(CONSENTS):
        expired = plan.wrong("dce_consents.valid_until", "the consent ended in 2024")
        yield (
            "dce_consents",
            {
                "id": number * 10 + place,
                "client_id": number,
                "purpose": purpose,
                "granted": int(draw.chance(60)),
                "valid_until": "2024-12-31" if expired else draw.day(TODAY, date(2028, 12, 29)),
            },
        )


def _requests(draw: Draw, number: int, plan: Plan) -> Iterator[Row]:
    for place, kind in enumerate(draw.several(REQUESTS, draw.integer(1, 3))):
        yield (
            "dce_service_requests",
            {
                "id": number * 10 + place,
                "client_id": number,
                "kind": kind,
                "opened_on": draw.day(date(2025, 9, 1), TODAY),
                "status": draw.pick(("OPEN", "ANSWERED", "CLOSED")),
                "message": plan.text("dce_service_requests.message", draw.pick(CALM)),
            },
        )
