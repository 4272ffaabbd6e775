"""
UPI addresses: a name, an at sign and the handle of a payment provider, without a dot after it.

National Payments Corporation of India, "UPI procedural guidelines"; the handles are those of its list of third-party apps.
"""

from typing import Final

from adapters.screening.presidio.recognizers.identifier import CERTAIN, WEAK, IdentifierRecognizer

_HANDLES: Final = frozenset(
    "abfspay airtel airtelpaymentsbank allbank aubank axisb axisbank axl apl barodampay boi cnrb csbpay dbs dlb equitas "
    "fam fbl federal freecharge hdfcbank hsbc ibl icici idbi idfcbank idfcfirst ikwik indianbank indus ioc jio jupiteraxis "
    "kbl kmbl kotak kvb mahb okaxis okhdfcbank okicici oksbi paytm pingpay pnb postbank pthdfc ptaxes ptsbi ptyes rbl "
    "rapl sbi sib superyes timecosmos ubi uco unionbank upi utib waaxis wahdfcbank waicici wasbi yapl ybl yesbank yespay "
    "yespop slice tapicici naviaxis".split()
)


class UpiRecognizer(IdentifierRecognizer):
    """UPI addresses with a known handle; with another one only next to a word that names it."""

    def __init__(self) -> None:
        super().__init__(
            "IN_UPI",
            r"[A-Za-z0-9][A-Za-z0-9._-]{1,63}@[A-Za-z]{2,20}(?!\.?[A-Za-z0-9])",
            check=lambda value: value.rpartition("@")[2] in _HANDLES,
            prepare=str.lower,
            passed=CERTAIN,
            failed=WEAK,
            context=["upi", "vpa", "gpay", "phonepe", "paytm", "bhim"],
        )
