"""
E-mail addresses, checked against the list of public suffixes that ships with `tldextract`.

What counts as an address is what Presidio's own recognizer takes for one: a local part from the beginning of a word, `@`, a domain with a stop in it.  Its
pattern begins anew at every word, which takes the square of the length on `a-a-a-…`, and it lets tldextract fetch a newer
list at first use, from a host that our users' networks do not reach, and without a time-out.
"""

import re

from collections.abc import Iterator
from typing import Final

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts
from tldextract import TLDExtract

from adapters.screening.presidio.recognizers.results import result

_EXTRACT: Final = TLDExtract(suffix_list_urls=(), cache_dir=None)

_LOCAL: Final = r"[!#$%&'*+\-/=?^_`{|}~.\w]"
_RUN: Final = re.compile(rf"(?<!{_LOCAL}){_LOCAL}++(?=@)")
_FIRST: Final = re.compile(r"\b[^.]")
_DOMAIN: Final = re.compile(r"\w++(?:[-.]\w++)*+")
_SCORE: Final = 1.0


class OfflineEmailRecognizer(EntityRecognizer):
    """Addresses under a public suffix of the shipped list."""

    def __init__(self) -> None:
        super().__init__(supported_entities=["EMAIL_ADDRESS"], name="EMAIL_ADDRESS recognizer", context=["email"])

    def load(self) -> None:
        """Nothing to load."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        return [
            result(self, start, end, _SCORE)
            for start, end in _addresses(text)
            if _EXTRACT(text[start:end]).top_domain_under_public_suffix
        ]


def _addresses(text: str) -> Iterator[tuple[int, int]]:
    for run in _RUN.finditer(text):
        first = _FIRST.search(text, run.start(), run.end())
        domain = _DOMAIN.match(text, run.end() + 1)
        if first and domain and "." in domain.group() and text[run.end() - 1] != ".":
            yield first.start(), domain.end()
