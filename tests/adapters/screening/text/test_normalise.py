"""Texts as they are read: disguises undone, and the way back to every character."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from adapters.screening.text.normalise import Unseen, lookalikes, normalised
from tests.support.screening import WORST


class TestNormalise:
    @pytest.mark.parametrize(
        ("text", "read"),
        [
            ("Ｓ１２３４５６７Ｄ", "S1234567D"),
            ("S12\u200b34\u200b567D", "S1234567D"),
            ("ign\u00adore", "ignore"),
            ("Ignоre аll", "Ignore all"),
            ("\u202eabc\u202c", "abc"),
            ("𝐢𝐠𝐧𝐨𝐫𝐞", "ignore"),
            ("Привет мир", "Привет мир"),
            ("café naïve", "café naïve"),
        ],
    )
    def test_texts_are_read_as_they_look(self, text, read):
        """
        Compatibility forms, unseen characters and look-alikes are undone; other scripts and accents are left alone.
        """
        assert normalised(text)[0].text == read

    @given(st.text(max_size=80))
    def test_every_character_leads_back(self, text):
        """
        Each character of the reading has a place in the original, in order.
        """
        view, _ = normalised(text)
        indexes = [view.span(index, index + 1) for index in range(len(view.text))]
        assert all(0 <= start < end <= len(text) for start, end in indexes)
        assert indexes == sorted(indexes)

    def test_flags_and_right_to_left_scripts_are_no_signs(self):
        """
        The flag of Scotland is spelled in tags, and Hebrew needs direction marks; neither is a sign.
        """
        scotland = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
        assert normalised(f"Visit {scotland} soon")[1].tags == ""
        assert normalised("\u202bשלום\u202c hello")[1].directions == 0


class TestUnseen:
    @pytest.mark.parametrize(
        ("text", "member", "expected"),
        [
            ("tran\u200bsfer mo\u200bney", "inside_words", 2),
            ("a \u200b b", "inside_words", 0),
            ("x\u200b\u200b\u200by", "longest_run", 3),
            ("a\u202eb\u202c", "directions", 2),
            ("".join(chr(0xE0000 + ord(letter)) for letter in "obey"), "tags", "obey"),
            ("trаnsfer mоney now", "lookalikes", 2),
            ("𝐩𝐥𝐞𝐚𝐬𝐞", "styled", 6),
            ("Ｓ１２", "styled", 1),
        ],
    )
    def test_each_is_counted(self, text, member, expected):
        """
        How much of a text nobody would see, or would take for something else.
        """
        assert getattr(normalised(text)[1], member) == expected

    def test_where_it_stands(self):
        """
        The first and the last of what was undone are told in places of the original.
        """
        unseen = normalised("clean \u200b and \u200b clean")[1]
        assert (unseen.first, unseen.last) == (6, 13)

    def test_plain_text_is_not_read_twice(self):
        """
        ASCII text is its own reading.
        """
        view, unseen = normalised("plain text")
        assert (view.text, view.starts, unseen) == ("plain text", None, Unseen())

    def test_lookalikes_are_letters_for_letters(self):
        """
        Each letter of another script stands for one ASCII letter, and no ASCII letter is replaced.
        """
        table = lookalikes()
        assert table[ord("а")] == "a"
        assert all(letter > 0x7F and len(plain) == 1 and plain.isascii() for letter, plain in table.items())


@pytest.mark.parametrize("number", range(len(WORST)))
def test_the_worst_texts(number, effort):
    """
    A text is normalised in no more than twenty passes, however it is made.
    """
    effort.within(20, lambda: normalised.__wrapped__(WORST[number]))
