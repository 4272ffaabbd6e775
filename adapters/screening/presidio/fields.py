"""
Field names as evidence: what a value is, told by the name of the field it stands in.

A name such as `customer_name` says more about a JSON value than its characters do.
"""

import re

from typing import Final

_NUMBER: Final = r"(_?(no|num|number|id|code))?\.?"
_FIELDS: Final = {
    "PERSON": (
        r"(full|first|last|given|family|middle|sur|maiden|customer|client|contact|employee|applicant|"
        r"beneficiary|holder|account_holder|director|signatory|guarantor|payee|payer|insured|cardholder|borrower|nominee|"
        r"owner|user_full|display|legal|patient|passenger|guest|sender|recipient|spouse|mother|father|manager|rm)_?name"
        r"(_(en|zh|local|native|cn))?"
        r"|surname|(account_?|card_?)?holder|beneficiary|applicant|guarantor|signatory|payee|nominee|cardholder|insured|"
        r"assignee|attn|relationship_manager"
    ),
    "PHONE_NUMBER": r"tel|(tele)?phone(_?(number|no))?|mobile(_?(number|no))?|hand_?phone|whatsapp|fax(_?no)?|cell(phone)?",
    "EMAIL_ADDRESS": r"e?_?mail(_?address)?",
    "SG_NRIC_FIN": rf"nric(_?fin)?{_NUMBER}|fin(_?(no|number))",
    "SG_UEN": rf"uen{_NUMBER}",
    "HK_HKID": rf"hkid{_NUMBER}|hk_?id_?card{_NUMBER}",
    "HK_BR": rf"brn|br{_NUMBER}|business_registration{_NUMBER}",
    "IN_AADHAAR": rf"(aadhaar|aadhar|uid_aadhaar){_NUMBER}",
    "IN_PAN": r"pan|pan_?(no|number|card)",
    "IN_GSTIN": rf"gstin{_NUMBER}|gst_?(no|number)",
    "IN_IFSC": rf"ifsc{_NUMBER}",
    "IN_UPI": rf"(upi|vpa){_NUMBER}",
    "TW_NATIONAL_ID": r"tw_?(national_?)?id(_?(no|number))?",
    "TW_UBN": rf"ubn{_NUMBER}|unified_business{_NUMBER}",
    "ID_NIK": rf"nik{_NUMBER}|ktp{_NUMBER}",
    "ID_NPWP": rf"npwp{_NUMBER}",
    "AU_TFN": rf"tfn{_NUMBER}|tax_file{_NUMBER}",
    "AU_ABN": rf"abn{_NUMBER}",
    "AU_ACN": rf"acn{_NUMBER}",
    "AU_MEDICARE": rf"medicare(_card)?{_NUMBER}",
    "SWIFT_BIC": r"swift(_?(code|bic))?|bic(_?code)?",
    "IBAN_CODE": rf"iban{_NUMBER}",
    "BANK_ACCOUNT": r"(bank_?)?account_?(no|number)|acct_?(no|number)|a_?c_?(no|number)",
    "CREDIT_CARD": r"(credit_?|debit_?|payment_?)?card_?(no|number)|card_?pan",
}
_PATTERNS: Final = {name: re.compile(rf"(?:^|_)(?:{names})$") for name, names in _FIELDS.items()}
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

SCORE: Final = 0.85
LONGEST_NAME: Final = 80
_SENTENCE: Final = re.compile(r"[.!?] [A-Z]|\n|[{}<>=]|\d{3}")


def words_of(key: str) -> str:
    """The name of a field as lower-case words with underscores: ``customerName`` is customer_name."""
    return _CAMEL.sub("_", key).replace("-", "_").replace(" ", "_").lower()


def type_of(key: str) -> str | None:
    """The entity type that a field's name stands for, if it stands for one."""
    name = words_of(key).rstrip(".")
    return next((entity for entity, pattern in _PATTERNS.items() if pattern.search(name)), None)


def says_something(text: str, entity: str) -> bool:
    """Whether a value may be what its field is named for: a name has letters and no sentence, a number has digits."""
    # The name of the field decides alone, without a model: what can be no name has to be kept out here.
    if entity == "PERSON":
        return any(letter.isalpha() for letter in text) and len(text) <= LONGEST_NAME and not _SENTENCE.search(text)
    return any(character.isdigit() or character == "@" for character in text)
