"""
Payment cards that Presidio's own recognizer leaves out: of 12 to 19 digits, next to a word that names them.

ISO/IEC 7812-1: up to 19 digits, the last of them the Luhn check.  The brands that Presidio knows count by themselves.
"""

from adapters.screening.presidio.recognizers.identifier import IdentifierRecognizer, luhn


class CardRecognizer(IdentifierRecognizer):
    """Card numbers of any brand."""

    def __init__(self) -> None:
        super().__init__(
            "CREDIT_CARD",
            r"\d(?:[ -]?\d){11,18}",
            check=luhn,
            passed=0.3,
            failed=0.1,
            context=["card", "card no", "card number", "credit card", "debit card", "cc", "visa", "mastercard", "amex"],
        )
