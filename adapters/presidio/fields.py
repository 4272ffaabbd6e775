"""
Field names as evidence: what a value is, told by the name of the field it stands in.

A name such as `customer_name` says more about a JSON value than its characters do.
"""

import re

from typing import Final

_FIELDS: Final = {
    "PERSON": (
        r"(full|first|last|given|family|middle|sur|maiden|customer|client|contact|employee|applicant|"
        r"beneficiary|holder|account_holder|director|signatory|guarantor|payee|payer|insured)_?name|surname"
    ),
    "PHONE_NUMBER": r"(tele)?phone(_?(number|no))?|mobile(_?(number|no))?|hand_?phone|whatsapp|fax(_?no)?",
    "EMAIL_ADDRESS": r"e?_?mail(_?address)?",
    "SG_NRIC_FIN": r"nric(_?(no|number|fin))?|fin(_?(no|number))",
    "HK_HKID": r"hkid(_?(no|number))?|hk_?id_?card",
    "BANK_ACCOUNT": r"(bank_?)?account_?(no|number)|acct_?(no|number)",
}
_PATTERNS: Final = {name: re.compile(rf"(?:^|_)(?:{names})$") for name, names in _FIELDS.items()}
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

SCORE: Final = 0.85


def words_of(key: str) -> str:
    """The name of a field as lower-case words with underscores: ``customerName`` is customer_name."""
    return _CAMEL.sub("_", key).replace("-", "_").replace(" ", "_").lower()


def type_of(key: str) -> str | None:
    """The entity type that a field's name stands for, if it stands for one."""
    name = words_of(key)
    return next((entity for entity, pattern in _PATTERNS.items() if pattern.search(name)), None)
