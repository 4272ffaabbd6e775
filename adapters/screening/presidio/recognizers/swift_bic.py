"""
SWIFT codes: four letters of the institution, a country, two characters of the place, three of the branch if any.

ISO 9362:2022; the country is one of ISO 3166-1.  Many an English word in capitals has that form, so a code of eight
letters counts only next to a word that names it; with a digit in it, or with the head office's XXX, it counts more.
"""

from typing import Final

from adapters.screening.presidio.recognizers.identifier import IdentifierRecognizer

_COUNTRIES: Final = frozenset(
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC "
    "CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD "
    "GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH "
    "KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW "
    "MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC "
    "SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY "
    "UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW".split()
)


class SwiftRecognizer(IdentifierRecognizer):
    """SWIFT codes of a country that exists."""

    def __init__(self) -> None:
        super().__init__(
            "SWIFT_BIC",
            r"[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?",
            check=lambda value: value[4:6] in _COUNTRIES and (value.endswith("XXX") or not value.isalpha()),
            passed=0.4,
            failed=0.15,
            context=["swift", "bic", "swift code", "iban", "correspondent", "beneficiary bank", "intermediary bank"],
        )
