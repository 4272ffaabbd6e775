"""
How far a text bears out a claim, by its words: no model, the same every time, and told in numbers.

Method: a claim's content words (stems) and figures are looked for in every run of three sentences of the source; the score is the
weighted share that is found in the best run, a figure, reference or name in capitals weighing three times a word.  Each of these takes
the score to a part of itself: a figure, a frequency or a name that is not there; a figure that stands in a clause about something
else, while the clause that the claim speaks of has another one of its kind; a denial on one side alone of what both speak of;
a word whose opposite stands in its place; "all", "any", "only" or "always" of what the source does not say so of.
Of a JSON record a run is the record with one object of its lists at most; a figure belongs to the member that the claim names most
fully, and a member that is named must say what the claim says.  "This product" and its like stand for whatever the source is about.
What it cannot do is follow a rewording with other words, or tell who does what to whom.  The parts were set by hand on the claims
of bench/data/claims.yaml; docs/packs.md has the precision and recall measured there and on others (`python -m bench.citations`).
"""

import re

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final

from pydantic import JsonValue

from gateway.citations.records import Member, groups, has_other_value, in_another_member, said_by_path, said_of_another
from gateway.content.extract import sentences
from gateway.content.records import record
from gateway.content.terms import Terms, clauses, read, stem, together

_OPPOSITES: Final = (
    ("above", "below"),
    ("before", "after"),
    ("least", "most"),
    ("approve", "reject"),
    ("effective", "ineffective"),
    ("conditionally", "unconditionally"),
    ("increase", "decrease"),
    ("retail", "accredited"),
    ("start", "end"),
    ("internal", "external"),
    ("open", "closed"),
    ("permanent", "temporary"),
)
_OPPOSITE: Final = {stem(word): stem(other) for pair in _OPPOSITES for word, other in (pair, pair[::-1])}
_UNIVERSAL: Final = frozenset(map(stem, ("all", "any", "always", "only", "every", "each")))
_RUN: Final = 3
"""Sentences that are read together."""

_LACKING_FIGURE: Final = 0.3
_LACKING_NAME: Final = 0.6
_NO_NAME: Final = 0.8
"""What is a name in the claim stands in the source as a word like others."""

_OTHER_PLACE: Final = 0.4
_OTHER_SENSE: Final = 0.4
_TOO_GENERAL: Final = 0.6
_SPREAD: Final = 0.85
"""What a score is worth where it takes more than one sentence."""

_OTHER_VALUE: Final = 0.6
_AT_HAND: Final = re.compile(
    r"\b(?:this|the)\s+(npa|product|project|proposal|deal|transaction|application|request|case|record|item)\b",
    re.IGNORECASE,
)
"""What stands for whatever the source is about, and may be called something else there."""

_LOOSE: Final = frozenset(("count", "date", "reference"))


def support(claim: str, content: JsonValue) -> float:
    """
    How far a content bears out a claim.

    Args:
        claim: one statement, in words.
        content: of the source: text or JSON.

    Returns:
        0 to 1; 0 where the claim says nothing that could be looked for.
    """
    return CitedText(content).support(claim)


@dataclass(frozen=True, slots=True)
class _Run:
    """Some sentences that are read together."""

    whole: Terms
    parts: Sequence[Terms]
    """Its clauses."""

    around: Sequence[Terms]
    """Those of the sentences before and after."""

    worth: float
    known: set[str]
    initials: str
    members: Sequence[Member] = ()
    """Of a record; empty for a text."""

    said: Mapping[tuple[str, ...], frozenset[str]] = field(default_factory=dict)
    """What the record says in each place, in all objects of a list."""


class CitedText:
    """A content that several claims are held against, read once."""

    def __init__(self, content: JsonValue) -> None:
        self._runs = list(_runs(content))

    def support(self, claim: str) -> float:
        """As the function of this name."""
        wanted, best = read(claim), 0.0
        at_hand = {word for said in _AT_HAND.findall(claim) for word in (said.casefold(), stem(said.casefold()))}
        asked: dict[frozenset[str], tuple[Terms, dict[str, set[str]]]] = {}
        for run in self._runs:
            unknown = frozenset(at_hand - run.known)
            if unknown not in asked:
                left = _without(wanted, unknown)
                asked[unknown] = left, _spelled(left)
            best = max(best, _score(*asked[unknown], run, best))
        return round(best, 4)


def _without(claim: Terms, words: frozenset[str]) -> Terms:
    """A claim without some of its words."""
    if not words & claim.weights.keys():
        return claim
    left = {word: weight for word, weight in claim.weights.items() if word not in words}
    return replace(claim, weights=left, names=claim.names - words, codes=claim.codes - words)


def _score(claim: Terms, spelled: dict[str, set[str]], run: _Run, best: float) -> float:
    """How far a run bears out a claim, or what it could be at most where that is no more than the best so far."""
    total = sum(claim.weights.values())
    found = (claim.weights.keys() & run.known) | _short_forms(claim, spelled, run)
    score = run.worth * sum(claim.weights[word] for word in found) / total if total else 0.0
    # What follows only takes it down.
    return score * _faults(claim, found, run) if score > best else score


def _faults(claim: Terms, found: set[str], run: _Run) -> float:
    """What is left of a score, for what speaks against the claim."""
    left = 1.0
    if claim.figures.keys() - found:
        left *= _LACKING_FIGURE
    if claim.names - run.known - found:
        left *= _LACKING_NAME
    # In the names of members nothing is in capitals.
    elif not run.members and claim.names - run.whole.capitals - (found - run.known):
        left *= _NO_NAME
    if in_another_member(claim, run.members) if run.members else _elsewhere(claim, run):
        left *= _OTHER_PLACE
    missing = claim.words.keys() - found
    if has_other_value(claim, missing, run.members) or said_of_another(missing, run.members, run.said):
        left *= _OTHER_VALUE
    if _turned(claim, run):
        left *= _OTHER_SENSE
    if claim.plain & _UNIVERSAL and not run.whole.plain & _UNIVERSAL:
        left *= _TOO_GENERAL
    return left


def _spelled(claim: Terms) -> dict[str, set[str]]:
    """What the initials of two to six words in a row stand for."""
    order = claim.order
    found: dict[str, set[str]] = {}
    for start in range(len(order)):
        for end in range(start + 2, min(start + 6, len(order)) + 1):
            span = order[start:end]
            # Two spans with the same initials are rare in one statement; the later one counts.
            found[_initials(span)] = {stem(word) for word in span} & claim.weights.keys()
    return found


def _short_forms(claim: Terms, spelled: dict[str, set[str]], run: _Run) -> set[str]:
    """Codes of the claim that are the initials of what the source spells out, and words that a code of the source stands for."""
    # Anywhere in the initials, since nothing says where the name that a code stands for begins; a code of one letter would be
    # found in nearly every text.
    codes = {code for code in claim.codes if 2 <= len(code) <= 6 and code in run.initials}
    return codes.union(*(spelled[code] for code in spelled.keys() & run.whole.codes))


def _initials(words: Iterable[str]) -> str:
    return "".join(word[0] for word in words)


def _elsewhere(claim: Terms, run: _Run) -> bool:
    """Whether a figure of the claim stands by something else, and another one of its kind by what the claim speaks of."""
    for figure, kind in claim.figures.items():
        # A reference names what is spoken of, and measures nothing.
        if kind == "reference":
            continue
        having = [part for part in run.parts if figure in part.figures]
        # A clause that says nothing but what the claim says is no clause about something else, however it is divided.
        if not having or any(part.weights.keys() <= claim.weights.keys() for part in having):
            continue
        nearest = max(_near(claim, part, kind) for part in having)
        for part in (*run.parts, *run.around):
            if figure not in part.figures and _has_kind(part, kind) and _near(claim, part, kind) > nearest:
                return True
    return False


def _near(claim: Terms, part: Terms, kind: str) -> float:
    """How much of what the claim speaks of a clause speaks of too, but for figures of a kind; the first word counts twice."""
    # In English the first content word is most often the subject, and two clauses differ in that more than in the rest.
    subject = next(iter(claim.words), None)
    shared = [word for word in claim.weights if word in part.weights and claim.figures.get(word) != kind]
    return len(shared) + float(subject in shared)


def _has_kind(part: Terms, kind: str) -> bool:
    """Whether a clause has a figure that could be meant where one of that kind is said."""
    # A bare number may be money or days whose unit stands elsewhere; it is never a date or a reference.
    accepted = {kind} if kind in _LOOSE else {kind, "count"}
    return not accepted.isdisjoint(part.figures.values())


def _turned(claim: Terms, run: _Run) -> bool:
    """Whether one of them denies what the other does not, or a word of the claim has only its opposite in the source."""
    missing = claim.plain - run.whole.plain
    if any(_OPPOSITE.get(word) in run.whole.plain for word in missing if word in _OPPOSITE):
        return True
    whole = [part.denials for part in run.parts if claim.weights.keys() <= part.weights.keys()]
    if whole and claim.denials not in whole:
        return True
    # Clause by clause: "A applies, B does not" denies B and says A, and a word that is in both is denied by neither.
    said, denied = set[str](), set[str]()
    for part in run.parts:
        (denied if part.denials else said).update(part.weights)
    if claim.denials:
        return not denied & claim.weights.keys()
    return bool((denied - said) & claim.words.keys())


def _runs(content: JsonValue) -> Iterator[_Run]:
    document = record(content)
    if document is not None:
        yield from _runs_of_record(document)
        return
    found = [list(clauses(sentence)) for sentence in sentences(str(content))]
    for size in range(1, _RUN + 1):
        for start in range(max(len(found) - size + 1, 0)):
            end = start + size
            around = list(chain(*found[max(start - 1, 0) : start], *found[end : end + 1]))
            yield _run(list(chain(*found[start:end])), around, 1.0 if size == 1 else _SPREAD)


def _runs_of_record(document: JsonValue) -> Iterator[_Run]:
    found = groups(document)
    said = said_by_path(one for members in found for one in members)
    # Object by object: two of them read together would lend each other their figures.
    for members in found:
        run = _run([part for one in members for part in one.parts], (), 1.0)
        yield replace(run, members=members, said=said)


def _run(parts: Sequence[Terms], around: Sequence[Terms], worth: float) -> _Run:
    whole = together(parts)
    return _Run(whole, parts, around, worth, whole.plain | whole.weights.keys(), _initials(whole.order))
