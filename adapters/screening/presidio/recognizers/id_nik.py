"""
Indonesian NIK: sixteen digits without a check digit, but with a structure.

Two digits of the province (11 to 96), two of the regency, two of the district, the birthday as DDMMYY with 40 added to
the day of women, and a serial from 0001 (Permendagri 2/2010; UU 24/2013 on population administration).
"""

import re

from typing import Final

from adapters.screening.presidio.recognizers.identifier import LIKELY, IdentifierRecognizer

_FORM: Final = re.compile(
    r"(1[1-9]|21|3[1-6]|5[1-3]|6[1-5]|7[1-6]|8[12]|9[1-7])(?!00)\d{2}(?!00)\d{2}"
    r"(0[1-9]|[12]\d|3[01]|4[1-9]|[56]\d|7[01])(0[1-9]|1[0-2])\d{2}(?!0000)\d{4}"
)


def is_valid(value: str) -> bool:
    """Whether sixteen digits name a province, a day and a serial."""
    return _FORM.fullmatch(value) is not None


class NikRecognizer(IdentifierRecognizer):
    """NIK with a plausible structure; without one only next to a word that names it."""

    def __init__(self) -> None:
        super().__init__(
            "ID_NIK",
            r"\d{16}|\d{4}[ .-]\d{4}[ .-]\d{4}[ .-]\d{4}|\d{6}[ .-]\d{6}[ .-]\d{4}|\d{2}[ .]\d{2}[ .]\d{2}[ .]\d{6}[ .]\d{4}",
            check=is_valid,
            passed=LIKELY,
            failed=0.1,
            context=["nik", "ktp", "nomor induk kependudukan", "no ktp", "e-ktp", "population id"],
        )
