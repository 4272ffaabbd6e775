"""What is written in a text but not to be read by people."""

import base64
import codecs

import pytest

from adapters.screening.text.decode import readings
from adapters.screening.text.view import View
from tests.support.screening import ATTACK


class TestReadings:
    @pytest.mark.parametrize(
        ("hidden", "via"),
        [
            (base64.b64encode(ATTACK.encode()).decode(), "base64"),
            (base64.b64encode(base64.b64encode(ATTACK.encode())).decode(), "base64+base64"),
            (ATTACK.encode().hex(), "hex"),
            (" ".join(f"{byte:08b}" for byte in ATTACK.encode()), "binary"),
            (codecs.encode(ATTACK, "rot13"), "rot13"),
            (ATTACK[::-1], "reversed"),
            ("".join(f"%{byte:02x}" for byte in ATTACK.encode()), "percent"),
            ("".join(f"\\u{ord(letter):04x}" for letter in ATTACK), "escapes"),
            ("".join(f"&#{ord(letter)};" for letter in ATTACK), "entities"),
            ("  ".join(" ".join(word) for word in ATTACK.split()), "spaced"),
            (f"<!-- {ATTACK} -->", "comment"),
            (f'<p style="color:#fff">{ATTACK}</p>', "hidden"),
            (f"<div hidden>{ATTACK}</div>", "hidden"),
            (f'[x](https://a.example "{ATTACK}")', "title"),
            (f'<img alt="{ATTACK}">', "attribute"),
        ],
    )
    def test_what_is_hidden_is_read(self, hidden, via):
        """
        Each encoding and hiding place is read, named, and mapped back to where it stands.
        """
        text = f"Dear team,\n{hidden}\nRegards"
        [reading] = [one for one in readings(View(text)) if one.via == via]
        assert ATTACK in " ".join(reading.text.split())
        start, end = reading.span(reading.text.index("I"), reading.text.index("I") + 1)
        assert 0 <= start < end <= len(text)
        assert text.index(hidden) <= start < text.index(hidden) + len(hidden)

    def test_the_work_is_bounded(self):
        """
        However much is encoded in a text, the number of readings is limited.
        """
        many = " ".join(base64.b64encode(f"{ATTACK} {number}".encode()).decode() for number in range(500))
        assert len(readings(View(many))) <= 24
