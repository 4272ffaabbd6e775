"""Identifiers in pieces: over lines, and over neighbouring values."""

from functools import partial

import pytest

from adapters.screening.presidio.pieces import AROUND, LONGEST, MOST, across_lines, split_values
from adapters.screening.text.view import View
from gateway.model.content import Leaf
from tests.support.effort import Effort
from tests.support.screening import WORST


def rejoined(text):
    return [one.text for one in across_lines(View(text))]


class TestLines:
    @pytest.mark.parametrize(
        ("text", "whole"),
        [
            ("NRIC S84217\n53J was", "S8421753J"),
            ("NRIC S84217-\r\n53J was", "S8421753J"),
            ("> call 9123\n> 4567 now", "91234567"),
            ("NRIC S8421753\nJ was", "S8421753J"),
        ],
    )
    def test_what_a_break_parts_is_read_together(self, text, whole):
        """
        The break, a hyphen before it and the marks of a quoted line are left out.
        """
        [one] = rejoined(text)
        assert whole in one

    @pytest.mark.parametrize(
        "text", ["met Ann\nTan today", "in 2026\nthe committee", "chapter\n12 begins", "12.\n34", "1\n\n2"]
    )
    def test_breaks_between_words(self, text):
        """
        Where one side has no digit and is longer than two letters, or the line ends, nothing is rejoined.
        """
        assert rejoined(text) == []

    def test_every_character_leads_back(self):
        """
        A stretch of what was rejoined stands in the original with the break within it.
        """
        text = "NRIC S84217\n53J was"
        [one] = across_lines(View(text))
        start = one.text.index("S84")
        first, last = one.span(start, start + 9)
        assert text[first:last] == "S84217\n53J"
        assert one.via == "rejoined"

    def test_of_many_breaks_the_whole_text_is_read_once(self):
        """
        Up to twelve breaks are read one by one, each with what is around it; more of them as one text without breaks.
        """
        one_by_one = rejoined("12\n" * MOST + "12")
        assert len(one_by_one) == MOST
        assert max(map(len, one_by_one)) <= 2 * AROUND
        assert rejoined("12\n" * (MOST + 1) + "12") == ["12" * (MOST + 2)]

    @pytest.mark.parametrize("number", range(len(WORST)))
    def test_the_worst_texts(self, number, effort):
        """
        Rejoining takes no more than twenty passes, however the text is made.
        """
        effort.within(20, lambda: list(across_lines(View(WORST[number]))))


def groups(*leaves):
    """Paths of the values that are read together."""
    return [tuple(leaf.path for leaf in group) for group in split_values([Leaf(*one) for one in leaves])]


class TestValues:
    def test_values_of_one_list(self):
        """
        Neighbours of one list belong together, all of them in a row.
        """
        assert groups(("S84", "/l/0", "l"), ("217", "/l/1", "l"), ("53J", "/l/2", "l")) == [("/l/0", "/l/1", "/l/2")]

    @pytest.mark.parametrize(
        ("one", "other"), [("nric_1", "nric_2"), ("card_first", "card_last"), ("part_a", "part_b"), ("a", "b")]
    )
    def test_fields_whose_names_differ_in_a_number(self, one, other):
        """
        Fields named as parts of one thing belong together.
        """
        assert groups(("S8421", f"/{one}", one), ("753J", f"/{other}", other)) == [(f"/{one}", f"/{other}")]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            (("S8421", "/nric", "nric"), ("753J", "/phone", "phone")),
            (("S8421", "/x/n_1", "n_1"), ("753J", "/y/n_2", "n_2")),
            (("abc", "/l/0", "l"), ("def", "/l/1", "l")),
            (("", "/l/0", "l"), ("753J", "/l/1", "l")),
            (("1" * (LONGEST + 1), "/l/0", "l"), ("753J", "/l/1", "l")),
            (("S8421!", "/l/0", "l"), ("753J", "/l/1", "l")),
        ],
    )
    def test_what_does_not_belong_together(self, one, other):
        """
        Other names, other objects, values without a digit, empty, long or of other signs stay apart.
        """
        assert groups(one, other) == []

    def test_two_groups(self):
        """
        A value that fits neither neighbour parts two groups.
        """
        found = groups(
            ("12", "/a/0", "a"), ("34", "/a/1", "a"), ("a text", "/t", "t"), ("56", "/b/0", "b"), ("78", "/b/1", "b")
        )
        assert found == [("/a/0", "/a/1"), ("/b/0", "/b/1")]


def test_a_name_of_digits_is_read_at_once():
    """
    A field named by many digits and then something else costs no more than its length.
    """
    effort = Effort()
    for name in ("0" * 200 + "x", "_1" * 100 + "x", "0" * 100_000 + "x"):
        item = [Leaf("S12345", "/a", f"{name}a"), Leaf("67D", "/b", f"{name}b")]
        effort.within(1, partial(lambda item: list(split_values(item)), item), name[:10])
