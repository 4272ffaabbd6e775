"""Recognizers that Presidio lacks or has too weak, one file each, with the source of its algorithm."""

from adapters.presidio.recognizers.au_bsb import BsbRecognizer
from adapters.presidio.recognizers.bank_account import BankAccountRecognizer
from adapters.presidio.recognizers.card import CardRecognizer
from adapters.presidio.recognizers.email import OfflineEmailRecognizer
from adapters.presidio.recognizers.hk_br import BusinessRegistrationRecognizer
from adapters.presidio.recognizers.hk_hkid import HkidRecognizer
from adapters.presidio.recognizers.id_nik import NikRecognizer
from adapters.presidio.recognizers.id_npwp import NpwpRecognizer
from adapters.presidio.recognizers.in_ifsc import IfscRecognizer
from adapters.presidio.recognizers.in_pan import StrictPanRecognizer
from adapters.presidio.recognizers.in_upi import UpiRecognizer
from adapters.presidio.recognizers.passport import passport_recognizers
from adapters.presidio.recognizers.person import PersonRecognizer
from adapters.presidio.recognizers.phone import PhoneRecognizer
from adapters.presidio.recognizers.sg_nric import NricRecognizer
from adapters.presidio.recognizers.sg_uen import UenRecognizer
from adapters.presidio.recognizers.swift_bic import SwiftRecognizer
from adapters.presidio.recognizers.tw_national_id import TaiwanArcRecognizer, TaiwanIdRecognizer
from adapters.presidio.recognizers.tw_ubn import TaiwanUbnRecognizer

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
