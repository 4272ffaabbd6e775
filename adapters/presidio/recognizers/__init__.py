"""Recognizers that Presidio lacks or has too weak, one file each, with the source of its algorithm."""

from adapters.presidio.recognizers.email import OfflineEmailRecognizer
from adapters.presidio.recognizers.hk_hkid import HkidRecognizer
from adapters.presidio.recognizers.person import PersonRecognizer
from adapters.presidio.recognizers.phone import PhoneRecognizer
from adapters.presidio.recognizers.sg_nric import NricRecognizer

__all__ = ["HkidRecognizer", "NricRecognizer", "OfflineEmailRecognizer", "PersonRecognizer", "PhoneRecognizer"]
