"""
The report of a period: how much was decided, what was refused by which control, who stepped beside the rules, and where the
record has gaps.

Rules held here: every figure is counted from the records themselves, each of which is gone through once; of persons there are
tokens; what is looked up elsewhere (titles, controls, domains) is of the bundles that decided in the period, the newest first.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from gateway.audit.queries import of_all_tenants
from gateway.errors import BundleInvalidError, ReportTooLargeError
from gateway.policy.bundle import Bundle
from gateway.policy.registry import registry_of
from gateway.reporting.document import Block, Chapter, Lines, Prose, Report, Table, TableCell, facts, table
from gateway.reporting.evidence import LogEntry, Material, quoted
from gateway.reporting.gaps import gaps
from gateway.reporting.refused import overrides, refusals
from gateway.reporting.rulebook import rulebook
from gateway.reporting.span import Span
from gateway.reporting.tally import REFUSING, Tally
from ledger.query import Filter

_OUTCOMES: Final = ("released", "redacted", "quarantined", "denied", "—")
_BUNDLES: Final = 20
"""Bundles whose titles are looked up."""


def period_report(material: Material, span: Span, tenant: str | None, most: int | None = None) -> Report:
    """
    The report of a period, of one tenant or of all.

    Args:
        material: what it is made from.
        span: the period.
        tenant: whose records; None for all.
        most: records at most; None for as many as there are.

    Raises:
        ReportTooLargeError: the period has more records.

        LedgerError: the ledger did not answer, or a record is not whole.
    """
    tally, wanted = Tally(), Filter(tenant=tenant, since=span.since, until=span.until)
    for entry in _entries(material, wanted):
        if most is not None and tally.records >= most:
            raise ReportTooLargeError(f"the period has more than {most} records")
        tally.take(entry)
    bundles = _bundles(material, tally)
    book = rulebook(bundles)
    over = material.published is not None and material.published.at >= span.until
    return Report(
        "period",
        f"Report of the period {span.title}",
        span.until if over or material.published is None else material.published.at,
        tuple(_summary(tally, over=over)),
        (
            Chapter("Volumes", tuple(_volumes(tally, span, tenant, bundles))),
            Chapter("Refusals", tuple(refusals(tally, book))),
            Chapter("Beside the rules", tuple(overrides(tally, bundles))),
            Chapter("Gaps", tuple(gaps(material, tally, span))),
            Chapter("Values behind tokens that were told", (_told(tally),)),
            Chapter("Erasures", (_erasures(tally),)),
            Chapter("Readings of the log", (_readings(tally),)),
            Chapter("Bundles in force", tuple(_in_force(material, tally, span))),
            Chapter("Proofs", tuple(_proofs(material, tally))),
            Chapter("How to check this", tuple(_checks(span, tenant))),
        ),
    )


def _entries(material: Material, wanted: Filter) -> Iterator[LogEntry]:
    yield from material.entries(wanted)
    if wanted.tenant is not None:
        # What decides, decides for every tenant.
        yield from material.entries(of_all_tenants(wanted))


def _bundles(material: Material, tally: Tally) -> list[Bundle]:
    """Bundles that decided, the newest first; the one that decides now where none did or none is here."""
    by_time = sorted(tally.revisions, key=lambda revision: tally.revisions[revision].last, reverse=True)
    found = [bundle for revision in by_time[:_BUNDLES] if (bundle := material.bundle(revision)) is not None]
    return found or [material.deciding]


def _summary(tally: Tally, *, over: bool) -> Iterator[str]:
    kinds = {key[0]: count for key, count in tally.kinds.items()}
    rulings = tally.rulings.total()
    withheld = sum(count for key, count in tally.rulings.items() if key[2] in REFUSING)
    yield (
        f"{kinds.get('request.opened', 0):,} requests, {rulings:,} rulings on items, {kinds.get('pack.sealed', 0):,} packs;"
        f" {withheld:,} rulings refused an item or set it aside, and {tally.refused_requests.total():,} reasons refused requests"
        " as a whole."
    )
    yield (
        f"Exceptions were used {tally.exceptions.total():,} times; officers took {tally.reviews.total:,} steps on what was set"
        f" aside; {tally.broke_glass:,} bundles were changed by one person alone."
    )
    yield (
        f"{tally.refused_runs.total:,} runs of records were refused, and {tally.lanes.torn.total:,} starts ended without a record"
        " of it."
    )
    if not over:
        yield "The period is not over: the log ends within it."


def _volumes(tally: Tally, span: Span, tenant: str | None, bundles: Iterable[Bundle]) -> Iterator[Block]:
    yield facts(
        "period",
        ("since", "From", span.since),
        ("until", "Up to, not including", span.until),
        ("tenant", "Tenant", tenant or "all"),
        ("records", "Records", tally.records),
        ("first", "First entry", tally.first.index if tally.first else None),
        ("last", "Last entry", tally.last.index if tally.last else None),
    )
    domains = _domains(bundles)
    yield _pivot("agents", "Rulings by agent", "Agent", tally, lambda agent, _: agent)
    yield _pivot("purposes", "Rulings by purpose", "Purpose", tally, lambda _, purpose: purpose)
    by_domain = _pivot("domains", "Rulings by domain", "Domain", tally, lambda agent, _: domains.get(agent, "—"))
    yield by_domain
    yield Prose(
        "A domain is that of the agent, by its entry in the registry; an agent of several stands under all of them."
    )
    kinds = sorted((key[0], count) for key, count in tally.kinds.items())
    yield table("kinds", "Records by kind", {"kind": "Kind", "count": "Records"}, kinds)
    dropped = sorted((key[0], count) for key, count in tally.dropped.items())
    columns = {"code": "Code", "count": "Items"}
    yield table("dropped", "Allowed items that were left out of packs", columns, dropped)
    claims = sorted((key[0], count) for key, count in tally.claims.items())
    yield table("claims", "Claims checked against packs", {"outcome": "Outcome", "count": "Claims"}, claims)


def _domains(bundles: Iterable[Bundle]) -> dict[str, str]:
    """The domains of each agent, as one text."""
    known: dict[str, str] = {}
    for bundle in bundles:
        try:
            agents = registry_of(bundle).agents
        except BundleInvalidError:
            continue
        for agent in agents.values():
            known.setdefault(agent.id, ", ".join(agent.domains) or "—")
    return known


def _pivot(name: str, title: str, head: str, tally: Tally, of: Callable[[str, str], str]) -> Table:
    """Rulings by something and by outcome."""
    counts: dict[str, Counter[str]] = {}
    for key, count in tally.rulings.items():
        agent, purpose, outcome = (*key, "", "")[:3]
        counts.setdefault(of(agent, purpose), Counter())[outcome] += count
    columns = {name.removesuffix("s"): head, "rulings": "Rulings"}
    columns |= {outcome if outcome != "—" else "labels_alone": _head(outcome) for outcome in _OUTCOMES}
    most_first = sorted(counts.items(), key=lambda one: (-one[1].total(), one[0]))
    rows = [_counted(value, by) for value, by in most_first]
    return table(name, title, columns, rows)


def _counted(value: str, by: Counter[str]) -> tuple[TableCell, ...]:
    return (value, by.total(), *(by[outcome] for outcome in _OUTCOMES))


def _head(outcome: str) -> str:
    return outcome.capitalize() if outcome != "—" else "On labels alone"


def _told(tally: Tally) -> Table:
    columns = {"kind": "Kind of value", "outcome": "Outcome", "count": "Questions"}
    rows = ((kind, outcome, count) for (kind, outcome, *_), count in sorted(tally.detokenised.items()))
    return table("detokenisations", "Questions what a token stands for", columns, rows, none="Nobody asked.")


def _erasures(tally: Tally) -> Table:
    columns = {
        "at": "At", "token": "Token erased", "subject": "By (token)", "decision_id": "Record", "certified": "Certified at",
        "certificate": "Record of the certificate",
    }  # fmt: skip
    rows = (_erasure(one, tally) for one in tally.erasures.rows)
    return table("erasures", "Persons erased", columns, rows, total=tally.erasures.total, none="Nobody was erased.")


def _erasure(record: Mapping[str, Any], tally: Tally) -> tuple[TableCell, ...]:
    token = (record["item"] or {}).get("id")
    certified = tally.certified.get(token or "")
    when = (certified["at"], certified["decision_id"]) if certified else ("not in this period", None)
    return record["at"], token, record["subject"], record["decision_id"], *when


def _readings(tally: Tally) -> Table:
    columns = {"subject": "Reader (token)", "codes": "Asked by", "count": "Readings"}
    counted = sorted(tally.readings.items(), key=lambda one: (-one[1], one[0]))
    rows = ((subject, codes, count) for (subject, codes, *_), count in counted)
    return table("readings", "Who read the log, and how", columns, rows, none="Nobody read it.")


def _in_force(material: Material, tally: Tally, span: Span) -> Iterator[Block]:
    columns = {"at": "Since", "replica": "Replica", "revision": "Bundle", "codes": "How"}
    before: dict[str, LogEntry] = {}
    system = of_all_tenants(Filter(until=span.since)).model_copy(update={"kinds": ("bundle.activated",)})
    for entry in material.entries(system):
        before[entry.record["lane"]["id"]] = entry
    # What began before goes on into the period, one bundle at each replica.
    began = [one.record for one in before.values()]
    within = [one for one in tally.governing.rows if one["kind"] == "bundle.activated"]
    rows = ((one["at"], one["lane"]["id"], one["policy"]["revision"], tuple(one["codes"])) for one in (*began, *within))
    yield table("in_force", "At the beginning, and every change since", columns, rows)
    columns = {"revision": "Bundle", "rulings": "Rulings", "first": "First", "last": "Last", "here": "Kept here"}
    decided = (
        (revision, one.rulings, one.first, one.last, material.bundle(revision) is not None)
        for revision, one in sorted(tally.revisions.items(), key=lambda pair: pair[1].first)
    )
    yield table("revisions", "Bundles that decided", columns, decided, none="None decided anything.")


def _proofs(material: Material, tally: Tally) -> Iterator[Block]:
    yield from material.log()
    columns = {"which": "Record", "decision_id": "Decision id", "index": "Entry", "leaf": "Leaf hash", "proof": "Proof"}
    ends = [("first of the period", tally.first), ("last of the period", tally.last)]
    rows = (
        (which, one.record["decision_id"], one.index, one.leaf, str(material.status(one)))
        for which, one in ends
        if one is not None
    )
    yield table("ends", "Where the period stands in the log", columns, rows, none="The period has no record.")


def _checks(span: Span, tenant: str | None) -> Iterator[Block]:
    within = f"--since {span.since} --until {span.until}" + (f" --tenant {quoted(tenant)}" if tenant else "")
    commands = [
        f"ctxgate ledger stats --by {by} --kind item.ruled {within}" for by in ("outcome", "agent", "purpose", "code")
    ]
    commands += [f"ctxgate ledger stats --by kind {within}", f"ctxgate ledger query --kind erasure {within}"]
    commands += ["ctxgate ledger verify --policy $POLICY --fresh 10m", "ctxgate ledger export out"]
    commands += ["python3 verify_ledger.py out --policy $POLICY --fresh 10m"]
    yield Prose("The figures can be counted again by the database, which the report did not ask to count:")
    yield Lines("commands", "Commands", tuple(commands))
