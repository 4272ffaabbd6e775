"""
Taiwan national ID and resident certificate (ARC): a letter, nine digits, the last of them a check digit.

The letter stands for two digits (A is 10, B 11, … in the order below); those and the first eight digits, weighted
1 9 8 7 6 5 4 3 2 1, and the check digit add up to a multiple of 10.  A second character of 1 or 2 is a citizen's sex,
8 or 9 a resident's since 2021; older certificates have a second letter, A to D, that counts its last digit (National
Immigration Agency, "New Format of the UI Number"; Ministry of the Interior, coding rules of the national ID).
"""

from typing import Final

from adapters.screening.presidio.recognizers.identifier import CERTAIN, IdentifierRecognizer

_ORDER: Final = "ABCDEFGHJKLMNPQRSTUVXYWZIO"
_WEIGHTS: Final = (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)


def is_valid(value: str) -> bool:
    """Whether a letter, a digit or letter, and eight digits end in their check digit."""
    first = _ORDER.index(value[0]) + 10
    second = (_ORDER.index(value[1]) + 10) % 10 if value[1].isalpha() else int(value[1])
    indexes = [first // 10, first % 10, second, *map(int, value[2:])]
    return sum(index * weight for index, weight in zip(indexes, _WEIGHTS, strict=True)) % 10 == 0


class TaiwanIdRecognizer(IdentifierRecognizer):
    """National IDs with a valid check digit; without one only next to a word that names it."""

    def __init__(self) -> None:
        super().__init__(
            "TW_NATIONAL_ID",
            r"[A-Za-z][12]\d{8}",
            check=is_valid,
            passed=CERTAIN,
            context=["national id", "id no", "identity", "id card", "身分證", "身份證", "統一編號"],
        )


class TaiwanArcRecognizer(IdentifierRecognizer):
    """Resident certificates, new and old, with a valid check digit."""

    def __init__(self) -> None:
        super().__init__(
            "TW_ARC",
            r"[A-Za-z][89]\d{8}|[A-Za-z][A-Da-d]\d{8}",
            check=is_valid,
            passed=CERTAIN,
            context=["arc", "resident certificate", "ui number", "ui no", "居留證"],
        )
