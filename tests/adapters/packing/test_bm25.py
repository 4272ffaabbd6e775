"""How well texts fit a question, by the words they share."""

import pytest

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.packing.bm25 import Bm25Lexicon

TEXTS = ["sign-offs of a project", "risk checks of a project", "credit limits of a counterparty"]
WORDS = st.lists(st.sampled_from("sign risk limit project the 142 of checks".split()), max_size=6).map(" ".join)


def fits(question, texts=TEXTS):
    return Bm25Lexicon().fits(question, texts)


def test_rare_words_count_more():
    """
    Of the words that a question shares with texts, one that few texts have says more; one that all have next to nothing.
    """
    first, second, third = fits("the risk of the project")
    assert second > first > third == 0


@pytest.mark.parametrize("question", ["", "142", "what is it?", "NPA-2026-00142 T+2", "zebra", "\x00 \ud7ff"])
def test_words_that_say_nothing(question):
    """
    Small words, names with figures in them and words that no text has fit nothing.
    """
    assert fits(question) == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "question", ["LIMIT", "limits", "limiting", "\uff4c\uff49\uff4d\uff49\uff54\uff53", "limit limit limit"]
)
def test_forms_of_a_word(question):
    """
    Case, endings and width make no other word, and to repeat one does not make it say more.
    """
    assert fits(question) == fits("limits")


def test_the_scale_is_the_same_for_few_texts_and_for_many():
    """
    A word that one text alone has counts about the same among ten texts and among two hundred.
    """
    few, many = (fits("limits", ["credit limits", *(f"text {name}" for name in range(n))])[0] for n in (9, 199))
    assert few == pytest.approx(many, rel=0.05)


def test_no_texts():
    """
    Where there is nothing there is nothing to fit.
    """
    assert fits("limits", []) == []


@settings(max_examples=30)
@given(WORDS, st.lists(WORDS, max_size=5))
def test_a_cache_changes_no_answer(question, texts):
    """
    An index that was kept gives what a new one gives, and no figure is negative.
    """
    kept = Bm25Lexicon(cache_size=1)
    kept.fits(question, texts)
    assert kept.fits(question, texts) == fits(question, texts)
    assert all(figure >= 0 for figure in fits(question, texts))
