"""
Singapore NRIC and FIN: a prefix, seven digits and a check letter.

The check letter is a weighted sum (2 7 6 5 4 3 2) modulo 11, with 4 added for T and G and 3 for M, looked
up in one of three tables (Ngiam Shih Tung, "Structure of the Singapore NRIC"; ICA, M series of 2022).
"""

from typing import Final

from presidio_analyzer import Pattern, PatternRecognizer

_WEIGHTS: Final = (2, 7, 6, 5, 4, 3, 2)
_OFFSETS: Final = {"S": 0, "T": 4, "F": 0, "G": 4, "M": 3}
_LETTERS: Final = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "F": "XWUTRQPNMLK", "G": "XWUTRQPNMLK", "M": "XWUTRQPNJLK"}


def check_letter(prefix: str, digits: str) -> str:
    """The letter that completes a prefix (S, T, F, G or M) and seven digits."""
    total = sum(int(d) * w for d, w in zip(digits, _WEIGHTS, strict=True)) + _OFFSETS[prefix]
    return _LETTERS[prefix][total % 11]


class NricRecognizer(PatternRecognizer):
    """NRIC and FIN with a valid check letter; without one only next to a word that names it."""

    def __init__(self) -> None:
        super().__init__(
            supported_entity="SG_NRIC_FIN",
            patterns=[Pattern("nric", r"(?<![A-Za-z0-9])[STFGMstfgm]\d{7}[A-Za-z](?![A-Za-z0-9])", 0.2)],
            context=["nric", "fin", "ic no", "identity card", "identification number", "nric_no"],
            name="SgNricRecognizer",
        )

    def validate_result(self, pattern_text: str) -> bool | None:
        value = pattern_text.upper()
        return True if check_letter(value[0], value[1:8]) == value[8] else None
