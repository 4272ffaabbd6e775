"""
Australian BSB with an account number: six digits, written 999-999, and up to ten digits.

Australian Payments Network, "BSB numbers in Australia": two digits of the bank, one of the state, three of the branch.
"""

from adapters.screening.presidio.recognizers.identifier import WEAK, IdentifierRecognizer


class BsbRecognizer(IdentifierRecognizer):
    """BSB numbers, with the account number where one follows; only next to a word that names them."""

    def __init__(self) -> None:
        super().__init__(
            "AU_BANK_ACCOUNT",
            r"\d{3}[- ]?\d{3}(?:[ ,/]{1,3}(?:(?:account|acct|acc|a/c)(?: ?(?:no|number))?\.?:? ?)?\d{5,10})?",
            failed=WEAK,
            context=["bsb"],
        )
