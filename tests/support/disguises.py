"""Identifiers as people write them to get past a screen: 35 forms of five values, each with what must not be left."""

import base64

from collections.abc import Callable
from typing import Final

VALUES: Final = {
    "SG_NRIC_FIN": "S1234567D",
    "PHONE_NUMBER": "+6591234507",
    "IBAN_CODE": "GB82WEST12345698765432",
    "EMAIL_ADDRESS": "jennifer.tan@example.com",
    "CREDIT_CARD": "4012888888881881",
}
"""One of each, all valid by their check digits, by the type that policy knows."""

_DIGITS: Final = "zero one two three four five six seven eight nine".split()
_CYRILLIC: Final = str.maketrans("SDGBWETjeinrtaxmplcos", "ЅDGВWЕТјеіnrtахmрlсоѕ")


def _each(change: Callable[[str], str]) -> Callable[[str], str]:
    return lambda value: "".join(map(change, value))


def _between(mark: str) -> Callable[[str], str]:
    return mark.join


def _middle(mark: str) -> Callable[[str], str]:
    def put(value: str) -> str:
        # Next to the at sign of an address, where a line is broken.
        place = value.find("@") + 1 or len(value) // 2
        return value[:place] + mark + value[place:]

    return put


def _groups(mark: str) -> Callable[[str], str]:
    return lambda value: mark.join(value[start : start + 3] for start in range(0, len(value), 3))


def _shifted(digits: int, letters: int = 0) -> Callable[[str], str]:
    def change(letter: str) -> str:
        if letter.isdigit():
            return chr(digits + int(letter))
        if letters and letter.isalpha():
            return chr(letters + ord(letter.upper()) - 65)
        return letter

    return _each(change)


def _encoded(encode: Callable[[bytes], bytes], times: int = 1) -> Callable[[str], str]:
    def change(value: str) -> str:
        packed = value.encode()
        for _ in range(times):
            packed = encode(packed)
        return packed.decode()

    return change


def _superscript(letter: str) -> str:
    return "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[int(letter)] if letter.isdigit() else letter


def _spelled(letter: str) -> str:
    if letter.isdigit():
        return f" {_DIGITS[int(letter)]} "
    return {"@": " at ", ".": " dot ", "+": "plus "}.get(letter, letter)


FORMS: Final[dict[str, Callable[[str], str]]] = {
    "plain": lambda value: value,
    "lower case": str.lower,
    "zero-width space": _between("\u200b"),
    "zero-width joiner": _between("\u200d"),
    "word joiner": _groups("\u2060"),
    "soft hyphen": _groups("\u00ad"),
    "full-width": _each(lambda letter: chr(ord(letter) + 0xFEE0)),
    "superscript": _each(_superscript),
    "mathematical": _shifted(0x1D7CE, 0x1D400),
    "arabic digits": _shifted(0x0660),
    "devanagari digits": _shifted(0x0966),
    "cyrillic": lambda value: value.translate(_CYRILLIC),
    "strokes": _each(lambda letter: letter + "\u0336"),
    "keycaps": _each(lambda letter: letter + "\ufe0f\u20e3" if letter.isdigit() else letter),
    "tags inside": _middle("<b></b>"),
    "tags around pieces": _groups("</i><i>"),
    "comment inside": _middle("<!-- x -->"),
    "emphasis": _middle("**"),
    "entities": _each(lambda letter: f"&#{ord(letter)};"),
    "hexadecimal entities": _each(lambda letter: f"&#x{ord(letter):x};"),
    "percent": _each(lambda letter: f"%{ord(letter):02X}"),
    "escapes": _each(lambda letter: f"\\u{ord(letter):04x}"),
    "base64": _encoded(base64.b64encode),
    "base64 twice": _encoded(base64.b64encode, 2),
    "base64 three times": _encoded(base64.b64encode, 3),
    "base32": _encoded(base64.b32encode),
    "hexadecimal": lambda value: value.encode().hex(),
    "hexadecimal escapes": _each(lambda letter: f"\\x{ord(letter):02x}"),
    "line break": _middle("\n"),
    "spaces": _between(" "),
    "dots": _between("."),
    "slashes": _groups("/"),
    "underscores": _groups("_"),
    "O for 0": lambda value: value.replace("0", "O").replace("1", "l"),
    "digits as words": _each(_spelled),
}
"""By name.  Some say nothing of some values: an address has no digits to be written otherwise."""


def residue(text: str) -> str:
    """What a reader could put together again from what is left of a form: its letters and digits."""
    return "".join(letter for letter in text if letter.isalnum())
