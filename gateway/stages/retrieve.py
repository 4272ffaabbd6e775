"""
Stage: search the gateway's own documents, within what the requester may find.

Rules held here: an index is asked only for what the gate would let in; what it finds goes the way of every other item; where it
cannot be told what may be found, nothing is searched.
"""

import asyncio
import hashlib
import hmac

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from gateway.content.unique import unique
from gateway.errors import (
    IndexUnavailableError,
    ModelUnusableError,
    NoCandidatesError,
    SourceUnavailableError,
)
from gateway.knowledge.labels import DecidingFacts
from gateway.knowledge.reach import ReachQuestion
from gateway.knowledge.searching import KnowledgeLibrary, SearchResult, SearchTerms, require_reached, search
from gateway.model import Candidate, Case, Registry, Ruling, SourceEntry
from gateway.model.case import Attested
from gateway.model.policy_input import ExceptionFacts, RecordFacts, SearchFacts, SourceFacts
from gateway.model.request import Fetched
from gateway.policy.vouching import Verifiers, Vouching
from gateway.ports.knowledge import SearchWatch
from gateway.ports.policy import PolicyEngine

Label = Callable[[Sequence[Candidate]], Awaitable[list[Attested]]]
"""What items say and who vouches for it, as for those that were brought."""

_BESIDE = "@knowledge"
"""Behind the id of an item that another one has already."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was searched for a request."""

    items: tuple[Attested, ...] = ()
    sources: tuple[SourceFacts, ...] = ()
    searches: tuple[SearchFacts, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """Of the items that were found."""
        return frozenset(one.item.id for one in self.items)


@dataclass(frozen=True, slots=True)
class SearchRules:
    """What decides what may be found, all of one bundle."""

    registry: Registry
    policy: PolicyEngine
    deciding: Callable[[], DecidingFacts]
    """What the rules read."""


@dataclass(frozen=True, slots=True)
class AskedBeside:
    """What `admit` will be asked beside the items, and who vouches."""

    candidates: Sequence[Attested]
    """What the request has already."""

    records: Sequence[RecordFacts]
    exceptions: Sequence[ExceptionFacts]
    verifiers: Verifiers
    max_items: int


def searched(library: KnowledgeLibrary | None, case: Case, registry: Registry) -> SourceEntry | None:
    """The source of documents that is searched for a request; None where there is none, or nothing is asked."""
    if library is None or not (case.request.query or "").strip():
        return None
    entries = (
        entry for entry in registry.sources.values() if entry.kind == "knowledge" and case.domain in entry.domains
    )
    return next(entries, None)


async def retrieve(
    case: Case,
    rules: SearchRules,
    library: KnowledgeLibrary | None,
    beside: AskedBeside,
    *,
    label: Label,
    watch: SearchWatch,
) -> Retrieved:
    """
    Items of documents that the requester may find, labelled; nothing where no documents are searched.

    Args:
        case: the request.
        rules: what decides what may be found.
        library: the documents; None where this gateway keeps none.
        beside: what `admit` will be asked beside the items.
        label: makes of items what policy is asked about.
        watch: sees how it goes.

    Raises:
        SourceUnavailableError, IndexUnavailableError, ModelUnusableError: documents that are critical cannot be searched.

        ReachMismatchError: the index answered with what it was not asked for.

        PolicyError: policy gave no usable answer.

        NoCandidatesError: nothing was brought and nothing found.
    """
    entry = searched(library, case, rules.registry)
    if library is None or entry is None:
        return Retrieved()
    with watch.source(entry.id) as count:
        found = await _found(case, rules, library, beside, entry)
        count[0] = len(found.items) if found else 0
    if found is not None:
        watch.searched(found.facts, found.mask.seconds, found.mask.decided)
    items = _distinct(found.items if found else (), beside.candidates)
    if not items and not beside.candidates:
        raise NoCandidatesError("there is no item to decide on", fields=[("items", "must not be empty")])
    told: SourceFacts = {
        "id": entry.id,
        "critical": entry.critical,
        "status": "unavailable" if found is None else "answered" if items else "empty",
    }
    return Retrieved(tuple(await label(items)), (told,), (found.facts,) if found else ())


async def _found(
    case: Case, rules: SearchRules, library: KnowledgeLibrary, beside: AskedBeside, entry: SourceEntry
) -> SearchResult | None:
    """What a search came to; None where documents that are not critical could not be searched."""
    try:
        async with asyncio.timeout(entry.timeout_seconds):
            return await _searched(case, rules, library, beside, entry)
    except TimeoutError as error:
        if entry.critical:
            msg = f"source {entry.id} was not searched in {entry.timeout_seconds:g} s"
            raise SourceUnavailableError(msg) from error
    except (IndexUnavailableError, ModelUnusableError):
        if entry.critical:
            raise
    return None


async def _searched(
    case: Case, rules: SearchRules, library: KnowledgeLibrary, beside: AskedBeside, entry: SourceEntry
) -> SearchResult:
    terms: SearchTerms | None = library.terms(rules.registry)
    if terms is None:
        raise IndexUnavailableError("the bundle that decides does not say how documents are searched")
    question = ReachQuestion(
        shared={**case.facts(), "records": list(beside.records), "exceptions": list(beside.exceptions)},
        now=case.now,
        policy=rules.policy,
        deciding=rules.deciding,
        vouching=Vouching.under(rules.registry, beside.verifiers, case.subject.tenant, case.now),
        source=entry.id,
        section=entry.sections[0],
    )
    known = {one.item.digest for one in beside.candidates}
    room = beside.max_items - len(beside.candidates)
    query = case.request.query or ""
    # Under the tenant's key: the plain digest of a short question would let everybody guess it.
    mark = hmac.new(case.tenant_key, query.encode(), hashlib.sha256).hexdigest()
    return await search(library, question, query, terms, known=known, room=room, mark=mark)


def _distinct(items: Sequence[Fetched], candidates: Sequence[Attested]) -> list[Candidate]:
    """The items under ids that nothing else of the request has: whoever brings one must not keep a document from being found."""
    taken = {one.item.id for one in candidates}
    named: list[Candidate] = []
    for item in items:
        name = unique(item.id, taken, _BESIDE)
        taken.add(name)
        named.append(item if name == item.id else item.model_copy(update={"id": name}))
    return named


def require_admitted(rulings: Sequence[Ruling], found: Retrieved) -> None:
    """
    Refuse a request in which the gate refuses what a search was allowed to find.

    Raises:
        ReachMismatchError: how many it refuses.
    """
    require_reached({ruling.item.id for ruling in rulings if ruling.outcome == "denied"}, found.ids)
