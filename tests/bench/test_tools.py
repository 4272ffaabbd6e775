"""How well the tools that a question needs are chosen."""

import pytest

from adapters.packing.bm25 import Bm25Lexicon
from bench.tools import agreement, distractors, judged, labels, measured, of_its_domain, questions, shipped


@pytest.fixture(scope="module")
def results():
    (own, terms), lexicon, asked = shipped(), Bm25Lexicon(), questions()
    tools = own | distractors()
    return judged(asked, tools, terms, lexicon), [*of_its_domain(asked, tools, terms, lexicon)]


def test_what_it_is_measured_on():
    """
    Two hundred questions and more, each of tools that are on record, and sixty tools that none of them needs.
    """
    (own, _), asked = shipped(), questions()
    assert len(asked) >= 200
    assert len({one.ask for one in asked}) == len(asked)
    assert len(distractors()) == 60
    assert not own.keys() & distractors().keys()
    assert all(one.needs | one.disputed <= own.keys() for one in asked)


def test_needed_is_what_both_labellers_named():
    """
    Two labelled every question: a tool is needed where both name it, and disputed where one does.
    """
    asked, said = questions(), labels()
    assert said.keys() == {one.ask for one in asked}
    for one in asked:
        first, second = said[one.ask]
        assert one.needs == first & second
        assert first ^ second <= one.disputed


def test_how_far_labellers_agree():
    """
    Kappa is 1 less what they disagree on in relation to what chance would make of it, here by hand: of four pairs both name one,
    the second alone another.
    """
    one = next(one for one in questions() if one.ask.startswith("I would like to understand why the onboarding"))
    figures = agreement((one, name) for name in ("get_counterparty", "get_docs", "get_agreements", "get_credit_limits"))
    assert figures == {"pairs": 4, "differ": 1, "same": 0.75, "kappa": 0.5}


@pytest.mark.parametrize("chosen_with", [True, False], ids=["chosen with", "held out"])
@pytest.mark.parametrize("seen", [0, 1], ids=["all tools", "tools of the domain"])
def test_what_is_needed_is_kept_and_the_rest_left_out(results, seen, chosen_with):
    """
    Of the tools that questions need 98 % are shown, of the others 95 % are not, on families that the terms were not chosen with too,
    and with tools of other domains to choose from or without.
    """
    figures = measured([one for one in results[seen] if one.question.chosen_with is chosen_with])
    assert figures["kept"] >= 0.98
    assert figures["left_out"] >= 0.95
