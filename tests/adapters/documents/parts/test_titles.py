"""Titles and items in text without marks."""

import pytest

from adapters.documents.parts.titles import is_item, title_level


@pytest.mark.parametrize(
    ("line", "level"),
    [("1 Limits", 1), ("2.1 Limits of desks", 2), ("3.1.4. 额度", 3), ("Article 5", 1), ("Annex B Forms", 1)],
)
def test_titles(line, level):
    """
    Numbered titles have the level of their number.
    """
    assert title_level(line) == level


@pytest.mark.parametrize(
    "line", ["1 limit is enough", "2.1 This is a sentence.", "Limits", "12 " + "Word " * 30, "1995", "", "5 %"]
)
def test_no_titles(line):
    """
    Sentences, long lines and bare numbers are none.
    """
    assert title_level(line) is None


def test_items():
    """
    Bullets, numbers and letters begin items; words do not.
    """
    assert all(map(is_item, ("- a", "• a", "1. a", "(b) a", "iv) a")))
    assert not any(map(is_item, ("a", "1995 was", "-a", "word. a")))
