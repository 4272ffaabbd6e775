"""The same said twice is said once."""

import random

import pytest

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from gateway.selection.duplicates import overlap
from tests.support.packing import WORDS, reduced, ruling


class TestRepeats:
    LONG = " ".join(f"The {word} of desk {n} is reviewed by the head of desk." for n, word in enumerate(WORDS))

    def test_the_highest_authority_stays(self):
        """
        Of repeats and near repeats the highest authority stays, and says who else says it.
        """
        near = self.LONG.replace("head of desk.", "head of the desk.", 1)
        kept, lost, contrary = reduced(
            ruling("web", content=self.LONG, tier=5),
            ruling("copy", content=self.LONG, tier=3),
            ruling("sop", content=near, tier=2, source_id="SOP", version="3"),
            ruling("other", content="Nothing of the kind."),
        )
        assert [piece.ruling.item.id for piece in kept] == ["sop", "other"]
        assert {(loss.piece.ruling.item.id, loss.reason, loss.in_favour_of) for loss in lost} == {
            ("web", "duplicate", "copy"),
            ("copy", "near_duplicate", "sop"),
        }
        [sop] = [piece for piece in kept if piece.ruling.item.id == "sop"]
        assert [(a.item_id, a.relation) for a in sop.attributions] == [("copy", "near_duplicate"), ("web", "duplicate")]
        assert contrary == []

    @pytest.mark.parametrize(
        ("old", "new"), [("desk 3", "desk 33"), ("is reviewed", "is not reviewed"), ("desk 0 is", "desk 0.5 is")]
    )
    def test_other_figures_are_no_repeat(self, old, new):
        """
        A text that names another figure, or denies what the other says, is a contradiction, however alike they are.
        """
        kept, lost, contrary = reduced(
            ruling("one", content=self.LONG), ruling("two", content=self.LONG.replace(old, new, 1))
        )
        assert len(kept) == 2
        assert lost == []
        assert contrary == [("one", "two")]

    def test_turns_are_not_compared(self):
        """
        People may say the same twice.
        """
        kept, lost, _ = reduced(
            ruling("a", "conversation", self.LONG),
            ruling("b", "conversation", self.LONG),
            ruling("c", "user", self.LONG),
        )
        assert (len(kept), lost) == (3, [])


class TestOverlaps:
    def test_chunks_of_one_document_are_joined(self):
        """
        Overlapping chunks become one text that holds each character once, with attribution; of another version they do not.
        """
        text = " ".join(f"Paragraph {n} speaks of {WORDS[n % len(WORDS)]}." for n in range(30))
        source = {"source_id": "SOP", "version": "3"}
        chunks = [text[start : start + 400] for start in range(0, len(text) - 100, 300)]
        rulings = [ruling(f"c{n}", content=chunk, **source) for n, chunk in enumerate(chunks)]
        random.Random(1).shuffle(rulings)
        kept, lost, _ = reduced(*rulings)
        assert [piece.content for piece in kept] == [text[: len(chunks[-1]) + 300 * (len(chunks) - 1)]]
        assert lost == []
        assert len(kept[0].joined) == len(chunks) - 1
        assert {a.relation for a in kept[0].attributions} == {"merged"}
        assert len(kept[0].attributions) == len(chunks) - 1
        older = ruling("old", content=chunks[1], source_id="SOP", version="2")
        assert len(reduced(ruling("first", content=chunks[0], **source), older)[0]) == 2

    @given(st.text("ab ", min_size=0, max_size=80), st.text("ab ", min_size=0, max_size=80))
    @hypothesis_settings(max_examples=300)
    def test_an_overlap_loses_nothing(self, left, right):
        """
        Joined text begins with the first and ends with, or holds, the second.
        """
        joined = overlap(left, right, 10)
        if joined is not None:
            assert joined.startswith(left)
            assert right in joined
            assert len(joined) <= len(left) + len(right) - 10

    def test_untrusted_chunks_stay_apart(self):
        """
        What stands in a fence is never joined with anything.
        """
        both = [ruling(f"c{n}", content="x" * 100, fenced=True, source_id="S", version=str(n)) for n in range(2)]
        both[1] = both[1].model_copy(update={"item": both[1].item.model_copy(update={"content": "x" * 99 + "y"})})
        assert all(not piece.joined for piece in reduced(*both)[0])
