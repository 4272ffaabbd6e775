"""Words as numbers, and digests of what an index holds."""

from adapters.knowledge.servers.bags import (
    MOST_TERMS,
    asked_terms,
    bag,
    mark,
    reading,
    revision_of,
    sum_after,
    term_number,
)
from gateway.ports.knowledge import Indexed
from tests.support.knowledge_contract import words

LIMIT = 6190771518828251789


def test_a_term_is_always_the_same_number():
    """Two processes, now and later, look for one term under one number, which fits where it is kept."""
    assert term_number("limit") == LIMIT
    assert -(2**63) <= term_number("limit") < 2**63
    assert 0 <= term_number("limit", bits=32) < 2**32
    assert term_number("\ud800") != term_number("\ud801")


def test_a_question_counts_a_term_once():
    """To repeat a word does not make it mean more, and the number of terms is bounded."""
    assert asked_terms("limit desk limit", words) == [term_number("limit"), term_number("desk")]
    assert len(asked_terms(" ".join(f"w{n}" for n in range(3000)), words)) == MOST_TERMS


def test_a_chunk_is_read_with_where_it_stands():
    """Titles are searched with the text below them."""
    assert reading(Indexed(1, 1, "text", "title")) == "title\ntext"
    assert bag("a b a", words) == {term_number("a"): 2, term_number("b"): 1}


def test_sums_do_not_depend_on_the_order():
    """What is held has one digest, in whichever order it came and whatever went meanwhile."""
    one, two = mark(1, 5), mark(2, 5)
    assert sum_after(0, [], [one, two]) == sum_after(sum_after(0, [], [two]), [], [one])
    assert sum_after(sum_after(0, [], [one]), [one], []) == 0
    assert mark(1, 25) != mark(12, 5)
    assert revision_of("a", 1, 2) != revision_of("b", 1, 2)
