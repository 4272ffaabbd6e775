"""
Taiwan unified business number: eight digits, weighted 1 2 1 2 1 2 4 1, the digits of the products added up.

The sum is a multiple of 5; where the seventh digit is 7, its product counts 1 or 0 (Ministry of Finance, Fiscal
Information Agency, "營利事業統一編號檢查碼邏輯修正說明", in force since April 2023; before that, of 10).
"""

from typing import Final

from adapters.screening.presidio.recognizers.identifier import BARE, IdentifierRecognizer

_WEIGHTS: Final = (1, 2, 1, 2, 1, 2, 4, 1)


def is_valid(value: str) -> bool:
    """Whether eight digits pass the check."""
    products = [int(digit) * weight for digit, weight in zip(value, _WEIGHTS, strict=True)]
    total = sum(product // 10 + product % 10 for product in products)
    # A seven in the seventh place makes 28, and 2 + 8 is 10, of which the 1 or the 0 counts: modulo 5, one more or as it is.
    return total % 5 == 0 or (value[6] == "7" and (total + 1) % 5 == 0)


class TaiwanUbnRecognizer(IdentifierRecognizer):
    """Unified business numbers."""

    def __init__(self) -> None:
        super().__init__(
            "TW_UBN",
            r"\d{8}",
            check=is_valid,
            passed=BARE,
            context=["ubn", "unified business", "vat no", "gui number", "tax id", "統一編號", "統編"],
        )
