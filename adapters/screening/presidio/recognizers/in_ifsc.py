"""
Indian Financial System Code: four letters of the bank, a zero, six characters of the branch.

Reserve Bank of India, "IFSC codes of banks".  There is no check digit: six digits after the zero, as nearly all
branches have, count more than other characters.
"""

from adapters.screening.presidio.recognizers.identifier import LIKELY, IdentifierRecognizer


class IfscRecognizer(IdentifierRecognizer):
    """IFSC codes."""

    def __init__(self) -> None:
        super().__init__(
            "IN_IFSC",
            r"[A-Z]{4}0[A-Z0-9]{6}",
            check=lambda value: value[5:].isdigit(),
            passed=LIKELY,
            failed=0.3,
            context=["ifsc", "ifs code", "neft", "rtgs", "imps", "branch code", "bank branch"],
        )
