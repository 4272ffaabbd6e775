"""How well short texts fit a question by the words they share: BM25 with `bm25s`, on English stems."""

import logging
import math
import re
import unicodedata

from collections.abc import Iterable, Sequence
from threading import Lock
from typing import Final

import bm25s
import Stemmer

from bm25s.stopwords import STOPWORDS_EN
from cachetools import LRUCache

_WORD: Final = re.compile(r"[^\W\d_]+")
_K1: Final = 1.2
_B: Final = 0.3
"""Texts are short and of one length, more or less, so that length says little."""

logging.getLogger("bm25s").setLevel(logging.WARNING)

_CHARACTERS: Final = 20_000
"""Of a question so many are read."""

_TALK: Final = (
    "what which who whom whose when where why how did does do done doing has have had having i me my mine we us our ours you your"
    " yours he him his she her hers they them theirs its please give gives show shows tell tells want wants need needs know knows"
    " can could would should shall may might must let get gets got make makes made take takes say says said see sees look looks"
    " ask asks am been being just only also too very much many more most some any all both each other another same own than here"
    " out up down over under again further once from off about above below before after between through during while because since"
    " unless whether so yet still even ever never always often thing things anything something nothing everything everybody anybody"
    " somebody nobody one ones lot bit kind way really exactly actually quite rather like well now today tomorrow yesterday nor yes"
)
_STOP: Final = frozenset(STOPWORDS_EN) | frozenset(_TALK.split())


class Bm25Lexicon:
    """A `gateway.ports.packing.Lexicon`; it keeps an index for each set of texts that it met lately."""

    def __init__(self, *, cache_size: int = 64) -> None:
        self._indexes: LRUCache[tuple[str, ...], bm25s.BM25 | None] = LRUCache(cache_size)
        self._lock = Lock()

    def fits(self, question: str, texts: Sequence[str]) -> list[float]:
        index = self._index(tuple(texts))
        if index is None:
            return [0.0] * len(texts)
        # Each word once: to repeat one does not make it mean more, and the cost is bounded by the words of the texts.
        asked = sorted(set(_stems(question[:_CHARACTERS])) & index.vocab_dict.keys())
        if not asked:
            return [0.0] * len(texts)
        # By what a word of one text alone weighs, so that the figures mean the same whether there are ten texts or a hundred.
        rarest = math.log(1 + (len(texts) - 0.5) / 1.5)
        return [round(float(score) / rarest, 4) for score in index.get_scores(asked)]

    def _index(self, texts: tuple[str, ...]) -> bm25s.BM25 | None:
        with self._lock:
            if texts in self._indexes:
                return self._indexes[texts]
        stems = [_stems(text) for text in texts]
        index = None
        # Of texts that say nothing the library makes no index, but divides by their length.
        if any(stems):
            index = bm25s.BM25(k1=_K1, b=_B, method="lucene", backend="numpy")
            index.index(stems, show_progress=False)
        with self._lock:
            self._indexes[texts] = index
        return index


def _stems(text: str) -> list[str]:
    return list(Stemmer.Stemmer("english").stemWords(list(_words(text))))


def _words(text: str) -> Iterable[str]:
    for chunk in unicodedata.normalize("NFKC", text).lower().split():
        # What has a figure in it is the name of something, such as an entity's id, and no word.
        if not any(sign.isdigit() for sign in chunk):
            yield from (
                word for word in _WORD.findall(chunk.replace("\u2019", "'").replace("'s", "")) if word not in _STOP
            )
