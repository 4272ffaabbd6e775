"""Different figures for one thing are found between items, and nothing else is."""

import pytest
import yaml

from hypothesis import given
from hypothesis import strategies as st

from bench.citations import SETS as CLAIMS
from bench.conflicts import SETS, judged, measured
from gateway.selection.disputes import MOST, contradict, disputed, disputes, read_item
from tests.support.effort import Effort
from tests.support.packing import pieces, ruling
from tests.support.packs import items_of

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
)
WORDS = st.lists(
    st.sampled_from(
        "the limit is USD 5 10% million within 72 hours every year 2026-02-31 99:99 p.m. 31 March of month between and -1 tier 2 1e9"
        " 12,,3 0.0 until 2025 one ABCD-12345 ; , must".split()
    )
).map(" ".join)
RULE = "Finance must sign off within {} hours of receiving the complete file."


class TestLabelledPairs:
    @pytest.mark.parametrize(("name", "pairs", "recall"), [("seen", 200, 0.9), ("held out", 60, 0.85)])
    def test_what_is_found_is_a_conflict(self, name, pairs, recall):
        """
        Of what is found on the labelled pairs, those that the method was made looking at and the others, nine in ten are conflicts,
        and most conflicts are found.
        """
        found = judged(SETS[name])
        assert len(found) == pairs
        assert sum(pair.conflict for pair in found) == pairs // 2
        figures = measured(found)
        assert figures["precision"] >= 0.9
        assert figures["recall"] >= recall

    def test_either_may_come_first(self):
        """
        A pair conflicts whichever of its two comes first.
        """
        for path in SETS.values():
            for pair in judged(path):
                assert contradict(*reversed(pair.passages)) is pair.found, pair.passages

    def test_passages_about_other_things(self):
        """
        Among the passages that claims are measured on, each about something else, there is no conflict, and none within one.
        """
        for name in ("seen", "held out"):
            texts = [passage["text"] for passage in yaml.safe_load(CLAIMS[name].read_text())]
            assert disputed({place: read_item(text) for place, text in enumerate(texts)}) == {}


class TestDisputes:
    def test_a_pair_is_told_of_once_and_without_words(self):
        """
        Two items that differ in two figures are one pair of places, told of without a word of theirs.
        """
        two = "Margin calls must be met within {} hours. The late payment penalty is {}% of the outstanding balance."
        found = disputes(pieces(ruling("one", content=two.format(4, 2)), ruling("two", content=two.format(8, 3))))
        assert found == [{"left": 0, "right": 1, "kind": "text"}]

    def test_a_record_says_so(self):
        """
        A text against a record is told apart from a text against a text, and a record against a record is not told of here.
        """
        record = {"counterparty": "CP-1", "credit_limit": 5_000_000}
        text = "The credit limit of CP-1 is USD 7 million."
        found = disputes(pieces(ruling("record", content=record), ruling("text", content=text)))
        assert found == [{"left": 0, "right": 1, "kind": "record"}]
        assert not contradict(record, {**record, "credit_limit": 7_000_000})

    def test_a_record_in_a_text(self):
        """
        A text that spells a JSON object counts as the record it spells.
        """
        assert contradict(
            '{"counterparty": "CP-1", "credit_limit": 5000000}', "The credit limit of CP-1 is USD 7 million."
        )

    def test_a_count_is_of_what_it_counts(self):
        """
        A text that counts something is held against the member that counts it, and not against one that only names it.
        """
        text = "The project is scored on each of the 28 criteria."
        assert not contradict({"criteria_score": 13}, text)
        assert contradict({"project": "P-1", "affected_clients": 412}, "The project has 421 affected clients.")

    def test_what_an_item_belongs_to_need_not_be_said(self):
        """
        A code that one item names and another one bears as its label is no other thing.
        """
        named, unnamed = "The credit limit of CP-1 is USD 7 million.", "The credit limit is USD 5 million."
        assert not contradict(named, unnamed)
        assert disputes(pieces(ruling("a", content=named), ruling("b", content=unnamed, entity_id="CP-1")))

    def test_conversation_is_not_compared(self):
        """
        What people said in earlier turns is not held against sources.
        """
        assert not disputes(
            pieces(ruling("a", content=RULE.format(72)), ruling("b", section="conversation", content=RULE.format(48)))
        )

    def test_those_of_most_authority_come_first(self):
        """
        No more are told of than fit, and a flood of texts of little authority does not hide what two strong ones differ in.
        """
        flood = [ruling(f"web-{n}", tier=5, content=RULE.format(100 + n)) for n in range(20)]
        strong = [ruling("sop", tier=2, content=RULE.format(72)), ruling("notice", tier=2, content=RULE.format(48))]
        found = disputes(pieces(*flood, *strong))
        assert len(found) == MOST
        assert found[0] == {"left": 20, "right": 21, "kind": "text"}

    def test_what_is_fenced_raises_no_doubt(self):
        """
        A text that nobody vouches for is not read for figures, so that bringing much of it costs nobody anything here.
        """
        said, other = RULE.format(72), RULE.format(48)
        genuine = ruling("a", content=said)
        assert disputes(pieces(genuine, ruling("b", content=other)))
        assert not disputes(pieces(genuine, ruling("b", content=other, fenced=True)))

    def test_cost_is_in_proportion(self):
        """
        A thousand items that all state one thing are not held against each other pair by pair, and hostile texts are read in one pass.
        """
        effort = Effort()
        reads = {place: read_item(RULE.format(place + 2)) for place in range(1000)}
        effort.within(20, lambda: disputed(reads), "1,000 items that state one thing")
        for hostile in (
            "9" * 20_000,
            "1 " * 10_000,
            "between a " * 2_000,
            ". " * 10_000,
            "a" * 20_000,
            "every " * 3_000,
            "over" + " " * 19_000,
            f"{RULE.format(72)} {'a' * 19_000}",
        ):
            effort.within(20, lambda text=hostile: read_item(text), repr(hostile[:12]))

    @given(left=JSON | st.text() | WORDS, right=JSON | st.text() | WORDS)
    def test_whatever_is_said(self, left, right):
        """
        Any two contents are compared without an error.
        """
        assert contradict(left, right) in {True, False}


async def test_a_person_sees_both(gateway, ask, small):
    """
    Two procedures of one domain with other deadlines both stay in the pack, under a warning that cites both, though one is newer.
    """
    sop = next(item for item in small["items"] if item["id"] == "sop-4.2.1")
    items = [
        {
            **sop,
            "id": f"sop-{hours}",
            "content": RULE.format(hours),
            "provenance": {**sop["provenance"], "source_id": f"SOP-{hours}", "effective_date": day},
        }
        for hours, day in ((72, "2025-01-01"), (48, "2025-06-01"))
    ]
    pack = await gateway.pipeline.assemble(ask({**small, "items": [*small["items"], *items]}))
    assert [w.items for w in pack.warnings if w.code == "CONFLICT"] == [("sop-72", "sop-48")]
    assert {"sop-72", "sop-48"} <= set(items_of(pack))
