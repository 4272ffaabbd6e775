"""Plain text and Markdown."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from adapters.knowledge.plain import PlainReader
from gateway.errors import DocumentUnreadableError


@given(st.text(alphabet="a# \n\r\u2028\x0b", max_size=60))
def test_blocks_are_all_of_the_text(text):
    """Blocks stand in order and without overlap, and between them is white space alone."""
    try:
        read = PlainReader().read(text.encode())
    except DocumentUnreadableError:
        assert not text.strip()
        return
    end = 0
    for block in read.blocks:
        assert not read.text[end : block.start].strip()
        assert end <= block.start < block.end
        end = block.end
    assert not read.text[end:].strip()


@pytest.mark.parametrize("body", [b"", b" \n", b"\xff\xfe", b"a\0b"])
def test_what_is_no_text_is_refused(body):
    """Bytes that are no text, or none that says anything, are refused."""
    with pytest.raises(DocumentUnreadableError):
        PlainReader().read(body)
