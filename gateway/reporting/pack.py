"""
The report of one pack: what became of every candidate, by which rule of whom, and how to check that.

Rules held here: it says what records say, by the ids that records have, and of persons their tokens; it has the proof of the
pack's own record in full, and of every other record whether its proof holds.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from gateway.audit.why import AccountWriter
from gateway.errors import NotFoundError, ReportTooLargeError
from gateway.policy.bundle import Bundle
from gateway.reporting.document import Block, Chapter, FactList, Lines, Prose, Report, Table, TableCell, facts, table
from gateway.reporting.evidence import LogEntry, Material, quoted
from gateway.reporting.grants import exceptions_of
from gateway.reporting.rulebook import Rulebook, rulebook
from ledger.query import Filter

MOST_RECORDS: Final = 5_000
"""Records of one request, at most: a request has 500 candidates unless set otherwise, and few records of each."""

_NAMES: Final = ("pack_id", "decision_id", "request_id")


def pack_report(material: Material, name: str, tenant: str | None) -> Report:
    """
    The report of a pack, by its id or that of its request or of a decision on one of its candidates.

    Raises:
        NotFoundError: the ledger has nothing of that name, of that tenant.

        ReportTooLargeError: the request has more records than one report takes.

        LedgerError: the ledger did not answer.
    """
    entries = _entries(material, name, tenant)
    ruled = [entry for entry in entries if entry.record["kind"] == "item.ruled"]
    sealed = next((entry for entry in reversed(entries) if entry.record["kind"] == "pack.sealed"), None)
    first = (sealed or entries[0]).record
    # One bundle as a rule; a request that an activation fell into has two.
    bundles = {revision: material.bundle(revision) for revision in _revisions(entries)}
    book = rulebook(bundle for bundle in bundles.values() if bundle is not None)
    what = f"pack {sealed.record['pack']['id']}" if sealed else f"request {first['request_id']}, which got no pack"
    return Report(
        "pack",
        f"Report of {what}",
        first["at"],
        tuple(_summary(material, entries, ruled, sealed)),
        (
            Chapter("The request", (_request(first, sealed),)),
            Chapter("Verdicts", (_verdicts(entries, ruled, sealed), *_refused_whole(entries, book))),
            Chapter("Rules", (_rules(entries, book),)),
            Chapter("Exceptions", (_exceptions(entries, bundles),)),
            Chapter("What decided", tuple(_versions(entries, bundles))),
            Chapter("Claims", (_claims(entries),)),
            Chapter("Proofs", tuple(_proofs(material, entries, sealed))),
            Chapter("How to check this", tuple(_checks(first, sealed, ruled))),
        ),
    )


def _entries(material: Material, name: str, tenant: str | None) -> list[LogEntry]:
    for column in _NAMES:
        found = next(material.entries(Filter.model_validate({"tenant": tenant, column: name})), None)
        if found is not None:
            wanted = Filter(tenant=found.record["tenant"], request_id=found.record["request_id"])
            entries = list(islice(material.entries(wanted), MOST_RECORDS + 1))
            if len(entries) > MOST_RECORDS:
                raise ReportTooLargeError(f"the request has more than {MOST_RECORDS} records")
            return entries
    raise NotFoundError("the ledger has no pack, request or decision of that id")


def _revisions(entries: Sequence[LogEntry]) -> list[str]:
    named = [entry.record["policy"]["revision"] for entry in entries if entry.record["policy"]]
    return list(dict.fromkeys(named))


def _summary(
    material: Material, entries: Sequence[LogEntry], ruled: Sequence[LogEntry], sealed: LogEntry | None
) -> Iterator[str]:
    if sealed is not None:
        inside = len(sealed.record["pack"]["items"])
        yield f"{inside} of {sealed.record['pack']['rulings']} candidates are in the pack."
    # What was left out afterwards was released all the same, by its ruling.
    outcomes = Counter(str(entry.record["outcome"]) for entry in ruled)
    yield f"Rulings: {', '.join(f'{count} {outcome}' for outcome, count in sorted(outcomes.items())) or 'none'}."
    yield AccountWriter.closing([(entry.record, entry.body) for entry in entries])
    holding = sum(material.status(entry).holds for entry in entries)
    yield f"{holding} of {len(entries)} records are proved against a checkpoint that the log signed."


def _request(record: Mapping[str, Any], sealed: LogEntry | None) -> FactList:
    return facts(
        "request",
        ("pack_id", "Pack", sealed.record["pack"]["id"] if sealed else None),
        ("request_id", "Request", record["request_id"]),
        ("trace_id", "Trace", record["trace_id"]),
        ("repeats", "Follows the request", record.get("repeats")),
        ("tenant", "Tenant", record["tenant"]),
        ("subject", "Who asked (token)", record["subject"]),
        ("agent", "Agent", record["agent"]),
        ("purpose", "Purpose", record["purpose"]),
        ("at", "At", record["at"]),
    )


def _verdicts(entries: Sequence[LogEntry], ruled: Sequence[LogEntry], sealed: LogEntry | None) -> Table:
    # The record of what was left out names the item as its ruling does, and has a decision id of its own.
    inside = set(sealed.record["pack"]["items"]) if sealed else set()
    dropped = {_identity(entry): entry.record["codes"] for entry in entries if entry.record["kind"] == "item.dropped"}
    columns = {
        "item": "Item", "source": "Source", "tier": "Tier", "jurisdiction": "Jurisdiction",
        "classification": "Classification", "outcome": "Verdict", "codes": "Rules", "obligations": "Obligations",
        "findings": "Screening found", "exceptions": "Exceptions", "packed": "In the pack",
    }  # fmt: skip
    rows = (_verdict(entry, inside, dropped.get(_identity(entry), ())) for entry in ruled)
    return table("verdicts", "Every candidate", columns, rows, listed=MOST_RECORDS, none="No candidate was ruled on.")


def _identity(entry: LogEntry) -> tuple[str, str]:
    item = entry.record["item"] or {"id": "", "commitment": ""}
    return item["id"], item["commitment"]


def _verdict(entry: LogEntry, inside: set[str], dropped: Sequence[str]) -> tuple[TableCell, ...]:
    record = entry.record
    source = record["source"] or {}
    return (
        _identity(entry)[0],
        _versioned(source),
        source.get("tier"),
        source.get("jurisdiction"),
        source.get("classification"),
        record["outcome"] or "answered on labels alone",
        tuple(record["codes"]),
        tuple(record["obligations"]),
        tuple(f"{found['count']} of {found['type']}" for found in record["findings"]),
        tuple(record["exceptions"]),
        "yes" if record["decision_id"] in inside else ", ".join(["no", *dropped]),
    )


def _versioned(source: dict[str, Any]) -> str | None:
    if not source.get("id"):
        return None
    return f"{source['id']} ({source['version']})" if source.get("version") else str(source["id"])


def _refused_whole(entries: Sequence[LogEntry], book: Rulebook) -> Iterator[Prose]:
    for entry in entries:
        if entry.record["kind"] == "request.opened" and entry.record["outcome"]:
            told = "; ".join(f"{code} {book.rule(code).title}" for code in entry.record["codes"])
            yield Prose(f"The request was refused as a whole: {told}.")


def _rules(entries: Sequence[LogEntry], book: Rulebook) -> Table:
    # Reviews and uses of exceptions repeat the codes of rulings, and would count them twice.
    counted = Counter(code for entry in entries if entry.record["kind"] in _RULING for code in entry.record["codes"])
    rules = [(book.rule(code), count) for code, count in sorted(counted.items())]
    columns = {"code": "Code", "title": "Rule", "controls": "Control", "owner": "Owner", "count": "Records"}
    rows = ((rule.code, rule.title, rule.controls, rule.owner, count) for rule, count in rules)
    return table("rules", "Rules that spoke", columns, rows, none="No rule refused or noted anything.")


_RULING: Final = ("item.ruled", "item.dropped", "request.opened", "citation.verified")


def _exceptions(entries: Sequence[LogEntry], bundles: dict[str, Bundle | None]) -> Table:
    granted = {one.id: one for bundle in bundles.values() if bundle for one in exceptions_of(bundle)}
    columns = {
        "id": "Exception", "item": "Item", "owner": "Owner", "codes": "Waives", "expires": "Expires", "reason": "Reason",
        "decision_id": "Record",
    }  # fmt: skip
    rows = []
    for entry in entries:
        if entry.record["kind"] == "exception.used":
            for name in entry.record["exceptions"]:
                one = granted.get(name)
                said = (one.owner, one.codes, one.expires, one.reason) if one else (None, (), None, "not in the bundle")
                rows.append((name, _identity(entry)[0], *said, entry.record["decision_id"]))
    return table("exceptions", "Exceptions used", columns, rows, none="No exception was used.")


def _versions(entries: Sequence[LogEntry], bundles: dict[str, Bundle | None]) -> Iterator[Block]:
    # In the order in which they came to speak, each once.
    policies = [entry.record["policy"] for entry in entries if entry.record["policy"]]
    detectors = {name: version for entry in entries for name, version in entry.record["detectors"].items()}
    yield facts(
        "versions",
        ("bundles", "Bundle, rules and registry together", tuple(bundles)),
        ("here", "The bundle is kept here", all(bundles.values())),
        ("engines", "Engine", _distinct(f"{one['engine']} {one['engine_version']}" for one in policies)),
        ("schemas", "Schema of the records", _distinct(entry.record["schema"] for entry in entries)),
        ("gateways", "Build of the gateway", _distinct(entry.record["gateway"]["build"] for entry in entries)),
        ("replicas", "Replica", _distinct(entry.record["gateway"]["replica"] for entry in entries)),
    )
    columns = {"detector": "Detector", "version": "Version"}
    yield table("detectors", "Detectors", columns, sorted(detectors.items()), none="Nothing was screened.")


def _distinct(values: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))


def _claims(entries: Sequence[LogEntry]) -> Table:
    verified = [entry.record for entry in entries if entry.record["kind"] == "citation.verified"]
    columns = {"claim": "Claim", "outcome": "Outcome", "codes": "Rules", "at": "At"}
    rows = ((one["item"]["id"], one["outcome"], tuple(one["codes"]), one["at"]) for one in verified)
    return table("claims", "Claims that were checked against the pack", columns, rows, none="None was checked.")


def _proofs(material: Material, entries: Sequence[LogEntry], sealed: LogEntry | None) -> Iterator[Block]:
    yield from material.log()
    if sealed is not None:
        yield facts(
            "sealed",
            ("decision_id", "Record of the pack", sealed.record["decision_id"]),
            ("leaf", "Its leaf hash", sealed.leaf),
            ("digest", "Digest of the pack", sealed.record["pack"]["digest"]),
            ("rulings_root", "Root over its rulings", sealed.record["pack"]["rulings_root"]),
        )
        proof = material.proof(sealed)
        text = str(proof) if proof else "The record is not under a checkpoint yet."
        yield Lines(
            "proof", "Proof that the record of the pack is in the log (C2SP tlog-proof)", tuple(text.split("\n"))
        )
    columns = {
        "kind": "Record", "item": "Item", "decision_id": "Decision id", "index": "Entry", "leaf": "Leaf hash",
        "proof": "Proof",
    }  # fmt: skip
    rows = (
        (
            one.record["kind"],
            _identity(one)[0],
            one.record["decision_id"],
            one.index,
            one.leaf,
            str(material.status(one)),
        )
        for one in entries
    )
    yield table("records", "Every record of the request", columns, rows, listed=MOST_RECORDS)


def _checks(record: Mapping[str, Any], sealed: LogEntry | None, ruled: Sequence[LogEntry]) -> Iterator[Block]:
    yield Prose(
        "At the gateway's machine, or at an auditor's station.  `pack.json` is the pack as it was handed over, and $POLICY your own"
        " trust policy; docs/auditors.md says how to get both from outside."
    )
    name = quoted(sealed.record["pack"]["id"] if sealed else record["request_id"])
    decisions = [entry.record["decision_id"] for entry in (*([sealed] if sealed else []), *ruled)]
    commands = [f"ctxgate ledger why {name}"]
    if sealed is not None:
        commands += [
            "ctxgate ledger verify-receipt pack.json",
            f"ctxgate ledger query --pack-id {name} --json | tr -d '\\n' > record",
            "(printf '\\0'; cat record) | sha256sum",
        ]
    commands += [f"ctxgate ledger proof {quoted(one)}" for one in decisions[:1]]
    commands += [f"ctxgate ledger replay {quoted(one)}" for one in decisions[:2]]
    commands += [
        "ctxgate ledger export out",
        "python3 verify_ledger.py out --policy $POLICY --fresh 10m --pack pack.json",
    ]
    yield Lines("commands", "Commands", tuple(commands))
    yield Prose(
        "The checksum is the leaf hash above; the proof leads from it to the root of the checkpoint; the verifier checks the whole"
        " log and the pack with one file that imports nothing of the gateway.  `replay` makes each decision again from what was"
        " asked then: give it any decision id of the table."
    )
