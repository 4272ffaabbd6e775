"""What a tokenizer and a likeness owe."""

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from adapters.packing.rensa import MinHashLikeness
from adapters.packing.tiktoken import TiktokenTokenizer
from tests.support.packing import WORDS


def test_the_tokenizer_adds_up():
    """
    Tokens of blocks add up to those of the whole, whatever stands in them: what ends in a line break joins nothing after.
    """
    tokenizer = TiktokenTokenizer()
    odd = [
        "",
        " ",
        "\n\n",
        "a\n \n",
        "/x",
        "\r\n",
        "日本語",
        "'s",
        "<",
        ">>",
        "1234567",
        "  end  ",
        "\t",
        "é\u0301",
        "…\n",
    ]
    for encoding in ("o200k_base", "cl100k_base"):
        blocks = [f"<k id={n}>\n{text}\n</k mark={n}>\n" for n, text in enumerate(odd)]
        whole = tokenizer.count("".join(blocks), encoding)
        assert whole == sum(tokenizer.count(block, encoding) for block in blocks)


@given(st.lists(st.sampled_from(WORDS), min_size=20, max_size=60), st.integers(0, 59), st.sampled_from(WORDS))
@hypothesis_settings(max_examples=200)
def test_near_is_what_jaccard_says(words, place, word):
    """
    The pairs found are exactly those whose shingles overlap by the threshold, counted plainly.
    """
    other = list(words)
    other[place % len(other)] = word

    def shingles(some):
        return {tuple(some[n : n + 3]) for n in range(len(some) - 2)}

    left, right = shingles(words), shingles(other)
    expected = len(left & right) / len(left | right) >= 0.85
    assert (MinHashLikeness().alike([" ".join(words), " ".join(other)], 0.85) == [(0, 1)]) is expected
