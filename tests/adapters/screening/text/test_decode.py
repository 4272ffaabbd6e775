"""What is written in a text but not to be read by people."""

import base64
import codecs

import pytest

from adapters.screening.text.decode import ENCODED, HIDDEN, readings
from adapters.screening.text.view import View
from tests.support.screening import ATTACK, WORST


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


@pytest.mark.parametrize(
    "text",
    [
        "See the minutes of the last meeting.",
        "commit 4e1a9b22c1d04f6f8f3a",
        "id 8f4e0000-0000-4000-8000-000000000000",
        base64.b64encode(bytes(range(60))).decode(),
        "ABCDEFGHIJKLMNOPQRSTUVWX",
        "100% of 20% is 20%",
        "01 02 03 04",
        "a < b & c > d",
        "M e e t i n",
    ],
)
def test_what_is_not_encoded_is_left_alone(text):
    """
    Hashes, ids, bytes that are no text and ordinary signs have no other reading.
    """
    assert readings(View(text)) == []


def test_two_levels_and_no_more():
    """
    What is encoded twice is read, and named by both; what is encoded three times is not.
    """
    packed = ATTACK
    for _ in range(3):
        packed = packed.encode().hex()
    assert {one.via for one in readings(View(packed))} == {"hex", "hex+hex"}
    assert readings(View(packed), depth=0) == []


@pytest.mark.parametrize("times", [1, 3, 5])
def test_base64_over_and_over(times):
    """
    What is packed in base64 up to five times is read at once, since nothing else stands around it.
    """
    packed = ATTACK
    for _ in range(times):
        packed = base64.b64encode(packed.encode()).decode()
    [reading] = [one for one in readings(View(packed)) if one.text == ATTACK]
    assert reading.via == "+".join(["base64"] * times)


def test_every_name_is_of_a_kind():
    """
    A reading was either spelled so that nobody would read it, or put where a page shows nothing.
    """
    assert not ENCODED & HIDDEN
    hidden = f"<!-- {ATTACK} --> {base64.b64encode(ATTACK.encode()).decode()}"
    assert {one.via for one in readings(View(hidden))} <= ENCODED | HIDDEN


def test_entities_that_a_page_needs():
    """
    A few letters written as numbers are unescaped, and are no disguise.
    """
    text = "Terms &#65; &#66; &#67; &amp; conditions"
    [reading] = readings(View(text))
    assert (reading.text, reading.via) == ("Terms A B C & conditions", "unescaped")
    index = reading.text.index("&")
    assert text[slice(*reading.span(index, index + 1))] == "&amp;"


@pytest.mark.parametrize("number", range(len(WORST)))
def test_the_worst_texts(number, effort):
    """
    All readings of a text take no more than twenty passes, however it is made.
    """
    effort.within(20, lambda: readings(View(WORST[number])))
