"""Questions made of passages."""

from hypothesis import given
from hypothesis import strategies as st

from gateway.knowledge.tuning.pseudo_queries import FEWEST_WORDS, pseudo_queries
from tests.support.golden import sections, words

PASSAGES = [one.text for one in sections()]


def test_the_same_every_time():
    """
    The same passages give the same questions, another seed gives others.
    """
    assert [*pseudo_queries(PASSAGES)] == [*pseudo_queries(PASSAGES)]
    assert [*pseudo_queries(PASSAGES)] != [*pseudo_queries(PASSAGES, seed=8)]


def test_a_question_is_of_its_passage():
    """
    The words of a question are its passage's, but for how it begins; what is left of the passage is a part of it.
    """
    made = [*pseudo_queries(PASSAGES)]
    assert len(made) > len(PASSAGES)
    for one in made:
        asked, told = {*words(one.question)}, {*words(PASSAGES[one.passage])}
        assert len(asked - told) <= 5, one
        if one.positive is not None:
            assert {*one.positive.split()} <= {*PASSAGES[one.passage].split()}
            assert len(one.positive.split()) >= FEWEST_WORDS - 1
    assert any(one.positive for one in made)
    assert any(one.positive is None for one in made)


@given(st.lists(st.text(max_size=400), max_size=5))
def test_any_text(passages):
    """
    Whatever stands in documents, questions are made of it or none.
    """
    for one in pseudo_queries(passages):
        assert one.question.strip()
        assert 0 <= one.passage < len(passages)


def test_many_words_cost_little():
    """
    A passage of a hundred thousand words is one of many, and no more.
    """
    assert len([*pseudo_queries(["word " * 100_000])]) == 3
