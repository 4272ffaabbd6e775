"""
E-mail addresses, checked against the list of public suffixes that ships with `tldextract`.

Presidio's own recognizer lets tldextract fetch a newer list at first use, from a host that our users'
networks do not reach, and without a time-out.
"""

from typing import Final

from presidio_analyzer.predefined_recognizers import EmailRecognizer
from tldextract import TLDExtract

_EXTRACT: Final = TLDExtract(suffix_list_urls=(), cache_dir=None)


class OfflineEmailRecognizer(EmailRecognizer):
    """Presidio's patterns with the shipped list."""

    def validate_result(self, pattern_text: str) -> bool:
        return bool(_EXTRACT(pattern_text).top_domain_under_public_suffix)
