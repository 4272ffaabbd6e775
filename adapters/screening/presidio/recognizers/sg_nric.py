"""
Singapore NRIC and FIN: a prefix, seven digits and a check letter.

The check letter is a weighted sum (2 7 6 5 4 3 2) modulo 11, with 4 added for T and G and 3 for M, looked
up in one of three tables (Ngiam Shih Tung, "Structure of the Singapore NRIC"; ICA, M series of 2022).
"""

from typing import Final

from adapters.screening.presidio.recognizers.identifier import CERTAIN, IdentifierRecognizer, weighted

_WEIGHTS: Final = (2, 7, 6, 5, 4, 3, 2)
_OFFSETS: Final = {"S": 0, "T": 4, "F": 0, "G": 4, "M": 3}
_LETTERS: Final = {"S": "JZIHGFEDCBA", "T": "JZIHGFEDCBA", "F": "XWUTRQPNMLK", "G": "XWUTRQPNMLK", "M": "XWUTRQPNJLK"}


def check_letter(prefix: str, digits: str) -> str:
    """The letter that completes a prefix (S, T, F, G or M) and seven digits."""
    return _LETTERS[prefix][(weighted(digits, _WEIGHTS) + _OFFSETS[prefix]) % 11]


class NricRecognizer(IdentifierRecognizer):
    """NRIC and FIN with a valid check letter; without one only next to a word that names it."""

    def __init__(self) -> None:
        super().__init__(
            "SG_NRIC_FIN",
            r"[STFGMstfgm][- ]?\d{4}[ -]?\d{3}[- ]?[A-Za-z]",
            check=lambda value: check_letter(value[0], value[1:8]) == value[8],
            passed=CERTAIN,
            context=[
                "nric",
                "fin",
                "ic no",
                "ic number",
                "ic",
                "identity card",
                "identification number",
                "identity no",
            ],
        )
