"""Documents of every format: read, cut, and every offset opens its place."""

import pytest

from adapters.documents.limits import ReadingLimits
from adapters.documents.reading import READERS, read_here, reader
from adapters.packing.tiktoken import TiktokenTokenizer
from gateway.errors import DocumentTooLargeError, DocumentUnreadableError
from gateway.knowledge.chunking import chunk
from gateway.model.knowledge.chunking import ChunkRule
from tests.support.chunks import ENCODING, check_chunks
from tests.support.documents import KINDS, made, story

LIMITS = ReadingLimits()
TOKENIZER = TiktokenTokenizer.loaded()
RULES = [
    ChunkRule(method="sliding_window", tokens=800, overlap=120),
    ChunkRule(method="fixed_size", tokens=128, overlap=32),
    ChunkRule(method="section_aware", tokens=384, overlap=48),
    ChunkRule(method="field_level", tokens=256),
    ChunkRule(method="by_clause", tokens=1500),
    ChunkRule(method="by_step", tokens=1200),
    ChunkRule(method="by_article", tokens=1000),
    ChunkRule(method="by_family", tokens=600),
    ChunkRule(method="by_section", tokens=500),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(10))
def test_a_document_of_any_format(kind, seed):
    """
    Of ten documents in each format all that they say is read in order, and cut by every method without loss; headings are the
    chunks' paths, and each chunk's offsets open the place that it is of.
    """
    said = story(seed)
    found, document = read_here(made(said, kind), LIMITS, name=f"x.{kind}")
    assert found in READERS
    flat, place = " ".join(document.text.split()), 0
    for text in said.said:
        place = flat.find(text, place if text not in {"Field", "Value", "Owner", "desk"} else 0)
        assert place >= 0, text
    assert [document.text[one.start : one.end] for one in document.blocks if one.kind == "heading"] == [
        section.title for section in said.sections
    ]
    for rule in RULES:
        chunks = chunk(document, rule, TOKENIZER, encoding=ENCODING)
        check_chunks(document, chunks, rule, TOKENIZER)
        paths = {one.path for one in chunks}
        if rule.method.startswith("by_"):
            assert {(section.title,) for section in said.sections} <= paths
    if kind in {"pdf", "xlsx", "pptx"}:
        assert chunks[0].first_page == 1


def test_blocks_are_in_order_and_hold_all_text():
    """
    Between blocks there is white space alone, in every format.
    """
    for kind in KINDS:
        _, document = read_here(made(story(1), kind), LIMITS)
        end = 0
        for block in document.blocks:
            assert not document.text[end : block.start].strip()
            assert document.text[block.start : block.end].strip()
            end = block.end
        assert end == len(document.text)


def test_readers_say_what_they_read():
    """
    The reader of each media type says that it reads it.
    """
    assert all(kind in reader(kind, LIMITS).media_types for kind in READERS)


def test_the_same_bytes_give_the_same_text():
    """
    A file read twice is the same document twice.
    """
    for kind in KINDS:
        body = made(story(2), kind)
        assert read_here(body, LIMITS) == read_here(body, LIMITS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_broken_file(kind):
    """
    A file cut anywhere is read as far as it is text, or is an error of ours; never one of a library.
    """
    body = made(story(4, sections=1), kind)
    for part in range(1, 8):
        try:
            read_here(body[: len(body) * part // 8], LIMITS)
        except (DocumentUnreadableError, DocumentTooLargeError) as error:
            assert error.__cause__ is None


@pytest.mark.parametrize("kind", KINDS)
def test_too_much_text(kind):
    """
    A document with more text or more blocks than one may have is too large.
    """
    body = made(story(5), kind)
    for limits in (ReadingLimits(characters=300), ReadingLimits(blocks=3), ReadingLimits(file_bytes=100)):
        with pytest.raises(DocumentTooLargeError):
            read_here(body, limits)


@pytest.mark.parametrize(
    "body", [b"", b" \n ", b"<html><body><script>x</script></body></html>", b"<!-- -->\n<html></html>"]
)
def test_no_text(body):
    """
    A file without text is not read.
    """
    with pytest.raises(DocumentUnreadableError):
        read_here(body, LIMITS)
