"""The content words of a clause, and what they are in it."""

from gateway.selection.clauses import clause, counted_by, words_of


def test_words_without_figures():
    """
    Figures, what holds a clause together and what any statement may have are no words of it; a numbered kind is one word.
    """
    found = words_of(clause("The limit for tier 2 clients under section 4.2 is USD 5 million"))
    assert [word.thing for word in found] == ["limit", "tier#2", "client"]
    assert [word.thing for word in found if word.code] == ["tier#2"]


def test_the_subject_stands_before_the_verb():
    """
    What stands before the verb is told apart from what follows.
    """
    found = words_of(clause("Margin calls must be met by counterparties"))
    assert [word.thing for word in found if word.before_verb] == ["margin", "cal"]


def test_words_that_say_the_same():
    """
    Words that say the same of a thing are one.
    """
    assert (
        len({words_of(clause(f"reports {verb}"))[-1].thing for verb in ("submitted", "filed", "sent", "lodged")}) == 1
    )


def test_what_a_count_counts():
    """
    The words after a count are kept, and after any other figure none.
    """
    counted, amount = clause("three approvers"), clause("USD 3 approvers")
    assert counted_by(counted, counted.figures[0])
    assert not counted_by(amount, amount.figures[0])
