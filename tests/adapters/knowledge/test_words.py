"""Words of the languages that the bank writes in, and of hostile texts."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from adapters.knowledge.words import LONGEST, asked, terms


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The clients' obligations were disclosed in Rule 4.2", "disclosing an obligation of the client"),
        ("Bank hendaklah menilai risiko pembayaran yang dibuat oleh pelanggan", "siapa membayar?"),
        ("Pembayaran dilakukan oleh nasabah dan dicatat dalam sistem yang aman", "bayar"),
        ("风险评估必须由客户经理完成", "谁做风险评估？"),
        ("リスク評価は毎年行う", "評価"),
        ("बैंकों को ग्राहकों के जोखिमों का मूल्यांकन करना चाहिए", "ग्राहक जोखिम"),
        ("ธนาคารต้องประเมินความเสี่ยง", "ความเสี่ยง"),
        ("Kreditnehmer müssen geprüft werden", "geprüft"),
        ("ＩＢＯＲ　ﬁxing", "ibor fixing"),
    ],
)
def test_a_question_meets_its_text(text, question):
    """
    Stems, pairs of characters and folded forms are shared between a question and a text of each language.
    """
    assert set(asked(question)) & set(terms(text))


def test_words_that_say_nothing_are_left_out():
    """
    What stands in every English text does not count.
    """
    assert terms("the of and to it's") == []
    assert asked("loan the loan") == ["loan", "id:loan"]


def test_english_texts_get_no_indonesian_stems():
    """
    The second stem is for texts with function words of Malay or Indonesian alone.
    """
    assert not [term for term in terms("Payments are disclosed to members of the board.") if term.startswith("id:")]


@given(st.text(max_size=300))
def test_any_text_has_terms(text):
    """
    No text breaks it; no term is longer than a word may be, and a question has each once.
    """
    assert all(0 < len(term) <= LONGEST + 10 for term in terms(text))
    assert len(set(asked(text))) == len(asked(text))
