"""The tools of Digital Client Experience."""

from typing import Final

from bank.servers.simple import Kind
from bank.servers.spec import DAY, FLAG, TEXT

_CLIENT: Final = Kind("DCE", "dce_clients", "client_id")

TOOLS: Final = (
    _CLIENT.record(
        "get_client",
        "The record of a client of the digital channels",
        "SoR:dce_clients",
        **dict.fromkeys(("segment", "channel", "relationship_unit"), TEXT),
        onboarded_on=DAY,
    ),
    _CLIENT.rows(
        "get_client_journeys",
        "The journeys that a client began on line, and how far they came",
        "SoR:dce_journeys",
        "journeys",
        "dce_journeys",
        journey=TEXT,
        stage=TEXT,
        started_on=DAY,
        abandoned=FLAG,
    ),
    _CLIENT.rows(
        "get_client_consents",
        "What a client consented to, and until when",
        "SoR:dce_consents",
        "consents",
        "dce_consents",
        purpose=TEXT,
        granted=FLAG,
        valid_until=DAY,
    ),
    _CLIENT.rows(
        "get_service_requests",
        "What a client asked for through the digital channels",
        "SoR:dce_service_requests",
        "requests",
        "dce_service_requests",
        kind=TEXT,
        opened_on=DAY,
        status=TEXT,
        message=TEXT,
    ),
)
