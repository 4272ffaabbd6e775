"""
The report of governed exceptions: which hold, which have lapsed or soon will, which nobody ever used, and who answers for them.

Uses are counted from the log, also of exceptions that are no longer in the bundle.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from gateway.audit.proving.waivers import KIND
from gateway.model.base import utc_text
from gateway.policy.vetting.exemptions import Exemption
from gateway.ports.waivers import APPROVED, ASKED, REVOKED
from gateway.reporting.document import Block, Chapter, Lines, Prose, Report, TableCell, facts, table
from gateway.reporting.evidence import Material, quoted
from gateway.reporting.grants import broken_exceptions, exceptions_of
from gateway.reporting.rulebook import rulebook
from gateway.reporting.tally import MOST_KEYS
from ledger.query import Filter

SOON: Final = 30
"""Days before its end in which an exception is told to lapse soon, unless something else is said."""

_STATES: Final = ("in force", "lapsing soon", "lapsed")


@dataclass(slots=True)
class Uses:
    """How often something was used."""

    count: int = 0
    last: str = ""


@dataclass(slots=True)
class Used:
    """What was used, by id."""

    by_id: dict[str, Uses] = field(default_factory=dict)
    steps: dict[str, dict[str, Mapping[str, Any]]] = field(default_factory=dict)
    """Of exceptions on request, by id and step, the last record that says so."""

    others: int = 0
    """Uses of more ids than are told apart."""


def exceptions_report(material: Material, on: date, tenant: str | None, soon: int = SOON) -> Report:
    """
    The report of the exceptions of the bundle that decides.

    Args:
        material: what it is made from.
        on: the day that it speaks of; uses after it are not counted.
        tenant: whose uses are counted; None for those of all.
        soon: days before its end in which an exception is told to lapse soon.

    Raises:
        LedgerError: the ledger did not answer.
    """
    at = utc_text(datetime.combine(on, time(), UTC))
    used = _used(material, on, tenant)
    granted = exceptions_of(material.deciding)
    # One that was never used is looked for by all uses there ever were, and not by those of some time.
    states = {one.id: _state(one, on, soon) for one in granted}
    unused = [one.id for one in granted if one.id not in used.by_id]
    counts = {state: sum(one == state for one in states.values()) for state in _STATES}
    holding = counts["in force"] + counts["lapsing soon"]
    return Report(
        "exceptions",
        f"Report of governed exceptions on {on.isoformat()}",
        at,
        (
            f"{holding} exceptions are in force; {counts['lapsing soon']} of these will lapse within {soon} days.",
            f"{counts['lapsed']} have lapsed and stand in the bundle all the same; {len(unused)} were never used.",
        ),
        (
            Chapter("Exceptions", tuple(_exceptions(material, granted, states, used))),
            Chapter("On request", tuple(_requested(used))),
            Chapter("Used, and no longer in the bundle", tuple(_gone(granted, used))),
            Chapter("What can be waived at all", (_waivable(material),)),
            Chapter("Proofs", material.log()),
            Chapter("How to check this", tuple(_checks(at, tenant))),
        ),
    )


def _used(material: Material, on: date, tenant: str | None) -> Used:
    until = utc_text(datetime.combine(on + timedelta(days=1), time(), UTC))
    found = Used()
    for entry in material.entries(Filter(kinds=("exception.used", KIND), tenant=tenant, until=until)):
        for name in entry.record["exceptions"]:
            _take(found, name, entry.record)
    return found


def _take(found: Used, name: str, record: Mapping[str, Any]) -> None:
    known: Mapping[str, object] = found.steps if record["kind"] == KIND else found.by_id
    if name not in known and len(known) >= MOST_KEYS:
        found.others += 1
    elif record["kind"] == KIND:
        found.steps.setdefault(name, {}).update(dict.fromkeys(record["codes"], record))
    else:
        uses = found.by_id.setdefault(name, Uses())
        uses.count, uses.last = uses.count + 1, max(uses.last, record["at"])


def _state(one: Exemption, on: date, soon: int) -> str:
    # Days and times in UTC, as texts, are in the order of time.
    expires = one.expires.removesuffix("Z")
    if expires <= _start(on):
        return "lapsed"
    return "lapsing soon" if expires <= _start(on + timedelta(days=soon)) else "in force"


def _start(day: date) -> str:
    """The first instant of a day, without its offset."""
    return f"{day.isoformat()}T00:00:00"


def _exceptions(material: Material, granted: list[Exemption], states: dict[str, str], used: Used) -> Iterator[Block]:
    columns = {
        "id": "Exception", "state": "State", "owner": "Owner", "expires": "Expires", "codes": "Waives", "agent": "Agent",
        "purpose": "Purpose", "source": "Source", "uses": "Uses", "last": "Last used", "reason": "Reason",
        "trigger": "Ends earlier with",
    }  # fmt: skip
    rows = (_row(one, states[one.id], used.by_id.get(one.id, Uses())) for one in granted)
    yield table("exceptions", "Every exception of the bundle", columns, rows, none="The bundle grants none.")
    yield facts(
        "counts",
        ("bundle", "Bundle", material.deciding.revision),
        *(
            (state.replace(" ", "_"), state.capitalize(), sum(one == state for one in states.values()))
            for state in _STATES
        ),
        ("never_used", "Never used", tuple(one.id for one in granted if one.id not in used.by_id)),
        ("not_whole", "Entries that are no whole exception", broken_exceptions(material.deciding)),
    )


def _row(one: Exemption, state: str, uses: Uses) -> tuple[TableCell, ...]:
    scope = one.scope
    return (
        one.id, state, one.owner, one.expires, one.codes, scope.agent, scope.purpose, scope.source_id, uses.count, uses.last,
        one.reason, one.rollback_trigger,
    )  # fmt: skip


def _requested(used: Used) -> Iterator[Block]:
    columns = {
        "id": "Exception", "state": "State", "asked_at": "Asked for at", "asked_by": "By (token)", "approved_at": "Approved at",
        "approved_by": "By (token)", "revoked_at": "Revoked at", "revoked_by": "By (token)", "uses": "Uses", "last": "Last used",
    }  # fmt: skip
    rows = (_steps(name, steps, used.by_id.get(name, Uses())) for name, steps in sorted(used.steps.items()))
    yield table("requested", "Exceptions that officers agreed on while a bundle decided", columns, rows)
    yield Prose(
        "The records commit to the scope and the end of each without saying them; `ctxgate exception show` asks the gateway."
    )


def _steps(name: str, steps: Mapping[str, Mapping[str, Any]], uses: Uses) -> tuple[TableCell, ...]:
    # A step that was taken again, such as by another officer, is told as it was last.
    told = [steps.get(step) for step in (ASKED, APPROVED, REVOKED)]
    state = next((step.lower() for step in (REVOKED, APPROVED, ASKED) if step in steps), "unknown")
    parts = (part for one in told for part in ((one["at"], one["subject"]) if one else (None, None)))
    return (name, state, *parts, uses.count, uses.last)


def _gone(granted: list[Exemption], used: Used) -> Iterator[Block]:
    known = {one.id for one in granted} | used.steps.keys()
    columns = {"id": "Exception", "uses": "Uses", "last": "Last used"}
    rows = ((name, uses.count, uses.last) for name, uses in sorted(used.by_id.items()) if name not in known)
    yield table("gone", "Used before", columns, rows)
    if used.others:
        yield Prose(f"{used.others} further uses are of more exceptions than are told apart.")


def _waivable(material: Material) -> Block:
    book = rulebook([material.deciding])
    areas = material.deciding.data.get("context")
    tables = areas.get("exceptions") if isinstance(areas, dict) else None
    codes = tables.get("waivable") if isinstance(tables, dict) else None
    rules = [book.rule(str(code)) for code in codes] if isinstance(codes, list) else []
    columns = {"code": "Code", "title": "Rule", "controls": "Control", "owner": "Owner"}
    rows = ((rule.code, rule.title, rule.controls, rule.owner) for rule in rules)
    return table("waivable", "Rules that an exception may waive", columns, rows)


def _checks(at: str, tenant: str | None) -> Iterator[Block]:
    whose = f" --tenant {quoted(tenant)}" if tenant else ""
    commands = (
        "ctxgate exception list",
        f"ctxgate ledger query --kind exception.used{whose} --json",
        f"ctxgate ledger stats --by kind --kind exception.used{whose}",
        "ctxgate ledger verify --policy $POLICY --fresh 10m",
    )
    yield Lines("commands", "Commands", commands)
    yield Prose(
        f"States are those at the start of {at[:10]}, and uses of that day are counted; an exception no longer holds from the start of the day it expires."
    )
