"""Identifiers in disguise: found whole, in bounded work, and gone after every way of redacting them."""

import pytest

from adapters.screening.presidio import PresidioAnonymizer
from adapters.screening.presidio.disguises import AROUND, undisguised
from adapters.screening.text.view import View
from gateway.model.content import Cut
from gateway.model.pseudonyms import Pseudonyms, tenant_key
from tests.support.disguises import FORMS, VALUES
from tests.support.screening import WORST, pii

BEFORE, AFTER = "Please note ", " for the file."


def covered(text, found):
    return {place for one in found for place in range(one.start, one.end)} | {
        place for place, letter in enumerate(text) if not letter.isalnum()
    }


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_found_whole(form):
    """
    However a value is written, no letter or digit of it stands outside of what was found.
    """
    for name, value in VALUES.items():
        written = FORMS[form](value)
        text = f"{BEFORE}{written}{AFTER}"
        assert covered(text, pii(text)) >= set(range(len(BEFORE), len(BEFORE) + len(written))), name


EDGES = [
    "{nric}{nric}",
    "{nric}{iban}",
    "{phone}{phone}",
    "{card}{card}",
    "mailto:{email}?cc={email}",
    "mailto:{email}?subject=x&bcc={email}",
    "({nric})",
    "[{nric}]({email})",
    "\u201c{nric}\u201d",
    "{nric}, {nric}; {nric}",
    "{nric}/{phone}",
    "ID:{nric}.",
    "<{email}>",
    "{email},{email}",
    "\u200b{nric}\u200b",
    "{iban}\n{iban}",
]
OPERATORS = ["replace", "mask", "redact", "hash", "tokenise", "encrypt"]


@pytest.mark.parametrize("edge", EDGES)
def test_no_edge_leaves_a_value(edge):
    """
    Values that touch one another or what stands around them are all gone, whichever way they are redacted.
    """
    names = {"nric": "S1234567D", "phone": "+6591234507", "card": "4012888888881881"}
    names |= {"email": "jennifer.tan@example.com", "iban": "GB82WEST12345698765432"}
    text = f"{BEFORE}{edge.format(**names)}{AFTER}"
    found = pii(text)
    for operator in OPERATORS:
        pseudonyms = Pseudonyms(tenant_key(b"k" * 32, "bank"), "review", "s1")
        cuts = [Cut(one.start, one.end, one.type, operator) for one in found]
        left = PresidioAnonymizer().apply(text, cuts, pseudonyms)
        assert not [value for value in names.values() if value.lower() in left.lower()], (operator, left)


@pytest.mark.parametrize(
    "text",
    [
        "The committee met on 2026/11/23 and again on 23/11/2026.",
        "See reports/2026/11/summary_v2.pdf and src/model_9/layer_12345678.py.",
        "Look at example.com, or dot the i's at noon.",
        "One to two of the three to four people, five or six at most.",
        "Release 1.2.3/4.5.6|7.8.9 of *all* `tools` in **bold**.",
        "x = a_1 + b_22 * c_333 / d_4444",
        "Temperature 10 \u043c, \u0441\u0435\u043a\u0446\u0438\u044f 12345",
    ],
)
def test_what_is_no_disguise(text):
    """
    Dates, paths, formulas and prose that look a little like a disguise are left alone.
    """
    assert pii(text) == []


def test_a_change_is_read_with_what_stands_around_it():
    """
    Of a long text only the surroundings of each change are read again, and every character leads back.
    """
    text = "word " * 500 + "S1234<b></b>567D" + " word" * 500
    [reading] = undisguised(View(text))
    assert len(reading.view.text) <= 2 * AROUND + 12
    start = reading.view.text.index("S1234567D")
    first, last = reading.view.span(start, start + 9)
    assert text[first:last] == "S1234<b></b>567D"
    assert reading.touches(first, last)
    assert not reading.touches(first, first + 3)


MARKED = [
    "a<b>" * 25_000,
    "a" + "*" * 100_000,
    "1/" * 50_000,
    "1O" * 50_000,
    "one " * 25_000,
    "a dot b at " * 9_000,
    "A1" * 50_000,
]


@pytest.mark.parametrize("number", range(len(WORST) + len(MARKED)))
def test_the_worst_texts(number, effort):
    """
    Reading them takes no more than twenty passes, however the text is made.
    """
    text = [*WORST, *MARKED][number]
    effort.within(20, lambda: list(undisguised(View(text))))
