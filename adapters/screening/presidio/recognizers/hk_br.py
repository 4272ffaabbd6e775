"""
Hong Kong business registration number: eight digits, on a certificate followed by branch, date and check character.

Since 27 December 2023 the first eight digits are the Unique Business Identifier (Inland Revenue Department, "Business
Registration Number").  No check digit over the eight digits alone is published, so they count only beside a word
that names them; the full form on the certificate counts by itself.
"""

import re

from adapters.screening.presidio.recognizers.identifier import LIKELY, IdentifierRecognizer


class BusinessRegistrationRecognizer(IdentifierRecognizer):
    """BR numbers, short and as on the certificate."""

    def __init__(self) -> None:
        super().__init__(
            "HK_BR",
            r"\d{8}-\d{3}-\d{2}-\d{2}-[0-9A-Za-z]|\d{8}(?:-\d{3})?",
            check=lambda value: re.fullmatch(r"\d{8}\d{3}(0[1-9]|1[0-2])\d{2}[0-9A-Z]", value) is not None,
            passed=LIKELY,
            context=["brn", "br no", "br number", "br", "business registration", "ubi", "商業登記", "商業登記號碼"],
        )
