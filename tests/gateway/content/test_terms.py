"""What a clause speaks of, by its words."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from gateway.content.terms import clauses, read, stem, together


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("USD 50,000,000", "USD 50m"),
        ("USD 50 million", "USD 50,000,000"),
        ("thirty days", "30 days"),
        ("2.5 bn", "2,500,000,000"),
        ("reviewed each quarter", "reviewed quarterly"),
        ("no later than 5 days", "at most 5 days"),
        ("over 10 trades", "more than 10 trades"),
        ("twice a year", "half-yearly"),
    ],
)
def test_figures_in_any_spelling(one, other):
    """
    A figure, a frequency or a bound is the same in whatever words it stands.
    """
    assert read(one).figures == read(other).figures
    assert read(one).weights.keys() == read(other).weights.keys()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("within 30 minutes", "minute"),
        ("a limit of USD 50m", "money"),
        ("5% of capital", "%"),
        ("5 percent of capital", "%"),
        ("since 2026-03-01", "date"),
        ("under MAS-637", "reference"),
        ("the risk is high", "grade"),
        ("12 trades", "count"),
    ],
)
def test_kinds_of_figures(text, kind):
    """
    Each figure is of a kind, so that minutes are not held against money.
    """
    assert list(read(text).figures.values()) == [kind]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The limit applies.", 0),
        ("The limit does not apply.", 1),
        ("It isn't allowed without approval.", 2),
        ("Not only banks.", 0),
    ],
)
def test_denials(text, count):
    """
    What denies is counted, and what only sounds so is not.
    """
    assert read(text).denials == count


def test_names_and_codes():
    """
    A word in capitals that does not begin the sentence is a name; one all in capitals is a code.
    """
    found = read("Reports go to Sarah and the MAS")
    assert found.names == {stem("sarah"), stem("mas")}
    assert found.codes == {"mas"}


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (("reviewed", "reviews", "reviewing"), True),
        (("customers", "client"), True),
        (("rose", "increases", "growth"), False),
        (("approve", "approved", "approves"), True),
        (("limit", "limits"), True),
        (("increase", "decrease"), False),
    ],
)
def test_forms_of_a_word(words, same):
    """
    Forms of one word have one stem, and so have the words that the table calls the same; opposites have not.
    """
    stems = {stem(word) for word in words}
    assert (len(stems) == 1) is same


def test_clauses_stand_apart():
    """
    What a sentence says of one thing is not said of another.
    """
    left, right = clauses("Finance has 72 hours, operations has 48 hours.")
    assert (list(left.figures), list(right.figures)) == (["#72"], ["#48"])


@given(st.text(max_size=60), st.text(max_size=60))
def test_together_is_both(one, other):
    """
    What two texts speak of together is what each of them speaks of.
    """
    left, right = read(one), read(other)
    whole = together([left, right])
    assert whole.weights.keys() == left.weights.keys() | right.weights.keys()
    assert whole.denials == left.denials + right.denials
    assert whole.words.keys() == whole.weights.keys() - whole.figures.keys()


@given(st.text(max_size=20))
def test_a_stem_is_no_longer_than_its_word(word):
    """
    A word without its endings is never empty where the word is not, and never longer, but for the table.
    """
    assert bool(stem(word)) is bool(word) or len(word) > 4
