"""
Words of a text as the index keeps them, in the languages that the bank's documents are written in.

    English            stems (Snowball), without the 33 words that say nothing (Lucene's list)
    Malay, Indonesian  where a text has their function words, each Latin word's stem by Snowball's Indonesian beside the English one:
                       the two languages share their affixes, and Snowball has no Malay
    Hindi              stems (Snowball) of words in Devanagari, vowel signs and all
    Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese
                       overlapping pairs of characters, as these are written without spaces, or with few
    everything else    the word itself, folded

Rule held here: the cost is linear in the text, whatever stands in it.
"""

import re
import unicodedata

from collections.abc import Callable, Iterator
from functools import lru_cache
from threading import local
from typing import Final

import Stemmer

from bm25s.stopwords import STOPWORDS_EN

LONGEST: Final = 40
"""Characters of a word that count: what is longer is no word, and would only swell the vocabulary."""

_PAIRED: Final = (
    r"\u0e00-\u0eff"  # Thai, Lao
    r"\u1000-\u109f\u1780-\u17ff"  # Burmese, Khmer
    r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"  # kana, Han, Hangul
    r"\U00020000-\U0003ffff"  # Han of the supplementary planes
)
_MARKS: Final = r"\u0300-\u036f\u0900-\u0963\u0966-\u0dff\u200c\u200d"
"""What belongs to a word though Python calls it no letter: accents, and vowel signs of the scripts of India."""

_RUN: Final = re.compile(rf"(?P<pairs>[{_PAIRED}]++)|(?P<word>(?:[^\W_{_PAIRED}]++|[{_MARKS}]++)++)")
_STOP: Final = frozenset(STOPWORDS_EN)
_MALAY: Final = frozenset(
    "yang dan untuk dengan dalam ini itu tidak adalah oleh pada dari daripada kepada akan telah bagi atau sebagai boleh dapat"
    " hendaklah perlu mesti harus tersebut apa apakah bagaimana siapa mana bila kapan berapa".split()
)
"""Function words that Malay and Indonesian texts are full of, and that English has not."""

_TELLING: Final = 0.08
"""Share of function words from which a text is taken for Malay or Indonesian; running text has about one in four."""

_local = local()


def terms(text: str) -> list[str]:
    """The terms of a text, in order and as often as they stand there; an Indonesian stem is marked `id:`."""
    words = list(_words(text))
    latin = [word for word, pairs in words if not pairs]
    malay = sum(word in _MALAY for word in latin) > _TELLING * len(latin)
    found: list[str] = []
    for word, pairs in words:
        if pairs or word in _STOP:
            found += [word] if pairs else []
            continue
        found.append(_stem(word))
        if malay:
            found.append(f"id:{_indonesian(word)}")
    return found


def asked(text: str) -> list[str]:
    """The terms of a question, each once: its words may be of any language, too few to tell which."""
    found = dict.fromkeys(terms(text))
    for word, pairs in _words(text):
        if not pairs and word not in _STOP:
            found[f"id:{_indonesian(word)}"] = None
    return list(found)


def _words(text: str) -> Iterator[tuple[str, bool]]:
    """Words and pairs of characters, folded; whether it is a pair."""
    # A possessive is no word of its own.
    folded = unicodedata.normalize("NFKC", text).lower().replace("\u2019", "'").replace("'s", "")
    for match in _RUN.finditer(folded):
        run = match.group()
        if match.lastgroup == "word":
            yield run[:LONGEST], False
        else:
            yield from ((run[at : at + 2], True) for at in range(max(1, len(run) - 1)))


@lru_cache(100_000)
def _stem(word: str) -> str:
    # Python's own test of script would cost more: a stemmer leaves what is not of its language as it is.
    if "\u0900" <= word[0] <= "\u097f":
        return _stemmer("hindi")(word)
    return _stemmer("english")(word) if word.isascii() else word


@lru_cache(100_000)
def _indonesian(word: str) -> str:
    return _stemmer("indonesian")(word) if word.isascii() and word.isalpha() else _stem(word)


def _stemmer(language: str) -> Callable[[str], str]:
    """One for each thread: they keep state while they work."""
    key = f"stemmer_{language}"
    if not hasattr(_local, key):
        setattr(_local, key, Stemmer.Stemmer(language, 0).stemWord)
    stem: Callable[[str], str] = getattr(_local, key)
    return stem
