"""The tools of Operational Risk Management."""

from typing import Final

from bank.servers.simple import Kind
from bank.servers.spec import DAY, NUMBER, TEXT

_INCIDENT: Final = Kind("ORM", "orm_incidents", "incident_id")

TOOLS: Final = (
    _INCIDENT.record(
        "get_incident",
        "The record of an operational risk incident",
        "SoR:orm_incidents",
        **dict.fromkeys(("title", "risk_category", "business_line", "status", "narrative"), TEXT),
        detected_on=DAY,
        gross_loss_usd_k=NUMBER,
    ),
    _INCIDENT.rows(
        "get_rcsa",
        "Self-assessments of the risks that an incident touches",
        "SoR:orm_rcsa",
        "assessments",
        "orm_rcsa",
        **dict.fromkeys(("risk", "inherent", "residual"), TEXT),
        assessed_on=DAY,
    ),
    _INCIDENT.rows(
        "get_kri_data",
        "Key risk indicators that go with an incident, with their thresholds",
        "SoR:orm_kri",
        "indicators",
        "orm_kri",
        name=TEXT,
        value=NUMBER,
        threshold=NUMBER,
        measured_on=DAY,
    ),
    _INCIDENT.rows(
        "get_loss_events",
        "Losses that were booked for an incident",
        "SoR:orm_loss_events",
        "losses",
        "orm_loss_events",
        amount_usd_k=NUMBER,
        recovered_usd_k=NUMBER,
        booked_on=DAY,
        remark=TEXT,
    ),
    _INCIDENT.rows(
        "get_controls",
        "Controls that should have prevented an incident, and how they were tested",
        "SoR:orm_controls",
        "controls",
        "orm_incident_controls l ON l.incident_id = t.id JOIN orm_controls x ON x.control_id = l.control_id",
        **dict.fromkeys(("control_id", "name", "design", "operation"), TEXT),
        last_tested=DAY,
        owner_unit=TEXT,
    ),
)
