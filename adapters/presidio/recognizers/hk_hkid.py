"""
Hong Kong identity card: one or two letters, six digits and a check digit in brackets.

The characters are weighted 9 to 2 (a single letter is preceded by a blank that counts 36, letters count
10 to 35), and the check digit makes the sum a multiple of 11, with A for 10 (Immigration Department;
described in HKSAR "Hong Kong Identity Card" practice notes).
"""

from presidio_analyzer import Pattern, PatternRecognizer


def check_digit(letters: str, digits: str) -> str:
    """The character that completes one or two letters and six digits."""
    values = [36] if len(letters) == 1 else []
    values += [ord(letter) - 55 for letter in letters]
    values += [int(digit) for digit in digits]
    total = sum(value * weight for value, weight in zip(values, range(9, 1, -1), strict=True))
    rest = (11 - total % 11) % 11
    return "A" if rest == 10 else str(rest)


class HkidRecognizer(PatternRecognizer):
    """HKID numbers with a valid check digit."""

    def __init__(self) -> None:
        super().__init__(
            supported_entity="HK_HKID",
            patterns=[
                Pattern("hkid with brackets", r"(?<![A-Za-z0-9])[A-Za-z]{1,2}\d{6}\s?\([0-9Aa]\)", 0.5),
                Pattern("hkid", r"(?<![A-Za-z0-9])[A-Za-z]{1,2}\d{6}[0-9Aa](?![A-Za-z0-9])", 0.1),
            ],
            context=["hkid", "hong kong identity card", "identity card", "id card", "hkic"],
            name="HkHkidRecognizer",
        )

    def validate_result(self, pattern_text: str) -> bool | None:
        value = "".join(character for character in pattern_text.upper() if character.isalnum())
        letters = value[:-7]
        return True if check_digit(letters, value[-7:-1]) == value[-1] else None
