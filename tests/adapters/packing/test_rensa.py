"""Texts that say nearly the same: found as an exact comparison of all pairs would find them."""

import itertools

import pytest

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.packing.rensa import MinHashLikeness

NOTE = (
    "The committee reviewed the exposure to the shipping sector and noted that two facilities mature in the third quarter. "
    "The relationship manager presents the refinancing options at the next meeting together with the updated ratings. "
) * 3


def shingles(text):
    words = text.lower().split()
    return {tuple(words[start : start + 3]) for start in range(len(words) - 2)} or {tuple(words)}


def alike_by_comparison(texts, threshold):
    """Every pair compared: what the index must come to, without one."""
    pairs = itertools.combinations(range(len(texts)), 2)
    sets = [shingles(text) for text in texts]
    return [(a, b) for a, b in pairs if len(sets[a] & sets[b]) / len(sets[a] | sets[b]) >= threshold]


WORDS = st.sampled_from("bank loan risk note desk limit rate bond swap fund".split())


@settings(max_examples=40)
@given(st.lists(WORDS, min_size=30, max_size=40), st.lists(st.tuples(st.integers(0, 29), WORDS), max_size=3))
def test_it_finds_what_a_comparison_finds(words, changes):
    """
    Of a text and some of its near copies exactly the pairs above the threshold are found.
    """
    texts = [" ".join(words)]
    for index, word in changes:
        words = [*words[:index], word, *words[index + 1 :]]
        texts.append(" ".join(words))
    assert MinHashLikeness().alike(texts, 0.85) == alike_by_comparison(texts, 0.85)


def test_what_counts_as_the_same():
    """
    Case, signs and spacing count nothing; the order of the words does.
    """
    backwards = " ".join(reversed(NOTE.split()))
    other = NOTE.upper().replace(".", " ;").replace(" ", "\n  ")
    assert MinHashLikeness().alike([NOTE, other, backwards], 0.99) == [(0, 1)]


def test_the_earlier_text_comes_first():
    """
    Pairs are told in order, each once, the earlier place first, so that the first of some copies can be kept.
    """
    assert MinHashLikeness().alike([NOTE, "something else altogether here", NOTE, NOTE], 0.85) == [
        (0, 2),
        (0, 3),
        (2, 3),
    ]


@pytest.mark.parametrize("texts", [[], ["one"], ["", ""], ["a b", "a b"], ["a b", "b a"]])
def test_short_texts(texts):
    """
    Texts too short for a run of words are compared as they are.
    """
    same = [(a, b) for a, b in itertools.combinations(range(len(texts)), 2) if texts[a] == texts[b]]
    assert MinHashLikeness().alike(texts, 0.85) == same


def test_a_cache_changes_no_answer():
    """
    A cache of one sketch, which is replaced all the time, gives the same pairs.
    """
    texts = [NOTE, NOTE + " Payment terms are thirty days net.", "a text of another kind, quite short"] * 2
    assert MinHashLikeness(cache_size=1).alike(texts, 0.8) == MinHashLikeness().alike(texts, 0.8)
