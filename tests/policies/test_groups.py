"""Groups are decided as pairs were: the same items lose, and the same are left for a person."""

import random

from dataclasses import dataclass
from itertools import combinations

import pytest

from adapters.policy.regorus import RegorusPolicyEngine
from gateway.policy.bundle import load_bundle
from gateway.selection.conflicts import contradictions, rivals
from gateway.settings import HOME
from tests.support.packing import pieces, ruling

BUNDLE = load_bundle(HOME / "policies")
TYPES = ("system_of_record", "bank_sop", "bank_sop", "email", "reference_data", None)
DATES = ("2025-01-01", "2026-01-01", "2026-02-01", None)
PLACES = ("GLOBAL", "SG", "HK", None)


@dataclass(frozen=True)
class Old:
    """What pairs of two items made of them, rule by rule, before there were groups."""

    source_type: str | None
    date: str | None
    place: str | None

    def prevails(self, other):
        if self.source_type == "system_of_record" and other.source_type != "system_of_record":
            return True
        versioned = self.versioned() and other.versioned()
        if versioned and self.date > other.date:
            return True
        wide = self.place == "GLOBAL" and other.place != "GLOBAL" and self.source_type == other.source_type
        return wide and not (versioned and self.date != other.date)

    def versioned(self):
        return self.source_type == "bank_sop" and self.date is not None


def drawn(rng, count):
    """Some released items, of few labels, so that many are alike."""
    made = []
    for number in range(count):
        source = {
            "effective_date": rng.choice(DATES),
            "jurisdiction": rng.choice(PLACES),
            "version": rng.choice("12"),
            "source_id": rng.choice("AB"),
            "doc_section": rng.choice(("4", "5", None)),
            "entity_id": rng.choice(("E", None)),
        }
        content = {"credit_limit": rng.randint(1, 5), "remark": number}
        one = ruling(f"i{number}", content=content, **source)
        made.append(one.model_copy(update={"taken_as": rng.choice(TYPES)}))
    return pieces(*made)


def old_of(piece):
    source = piece.ruling.item.provenance
    return Old(piece.ruling.source_type, source.effective_date, source.jurisdiction)


def paired(some, rivalry):
    """Who loses to whom, and who is left undecided, pair by pair."""
    lost, undecided = set(), set()
    for left, right in combinations(some, 2):
        if not rivalry(left, right):
            continue
        names = left.ruling.item.id, right.ruling.item.id
        first, second = old_of(left), old_of(right)
        if first.prevails(second):
            lost.add((names[1], names[0]))
        if second.prevails(first):
            lost.add(names)
        if not first.prevails(second) and not second.prevails(first):
            undecided.update(names)
    return lost, undecided


def speak_of_one_thing(left, right):
    one, other = left.ruling.item.provenance, right.ruling.item.provenance
    of_source = (one.source_id, one.doc_section) == (other.source_id, other.doc_section)
    of_entity = one.entity_id and one.doc_section and one.entity_id == other.entity_id
    differ = any(
        getattr(one, name) != getattr(other, name)
        for name in ("version", "effective_date", "source_id", "doc_section", "jurisdiction")
    )
    return differ and (of_source or (of_entity and one.doc_section == other.doc_section))


def contradict(left, right):
    one, other = left.ruling.item, right.ruling.item
    same = one.provenance.entity_id is not None and one.provenance.entity_id == other.provenance.entity_id
    return same and one.content["credit_limit"] != other.content["credit_limit"]


@pytest.fixture(scope="module")
def engine():
    rules = [f"context/{rule}" for rule in ("conflicts/drop", "conflicts/warn", "fields/yields", "fields/warn")]
    return RegorusPolicyEngine(BUNDLE, rules)


def held(found, expected, some):
    """The same lose, each to one that prevails over it."""
    assert {loser for loser, _ in found} == {loser for loser, _ in expected}, some
    assert set(found) <= expected, some


@pytest.mark.parametrize("seed", range(150))
def test_small_sets_are_decided_as_pairs_were(engine, seed):
    """
    Of a small random set the same items lose as when each was held against each, always to one that prevails over them;
    the same fields give way; and a warning names the same items as all warnings of pairs did.
    """
    rng = random.Random(seed)
    some = drawn(rng, rng.randint(2, 9))
    facts = {"items": [], "groups": rivals(some, []), "fields": contradictions(some, ["credit_limit"]), "disputes": []}
    lost, undecided = paired(some, speak_of_one_thing)
    drops = engine.query("context/conflicts/drop", facts)
    held({(loss["item"], loss["in_favour_of"]) for loss in drops}, lost, some)
    warned = engine.query("context/conflicts/warn", facts)
    assert {name for one in warned for name in one["items"]} == undecided
    gone, unsettled = paired(some, contradict)
    yields = engine.query("context/fields/yields", facts)
    held({(one["item"], one["in_favour_of"]) for one in yields}, gone, some)
    told = engine.query("context/fields/warn", facts)
    assert {name for one in told if one["code"] == "FIELD-UNDECIDED" for name in one["items"]} == unsettled
    assert any(one["code"] == "FIELD-CONFLICT" for one in told) == bool(gone)
