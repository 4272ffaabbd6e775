"""Documents cut into chunks: nothing lost, nothing too long, everything in its place."""

from typing import get_args

import pytest

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adapters.packing.tiktoken import TiktokenTokenizer
from gateway.knowledge.chunking import chunk
from gateway.model.knowledge.chunking import ChunkMethod, ChunkRule
from gateway.model.knowledge.document import ReadDocument, TextBlock
from tests.support.chunks import ENCODING, check_chunks
from tests.support.effort import Effort

TOKENIZER = TiktokenTokenizer.loaded()
METHODS = get_args(ChunkMethod)
WINDOWS = [method for method in METHODS if not method.startswith("by_")]
SENTENCE = "The committee approves every new limit before the desk trades it. "

PIECES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60),
    st.sampled_from(
        [
            "1.2 Terms",
            "Step 3 check",
            "Exceptions: none",
            "- bullet",
            "2) do it",
            "Article 4",
            "see clause 1.2",
            "a | b",
            "a | c",
        ]
    ),
    st.integers(1, 40).map(lambda times: SENTENCE * times),
    st.integers(1, 3000).map(lambda times: "x" * times),
    st.integers(1, 800).map(lambda times: "界" * times),
    st.integers(1, 300).map(lambda times: "𓀀🏳️‍🌈" * times),
)
GAPS = st.sampled_from(["\n\n", "\n", " " * 500, "\n \n"])


@st.composite
def documents(draw):
    """Blocks of every kind and length, with white space of every length between them."""
    text, blocks = "", []
    for piece in draw(st.lists(PIECES, max_size=25)):
        said = piece.strip()
        if said:
            text += draw(GAPS) if text else ""
            kind = draw(st.sampled_from(["heading", "paragraph", "item", "row", "code"]))
            level = draw(st.integers(1, 12)) if kind == "heading" else 0
            blocks.append(TextBlock(len(text), len(text) + len(said), kind, level, draw(st.none() | st.integers(1, 9))))
            text += said
    return ReadDocument(text, tuple(blocks))


def rule_of(method: str, tokens: int, overlap: int = 0) -> ChunkRule:
    return ChunkRule(method=method, tokens=tokens, overlap=0 if method.startswith("by_") else overlap)


def cut(document: ReadDocument, rule: ChunkRule):
    chunks = chunk(document, rule, TOKENIZER, encoding=ENCODING)
    check_chunks(document, chunks, rule, TOKENIZER)
    return chunks


def written(*blocks) -> ReadDocument:
    """A document of these blocks: kind, text, level."""
    text = ""
    made: list[TextBlock] = []
    for kind, said, level in blocks:
        text += "\n\n" if text else ""
        made.append(TextBlock(len(text), len(text) + len(said), kind, level))
        text += said
    return ReadDocument(text, tuple(made))


def heading(text: str, level: int = 1) -> tuple[str, str, int]:
    return "heading", text, level


def paragraph(text: str) -> tuple[str, str, int]:
    return "paragraph", text, 0


def item(text: str) -> tuple[str, str, int]:
    return "item", text, 0


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(documents(), st.sampled_from(METHODS), st.sampled_from([(64, 0), (64, 32), (200, 31), (512, 64)]))
def test_any_document(document, method, size):
    """
    Of any document the chunks are all of it once, none is too long, and each says what it repeats.
    """
    cut(document, rule_of(method, *size))


@pytest.mark.parametrize("method", METHODS)
def test_a_word_of_a_million_characters(method):
    """
    A word of a million characters is cut within seconds, and no part is too long.
    """
    document, rule = written(paragraph("x" * 1_000_000)), rule_of(method, 512, 64)
    assert len(cut(document, rule)) > 10
    Effort().within(60, lambda: chunk(document, rule, TiktokenTokenizer(), encoding=ENCODING))


class Counting:
    """A tokenizer that counts words, and what it was given to count."""

    def __init__(self) -> None:
        self.characters = 0

    def count(self, text: str, encoding: str) -> int:
        self.characters += len(text)
        return len(text.split())


@pytest.mark.parametrize("method", METHODS)
def test_the_cost_grows_with_the_document_alone(method):
    """
    Of four times the text four times as much is counted, and no more than some times the text.
    """
    rule = rule_of(method, 800, 120)

    def counted(times: int) -> float:
        tokenizer = Counting()
        blocks = (one for number in range(times) for one in (heading(f"{number} A"), paragraph(SENTENCE * 20)))
        document = written(*blocks)
        chunk(document, rule, tokenizer, encoding=ENCODING)
        return tokenizer.characters / len(document.text)

    assert counted(400) < 1.3 * counted(100) < 15


@pytest.mark.parametrize("method", ["sliding_window", "fixed_size"])
def test_windows_overlap_as_the_table_says(method):
    """
    Windows of prose are filled, and each repeats the end of the one before, up to the overlap.
    """
    text = " ".join(f"Sentence {number} says something else." for number in range(2000))
    chunks = cut(written(paragraph(text)), rule_of(method, 800, 120))
    assert all(one.tokens > 700 for one in chunks[:-1])
    for one in chunks[1:]:
        assert 100 <= TOKENIZER.count(one.text[: one.repeats], ENCODING) <= 120


def test_section_aware_repeats_nothing_of_another_section():
    """
    The first chunk of a section repeats nothing; the next ones of it do.
    """
    document = written(heading("A"), paragraph(SENTENCE * 80), heading("B"), paragraph(SENTENCE * 80))
    chunks = cut(document, rule_of("section_aware", 384, 48))
    assert {one.path for one in chunks} == {("A",), ("B",)}
    firsts = [one for one in chunks if one.repeats == 0]
    assert [one.path for one in firsts] == [("A",), ("B",)]


def test_fields_are_whole():
    """
    A field of a record stands in one chunk, and nothing is repeated.
    """
    document = written(*(("row", f"Field {number}: " + "value " * 30, 0) for number in range(50)))
    chunks = cut(document, rule_of("field_level", 256))
    starts = {block.start for block in document.blocks}
    assert all(one.start in starts and one.repeats == 0 for one in chunks)
    assert len(chunks) < 50


def test_a_contract_is_cut_by_clauses():
    """
    A clause is a chunk of its own under the titles that it stands under, and says which clauses it refers to.
    """
    document = written(
        heading("Master agreement"),
        heading("1 Definitions", 2),
        paragraph("1.1 Limit means the amount of clause 2.1."),
        heading("2 Limits", 2),
        paragraph("2.1 Amounts. " + SENTENCE * 10),
        paragraph("(a) not above one million."),
        paragraph("2.2 Breach. Section 2.1 applies."),
    )
    chunks = cut(document, rule_of("by_clause", 1500))
    own = [document.text[one.start : one.end] for one in chunks]
    assert [text.partition(" ")[0] for text in own] == ["Master", "2", "2.2"]
    assert own[1].endswith("(a) not above one million.")
    assert chunks[2].path == ("Master agreement", "2 Limits")
    assert chunks[2].text.startswith("Master agreement\n2 Limits\n(refers to: 2.1 Amounts.")


def test_a_long_clause_says_what_it_is_in_each_part():
    """
    The parts of a clause that is too long for one chunk each begin with its header.
    """
    document = written(
        heading("7 Termination"), paragraph("7.1 Notice"), *(paragraph(SENTENCE * 20) for _ in range(10))
    )
    first, *others = cut(document, rule_of("by_clause", 500))
    assert first.repeats == 0
    assert others
    assert all(one.text.startswith("7 Termination\n") for one in others)


def test_an_exception_stays_with_its_step():
    """
    Each step is a chunk; the exceptions to it, paragraph or section, are in it.
    """
    document = written(
        heading("Booking"),
        item("1. Enter the trade."),
        paragraph("Exception: trades above the limit go to the desk head."),
        item("2. Confirm the trade."),
        heading("Exceptions", 2),
        item("1. No confirmation on holidays."),
        heading("Closing"),
        item("1. Close the day."),
    )
    chunks = cut(document, rule_of("by_step", 1200))
    own = [document.text[one.start : one.end] for one in chunks]
    assert [text.split("\n\n")[0] for text in own] == ["Booking", "2. Confirm the trade.", "Closing"]
    assert own[0].endswith("go to the desk head.")
    assert own[1].endswith("on holidays.")


def test_a_long_step_repeats_its_header():
    """
    The parts of a step that is too long begin with the step's own first line.
    """
    document = written(heading("Booking"), item("1. Enter the trade."), *(paragraph(SENTENCE * 20) for _ in range(12)))
    chunks = cut(document, rule_of("by_step", 400))
    assert all(one.text.startswith("Booking\n") for one in chunks)
    assert "1. Enter the trade." in chunks[0].text


def test_a_regulation_is_cut_by_articles():
    """
    Articles and numbered paragraphs are chunks of their own under the header of their part.
    """
    document = written(
        heading("Part I"),
        paragraph("Article 1 Scope. " + SENTENCE),
        paragraph("Article 2 Duties. " + SENTENCE),
        paragraph("More."),
    )
    chunks = cut(document, rule_of("by_article", 1000))
    assert len(chunks) == 2
    assert chunks[1].text.startswith("Part I\n\nArticle 2")
    assert chunks[1].text.endswith("More.")


def test_a_family_of_products_has_its_category_and_its_columns():
    """
    Rows of one family stand in one chunk, below the category and the columns' headers.
    """
    rows = [("row", text, 0) for text in ("Family | Product", "FX | Spot", "FX | Forward", "Rates | Swap")]
    chunks = cut(written(heading("Products"), *rows), rule_of("by_family", 600))
    assert [one.text for one in chunks] == [
        "Products\n\nFamily | Product",
        "Products\nFamily | Product\n\nFX | Spot\n\nFX | Forward",
        "Products\nFamily | Product\n\nRates | Swap",
    ]


def test_a_heading_is_not_left_behind():
    """
    A chunk does not end with a heading whose section is in the next one.
    """
    document = written(paragraph(SENTENCE * 50), heading("Next"), paragraph(SENTENCE * 50))
    for one in cut(document, rule_of("sliding_window", 700)):
        assert not one.text.endswith("Next")


def test_pages():
    """
    A chunk says on which pages its first and its last block begin.
    """
    text = "one\n\ntwo\n\nthree"
    document = ReadDocument(
        text,
        (TextBlock(0, 3, "paragraph", 0, 1), TextBlock(5, 8, "paragraph", 0, 2), TextBlock(10, 15, "paragraph", 0, 4)),
    )
    (only,) = cut(document, rule_of("sliding_window", 800, 120))
    assert (only.first_page, only.last_page) == (1, 4)


def test_nothing_of_nothing():
    """
    A document without text has no chunks.
    """
    assert all(
        chunk(ReadDocument("", ()), rule_of(method, 512), TOKENIZER, encoding=ENCODING) == () for method in METHODS
    )
