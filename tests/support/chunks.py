"""What holds of the chunks of every document, whatever it is and however it is cut."""

from collections.abc import Sequence

from gateway.model.knowledge.chunking import ChunkRule
from gateway.model.knowledge.document import Chunk, ReadDocument
from gateway.ports.packing import Tokenizer

ENCODING = "o200k_base"


def check_chunks(document: ReadDocument, chunks: Sequence[Chunk], rule: ChunkRule, tokenizer: Tokenizer) -> None:
    """Nothing is lost, nothing is twice, nothing is too long, and everything says where it stands."""
    assert [one.number for one in chunks] == list(range(len(chunks)))
    end = 0
    titles = {
        " ".join(document.text[block.start : block.end].split())[:200]
        for block in document.blocks
        if block.kind == "heading"
    }
    for one in chunks:
        assert one.start >= end
        assert not document.text[end : one.start].strip()
        assert one.start < one.end
        assert one.text == one.text[: one.repeats] + document.text[one.start : one.end]
        assert one.tokens == tokenizer.count(one.text, ENCODING) <= rule.tokens
        assert {*one.path} <= titles
        if not rule.method.startswith("by_"):
            # What windows repeat is what stands just before them.
            assert one.text == document.text[one.start - one.repeats : one.end]
            assert tokenizer.count(one.text[: one.repeats], ENCODING) <= rule.overlap
        end = one.end
    assert not document.text[end:].strip()
