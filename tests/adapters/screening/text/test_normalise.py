"""Texts as they are read: disguises undone, and the way back to every character."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from adapters.screening.text.normalise import normalised


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
        places = [view.span(place, place + 1) for place in range(len(view.text))]
        assert all(0 <= start < end <= len(text) for start, end in places)
        assert places == sorted(places)

    def test_flags_and_right_to_left_scripts_are_no_signs(self):
        """
        The flag of Scotland is spelled in tags, and Hebrew needs direction marks; neither is a sign.
        """
        scotland = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
        assert normalised(f"Visit {scotland} soon")[1].tags == ""
        assert normalised("\u202bשלום\u202c hello")[1].directions == 0
