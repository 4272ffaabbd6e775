"""
Indonesian NPWP: fifteen digits, written 99.999.999.9-999.999, or sixteen.

The ninth digit is the Luhn check of the first eight; the rest names the tax office and the branch (000 for the main
one).  The sixteen digits in force since 2024 are a NIK, or a zero and the old fifteen (Direktorat Jenderal Pajak,
PER-04/PJ/2020; PMK 112/PMK.03/2022).
"""

from adapters.screening.presidio.recognizers.identifier import LIKELY, IdentifierRecognizer, luhn


def is_valid(value: str) -> bool:
    """Whether fifteen digits, or sixteen with a leading zero, pass the check."""
    old = value[1:] if len(value) == 16 else value
    return (len(value) == 15 or value[0] == "0") and luhn(old[:9])


class NpwpRecognizer(IdentifierRecognizer):
    """NPWP with a valid check digit; without one only next to a word that names it."""

    def __init__(self) -> None:
        super().__init__(
            "ID_NPWP",
            r"\d{2}\.\d{3}\.\d{3}\.\d-\d{3}\.\d{3}|0\d{15}|\d{15}",
            check=is_valid,
            passed=LIKELY,
            context=["npwp", "tax id", "nomor pokok wajib pajak", "tax number"],
        )
