"""
Hong Kong identity card: one or two letters, six digits and a check digit in brackets.

The characters are weighted 9 to 2 (a single letter is preceded by a blank that counts 36, letters count
10 to 35), and the check digit makes the sum a multiple of 11, with A for 10 (Immigration Department;
described in HKSAR "Hong Kong Identity Card" practice notes).
"""

from adapters.screening.presidio.recognizers.identifier import CERTAIN, IdentifierRecognizer


def check_digit(letters: str, digits: str) -> str:
    """The character that completes one or two letters and six digits."""
    # A single letter has a blank before it, so that the digits have the same weights after one letter as after two.
    values = [36] if len(letters) == 1 else []
    values += [ord(letter) - 55 for letter in letters]
    values += [int(digit) for digit in digits]
    total = sum(value * weight for value, weight in zip(values, range(9, 1, -1), strict=True))
    rest = (11 - total % 11) % 11
    return "A" if rest == 10 else str(rest)


class HkidRecognizer(IdentifierRecognizer):
    """HKID numbers with a valid check digit; without one only next to a word that names it."""

    def __init__(self) -> None:
        super().__init__(
            "HK_HKID",
            r"[A-Za-z]{1,2}[ -]?\d{6}(?: ?\([0-9Aa]\)|-?[0-9Aa])",
            check=lambda value: check_digit(value[:-7], value[-7:-1]) == value[-1],
            passed=CERTAIN,
            context=["hkid", "hong kong identity card", "identity card", "id card", "hkic", "身份證", "身分證"],
        )
