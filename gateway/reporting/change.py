"""
The report of a change of policy: who asked for it and who let it decide, what it changes in words, what was tried and found.

Rules held here: who did what is told by tokens, as the record has it; what was found when it was proposed is what the desk kept
under its hash; a change is compared with the bundle that decided before it at the same replica, or else with the one that decides.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from gateway.audit.queries import of_all_tenants
from gateway.errors import NotFoundError, ReportTooLargeError
from gateway.policy.bundle import Bundle
from gateway.policy.store import BREAK_GLASS
from gateway.reporting.document import Block, Chapter, Lines, Prose, Report, Table, facts, table
from gateway.reporting.evidence import LogEntry, Material, quoted
from gateway.workbench.checks import check
from gateway.workbench.desk.review import Review
from gateway.workbench.diff import diff
from gateway.workbench.simulate import Simulation
from ledger.query import Filter

MOST_RECORDS: Final = 5_000
"""Records of one bundle, at most."""

_DECIDES: Final = "bundle.activated"


@dataclass(frozen=True, slots=True)
class BesideLog:
    """What was found of a candidate, beside the log."""

    reviews: Sequence[Review] = ()
    """Of each time that it was proposed."""

    simulate: Callable[[Bundle], Simulation] | None = field(default=None)
    """Decides past rulings again under the bundle; None where nobody asks for that."""


def change_report(material: Material, revision: str, found: BesideLog) -> Report:
    """
    The report of a bundle that was proposed, activated, watched or refused.

    Raises:
        NotFoundError: the log has nothing of that revision.

        ReportTooLargeError: it has more than one report takes.

        LedgerError: the ledger did not answer.
    """
    wanted = of_all_tenants(Filter(policy_revision=revision))
    entries = list(islice(material.entries(wanted), MOST_RECORDS + 1))
    if not entries:
        raise NotFoundError("the ledger has no bundle of that revision")
    if len(entries) > MOST_RECORDS:
        raise ReportTooLargeError(f"the bundle has more than {MOST_RECORDS} records")
    new, old = material.bundle(revision), _before(material, entries)
    return Report(
        "change",
        f"Report of the change to bundle {revision}",
        entries[-1].record["at"],
        tuple(_summary(material, entries, new)),
        (
            Chapter("Who did what", tuple(_acts(material, entries))),
            Chapter("What it changes", tuple(_differences(old, new, found))),
            Chapter("What was found when it was proposed", tuple(_reviews(found.reviews))),
            Chapter("What keeps it from deciding now", (_problems(new),)),
            Chapter("The past, decided again", tuple(_simulated(new, found))),
            Chapter("Proofs", material.log()),
            Chapter("How to check this", tuple(_checks(revision, entries))),
        ),
    )


def _before(material: Material, entries: Sequence[LogEntry]) -> Bundle | None:
    """The bundle that decided before this one began to; None where it is not here or there was none."""
    began = next((entry for entry in entries if entry.record["kind"] == _DECIDES), None)
    if began is None:
        return material.deciding
    earlier: str | None = None
    activations = of_all_tenants(Filter()).model_copy(update={"kinds": (_DECIDES,)})
    for entry in material.entries(activations):
        if entry.index >= began.index:
            break
        if entry.record["lane"]["id"] == began.record["lane"]["id"]:
            earlier = entry.record["policy"]["revision"]
    return None if earlier is None else material.bundle(earlier)


def _summary(material: Material, entries: Sequence[LogEntry], new: Bundle | None) -> Iterator[str]:
    # Tokens are all that the record has of persons: the desk compared the persons themselves before it acted.
    steps = [entry.record for entry in entries]
    proposers = {one["subject"] for one in steps if one["kind"] == "bundle.proposed"}
    activators = {one["subject"] for one in steps if one["kind"] == _DECIDES and "ACTIVATED" in one["codes"]}
    decides = any(one["kind"] == _DECIDES for one in steps)
    yield "It has decided." if decides else "It has never decided."
    if activators:
        both = proposers & activators
        yield (
            "SAME PERSON: who proposed it is among those who activated it."
            if both
            else f"It was proposed by {len(proposers)} and activated by {len(activators)} other persons, by their tokens."
        )
    if any(BREAK_GLASS in one["codes"] for one in steps):
        yield "One person alone went back to it, under time pressure."
    if new is None:
        yield "The bundle is not kept here, so that nothing can be said of what is in it."
    holding = sum(material.status(entry).holds for entry in entries)
    yield f"{holding} of {len(entries)} records are proved against a checkpoint that the log signed."


def _acts(material: Material, entries: Sequence[LogEntry]) -> Iterator[Block]:
    columns = {
        "at": "At", "kind": "What", "codes": "How", "subject": "Who (token)", "replica": "Replica", "decision_id": "Record",
        "index": "Entry", "leaf": "Leaf hash", "proof": "Proof",
    }  # fmt: skip
    rows = (
        (
            entry.record["at"],
            entry.record["kind"],
            tuple(entry.record["codes"]),
            entry.record["subject"],
            entry.record["lane"]["id"],
            entry.record["decision_id"],
            entry.index,
            entry.leaf,
            str(material.status(entry)),
        )
        for entry in entries
    )
    yield table("acts", "Every step on record", columns, rows, listed=MOST_RECORDS)
    yield Prose("A proposal is put on record once its checks, its cases and its Rego tests held, and not before.")


def _differences(old: Bundle | None, new: Bundle | None, found: BesideLog) -> Iterator[Block]:
    yield facts(
        "compared",
        ("before", "The bundle before", old.revision if old else None),
        ("after", "This bundle", new.revision if new else None),
        ("kept", "Both are here", old is not None and new is not None),
    )
    if old is not None and new is not None:
        yield _sentences("differences", "Rules, tables and registry", diff(old, new), "Nothing differs.")
    gone = [str(one) for review in found.reviews for one in review.removed]
    none = "Of no case is it known." if found.reviews else "Nothing is kept of its cases."
    yield _sentences("cases", "Cases that went, or ask for less", list(dict.fromkeys(gone)), none)


def _sentences(name: str, title: str, sentences: Sequence[str], none: str) -> Table:
    return table(name, title, {"sentence": "What"}, ((one,) for one in sentences), none=none)


def _reviews(reviews: Sequence[Review]) -> Iterator[Block]:
    columns = {
        "against": "Compared with",
        "cases": "Cases that held",
        "tests": "Files of Rego tests that held",
        "files": "Digest of its cases",
    }
    rows = ((one.against, one.cases, one.tests, one.case_files) for one in reviews)
    yield table("reviews", "Each time that it was proposed", columns, rows, none="Nothing is kept of what was found.")
    proved = list(dict.fromkeys(sentence for one in reviews for sentence in one.proved))
    yield _sentences(
        "proved", "What it decides otherwise, over all questions", proved, "Nothing was proved, or nothing is kept."
    )


def _problems(new: Bundle | None) -> Table:
    columns = {"where": "Where", "rule": "Rule", "message": "What"}
    problems = check(new) if new is not None else []
    rows = ((one.where, one.rule, one.message) for one in problems)
    return table("problems", "Problems", columns, rows, none="Nothing is known that does.")


def _simulated(new: Bundle | None, found: BesideLog) -> Iterator[Block]:
    if new is None or found.simulate is None:
        yield Prose("Nobody asked for it.")
        return
    result = found.simulate(new)
    yield facts(
        "simulation",
        ("decisions", "Decisions", result.decisions),
        ("unchanged", "Unchanged", result.unchanged),
        ("erased", "Erased, so that nobody can decide them again", result.erased),
    )
    columns = {"flip": "Flip", "by": "By", "value": "Value", "count": "Decisions"}
    parts = {
        "role": result.by_role,
        "jurisdiction": result.by_jurisdiction,
        "source": result.by_source,
        "rule": result.by_code,
    }
    # All of a kind first, and then whom it hits.
    rows: list[tuple[str, str, str, int]] = [(kind, "all", "", count) for kind, count in sorted(result.flips.items())]
    rows += [(kind, by, value, count) for by, part in parts.items() for (kind, value), count in sorted(part.items())]
    yield table("flips", "Decisions that would be others", columns, rows, none="None would be another.")
    columns = {
        "flip": "Flip",
        "item": "Item",
        "before": "Was",
        "after": "Would be",
        "codes": "Rules",
        "decision_id": "Record",
    }
    examples = ((one.kind, one.item_id, one.before, one.after, one.codes, one.decision_id) for one in result.examples)
    yield table("examples", "Examples", columns, examples)
    yield _sentences("registry", "What the registry says otherwise", result.registry, "Nothing.")


def _checks(revision: str, entries: Sequence[LogEntry]) -> Iterator[Block]:
    commands = [f"ctxgate ledger query --policy-revision {quoted(revision)} --tenant - --json"]
    commands += [f"ctxgate ledger proof {quoted(entry.record['decision_id'])}" for entry in entries[:2]]
    commands += [
        "ctxgate ledger verify --policy $POLICY --fresh 10m",
        "ctxgate ledger export out",
        "sha256sum out/bundles/*",
    ]
    yield Lines("commands", "Commands", tuple(commands))
    yield Prose("An export holds the bytes of every bundle that decided under their SHA-256, which is the revision.")
