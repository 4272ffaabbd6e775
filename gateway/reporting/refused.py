"""What was refused in a period, by which control, and who stepped beside the rules: exceptions, reviews, and acts on bundles."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from gateway.policy.bundle import Bundle
from gateway.policy.store import BREAK_GLASS
from gateway.policy.vetting.exemptions import Exemption
from gateway.reporting.document import Block, Prose, Table, TableCell, table
from gateway.reporting.grants import exceptions_of
from gateway.reporting.rulebook import Rulebook
from gateway.reporting.tally import Tally

_FLAGS: Final = {
    BREAK_GLASS: "one person alone, under time pressure",
    "ROLLED-BACK": "back to an earlier bundle",
    "ACTIVATED": "by another person than proposed it",
    "FETCHED": "from the bundle server",
    "STARTED": "at a start",
}


def refusals(tally: Tally, book: Rulebook) -> Iterator[Block]:
    """What was refused, by control and by rule."""
    by_code: dict[str, Counter[str]] = {}
    for (code, outcome, *_), count in tally.refusals.items():
        by_code.setdefault(code, Counter())[outcome] += count
    yield _by_control(by_code, book)
    columns = {
        "code": "Code", "title": "Rule", "controls": "Control", "owner": "Owner", "denied": "Refused",
        "quarantined": "Set aside",
    }  # fmt: skip
    rows = (
        (code, book.rule(code).title, book.rule(code).controls, book.rule(code).owner, by["denied"], by["quarantined"])
        for code, by in sorted(by_code.items(), key=lambda one: (-one[1].total(), one[0]))
    )
    yield table("codes", "Refusals of items by rule", columns, rows, none="No item was refused.")
    yield Prose("An item that several rules refuse counts once for each.")
    whole = sorted((key[0], book.rule(key[0]).title, count) for key, count in tally.refused_requests.items())
    columns = {"code": "Code", "title": "Reason", "count": "Requests"}
    yield table("requests", "Requests refused as a whole", columns, whole, none="No request was.")


def _by_control(by_code: Mapping[str, Counter[str]], book: Rulebook) -> Table:
    controls: dict[str, Counter[str]] = {}
    codes: dict[str, set[str]] = {}
    for code, by in by_code.items():
        for control in book.controls(code):
            controls.setdefault(control, Counter()).update(by)
            codes.setdefault(control, set()).add(code)
    columns = {
        "control": "Control",
        "codes": "Rules",
        "owners": "Owner",
        "denied": "Refused",
        "quarantined": "Set aside",
    }
    rows = (
        (control, tuple(sorted(codes[control])), _owners(codes[control], book), by["denied"], by["quarantined"])
        for control, by in sorted(controls.items(), key=lambda one: (-one[1].total(), one[0]))
    )
    return table("controls", "Refusals of items by control", columns, rows, none="No item was refused.")


def _owners(codes: Iterable[str], book: Rulebook) -> tuple[str, ...]:
    return tuple(sorted({book.rule(code).owner for code in codes} - {""}))


def overrides(tally: Tally, bundles: Iterable[Bundle]) -> Iterator[Block]:
    """Who stepped beside the rules, and how."""
    # Bundles come newest first, and of an exception that several have the newest is to speak.
    granted = {one.id: one for bundle in reversed(list(bundles)) for one in exceptions_of(bundle)}
    columns = {"id": "Exception", "uses": "Uses", "owner": "Owner", "codes": "Waives", "expires": "Expires"}
    used = (_used(name, count, granted.get(name)) for (name, *_), count in sorted(tally.exceptions.items()))
    yield table("exceptions", "Exceptions used", columns, used, none="No exception was used.")
    yield _exempting(tally)
    columns = {
        "at": "At",
        "step": "Step",
        "subject": "Who (token)",
        "held": "What was set aside",
        "decision_id": "Record",
    }
    steps = (
        (one["at"], tuple(one["codes"]), one["subject"], tuple(one["exceptions"]), one["decision_id"])
        for one in tally.reviews.rows
    )
    title = "Steps of officers on what was set aside"
    yield table("reviews", title, columns, steps, total=tally.reviews.total, none="No officer took any.")
    columns = {
        "at": "At",
        "kind": "What",
        "codes": "How",
        "flag": "That is",
        "subject": "Who (token)",
        "revision": "Bundle",
        "decision_id": "Record",
    }
    acts = (_act(one) for one in tally.governing.rows)
    yield table("bundles", "Acts on bundles", columns, acts, total=tally.governing.total, none="There was none.")
    columns = {"at": "At", "kind": "What", "codes": "How", "subject": "Who (token)", "decision_id": "Record"}
    accepted = (
        (one["at"], one["kind"], tuple(one["codes"]), one["subject"], one["decision_id"]) for one in tally.accepted.rows
    )
    title = "Older states and unsigned runs that somebody accepted, and keys that were replaced"
    yield table("accepted", title, columns, accepted, total=tally.accepted.total, none="There was none.")


def _exempting(tally: Tally) -> Table:
    columns = {"at": "At", "step": "Step", "subject": "Who (token)", "id": "Exception", "decision_id": "Record"}
    steps = (
        (one["at"], tuple(one["codes"]), one["subject"], tuple(one["exceptions"]), one["decision_id"])
        for one in tally.exempting.rows
    )
    title = "Exceptions on request: asked for, approved, revoked"
    return table("exempting", title, columns, steps, total=tally.exempting.total, none="Nobody asked for one.")


def _used(name: str, count: int, one: Exemption | None) -> tuple[TableCell, ...]:
    return (name, count, one.owner, one.codes, one.expires) if one else (name, count, None, (), None)


def _act(record: Mapping[str, Any]) -> tuple[TableCell, ...]:
    flags = tuple(_FLAGS[code] for code in record["codes"] if code in _FLAGS)
    revision = record["policy"]["revision"] if record["policy"] else None
    return (
        record["at"],
        record["kind"],
        tuple(record["codes"]),
        flags,
        record["subject"],
        revision,
        record["decision_id"],
    )
