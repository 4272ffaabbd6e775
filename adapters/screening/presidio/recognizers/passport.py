"""
Passports of the six jurisdictions: by their form beside a word that names them, and by the line machines read.

Forms: ICAO PRADO-style descriptions of each issuer; in short
    SG  K or E, 7 digits, a letter        HK  1 or 2 letters, 7 or 8 digits       IN  a letter, 7 digits
    TW  9 digits                          ID  1 or 2 letters, 6 or 7 digits       AU  1 or 2 letters, 7 digits
The second line of the machine readable zone (ICAO Doc 9303 part 4) counts by itself if its check digits hold: each
character weighted 7 3 1 in turn, digits as they are, letters 10 to 35, the filler 0, modulo 10 (part 3, 4.9).
"""

from typing import Final

from adapters.screening.presidio.recognizers.identifier import CERTAIN, IdentifierRecognizer

_FORMS: Final = {
    "SG_PASSPORT": r"[EK]\d{7}[A-Z]",
    "HK_PASSPORT": r"[HK][A-Z]?\d{8}|H[A-Z]\d{7}",
    "IN_PASSPORT": r"[A-PR-WY][1-9]\d ?\d{4}[1-9]",
    "TW_PASSPORT": r"[1-3]\d{8}",
    "ID_PASSPORT": r"[A-Z]\d{7}|[A-Z]{2}\d{6,7}",
    "AU_PASSPORT": r"[A-Z]{1,2}\d{7}",
}


def check_digit(field: str) -> str:
    """The digit that completes a field of the machine readable zone."""
    # Base 36 has the values of Doc 9303: digits as they are, A for 10 up to Z for 35.
    values = [0 if sign == "<" else int(sign, 36) for sign in field]
    return str(sum(value * (7, 3, 1)[index % 3] for index, value in enumerate(values)) % 10)


def holds(line: str) -> bool:
    """Whether the number, birthday and expiry of a second line of 44 characters carry their check digits."""
    return all(
        check_digit(field) == line[index] for field, index in ((line[:9], 9), (line[13:19], 19), (line[21:27], 27))
    )


class PassportRecognizer(IdentifierRecognizer):
    """Passport numbers of one jurisdiction, next to a word that names them."""

    def __init__(self, entity: str) -> None:
        super().__init__(
            entity, _FORMS[entity], context=["passport", "passport no", "travel document", "paspor", "護照"]
        )


class MachineReadableRecognizer(IdentifierRecognizer):
    """The second line of a passport's machine readable zone, of any issuer."""

    def __init__(self) -> None:
        super().__init__(
            "PASSPORT_MRZ",
            r"[A-Z0-9<]{9}\d[A-Z<]{3}\d{7}[MF<X]\d{7}[A-Z0-9<]{14}[0-9<]\d",
            check=holds,
            prepare=str,
            passed=CERTAIN,
            failed=0.3,
            context=["passport", "mrz"],
        )


def passport_recognizers() -> list[IdentifierRecognizer]:
    """One for each jurisdiction, and one for the machine readable zone."""
    return [*(PassportRecognizer(entity) for entity in _FORMS), MachineReadableRecognizer()]
