"""
Bank account numbers by the words around them; there is no form that all banks share.

Lengths: DBS, OCBC and UOB 7 to 12 digits (ABS, "Bank account number formats"); HKICL 9 to 12; Indian banks 9 to 18;
Taiwan up to 14; Indonesia 10 to 16; Australia 5 to 10 after a BSB.
"""

from adapters.screening.presidio.recognizers.identifier import WEAK, IdentifierRecognizer


class BankAccountRecognizer(IdentifierRecognizer):
    """Runs of seven to eighteen digits next to a word that says account."""

    def __init__(self) -> None:
        super().__init__(
            "BANK_ACCOUNT",
            r"\d(?:[ -]?\d){6,17}",
            failed=WEAK,
            context=[
                "account no",
                "account number",
                "account:",
                "account #",
                "accounts",
                "acct",
                "a/c",
                "savings account",
                "current account",
                "rekening",
                "beneficiary account",
                "帳號",
                "戶口號碼",
                "賬號",
            ],
        )
