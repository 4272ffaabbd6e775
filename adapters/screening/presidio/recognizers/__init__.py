"""Recognizers that Presidio lacks or has too weak, one file each, with the source of its algorithm."""

from adapters.screening.presidio.recognizers.au_bsb import BsbRecognizer
from adapters.screening.presidio.recognizers.bank_account import BankAccountRecognizer
from adapters.screening.presidio.recognizers.card import CardRecognizer
from adapters.screening.presidio.recognizers.email import OfflineEmailRecognizer
from adapters.screening.presidio.recognizers.hk_br import BusinessRegistrationRecognizer
from adapters.screening.presidio.recognizers.hk_hkid import HkidRecognizer
from adapters.screening.presidio.recognizers.id_nik import NikRecognizer
from adapters.screening.presidio.recognizers.id_npwp import NpwpRecognizer
from adapters.screening.presidio.recognizers.in_ifsc import IfscRecognizer
from adapters.screening.presidio.recognizers.in_pan import StrictPanRecognizer
from adapters.screening.presidio.recognizers.in_upi import UpiRecognizer
from adapters.screening.presidio.recognizers.passport import passport_recognizers
from adapters.screening.presidio.recognizers.person import PersonRecognizer
from adapters.screening.presidio.recognizers.phone import PhoneRecognizer
from adapters.screening.presidio.recognizers.sg_nric import NricRecognizer
from adapters.screening.presidio.recognizers.sg_uen import UenRecognizer
from adapters.screening.presidio.recognizers.swift_bic import SwiftRecognizer
from adapters.screening.presidio.recognizers.tw_national_id import TaiwanArcRecognizer, TaiwanIdRecognizer
from adapters.screening.presidio.recognizers.tw_ubn import TaiwanUbnRecognizer

__all__ = [
    "BankAccountRecognizer",
    "BsbRecognizer",
    "BusinessRegistrationRecognizer",
    "CardRecognizer",
    "HkidRecognizer",
    "IfscRecognizer",
    "NikRecognizer",
    "NpwpRecognizer",
    "NricRecognizer",
    "OfflineEmailRecognizer",
    "PersonRecognizer",
    "PhoneRecognizer",
    "StrictPanRecognizer",
    "SwiftRecognizer",
    "TaiwanArcRecognizer",
    "TaiwanIdRecognizer",
    "TaiwanUbnRecognizer",
    "UenRecognizer",
    "UpiRecognizer",
    "passport_recognizers",
]
