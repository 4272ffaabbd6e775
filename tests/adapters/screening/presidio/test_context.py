"""Words near a finding, for it and against it."""

import pytest

from presidio_analyzer import RecognizerResult

from adapters.screening.presidio.context import BEFORE, BOOST, LABEL, PENALTY, WindowContextEnhancer, is_reference
from adapters.screening.presidio.recognizers.results import result
from adapters.screening.presidio.recognizers.tw_ubn import TaiwanUbnRecognizer

VALUE = "04595257"


def enhanced(text, score, *, field="", entity=None):
    """The score of the value in a text, once the words near it were counted in."""
    recognizer = TaiwanUbnRecognizer()
    start = text.index(VALUE)
    one = result(recognizer, start, start + len(VALUE), score)
    if entity:
        one = RecognizerResult(entity, start, start + len(VALUE), score, recognition_metadata=one.recognition_metadata)
    enhancer = WindowContextEnhancer()
    [answer] = enhancer.enhance_using_context(text, [one], None, [recognizer], [field])
    return round(answer.score, 4)


class TestFor:
    @pytest.mark.parametrize("text", ["UBN 04595257", "the ubn: 04595257", "04595257 (UBN)", "統一編號 04595257"])
    def test_a_word_that_names_it(self, text):
        """
        A word before or after a finding raises its score, in any case and language.
        """
        assert enhanced(text, 0.45) == 0.45 + BOOST

    def test_never_below_the_threshold(self):
        """
        However weak the form, with its word it is a finding.
        """
        assert enhanced("UBN 04595257", 0.01) == 0.4

    @pytest.mark.parametrize(("score", "reach"), [(0.45, BEFORE), (0.2, LABEL)])
    def test_how_far_a_word_reaches(self, score, reach):
        """
        A doubtful finding needs its word nearer than a likely one.
        """
        near, far = ("UBN" + " " * gap + VALUE for gap in (reach - 4, reach + 1))
        assert enhanced(near, score) > score
        assert enhanced(far, score) == score

    def test_a_part_of_a_word_names_nothing(self):
        """
        The letters of a word within another are not the word.
        """
        assert enhanced("suburban ubnx 04595257", 0.45) == 0.45

    def test_the_name_of_its_field(self):
        """
        The name of the field that a value stands in counts as a word beside it.
        """
        assert enhanced("04595257", 0.45, field="company ubn") == 0.8

    def test_the_head_of_its_column(self):
        """
        In a table the head of its own column counts, and not that of another or a neighbouring cell.
        """
        assert enhanced("| name | ubn |\n|---|---|\n| Acme | 04595257 |", 0.45) == 0.8
        assert enhanced("| ubn | amount |\n|---|---|\n| 1 ubn | 04595257 |", 0.45) <= 0.45
        assert enhanced("| a |\n| 1 | 04595257 |", 0.45) == 0.45


class TestAgainst:
    @pytest.mark.parametrize(
        ("text", "field"),
        [
            ("order no. 04595257", ""),
            ("Batch: 04595257", ""),
            ("invoice #04595257", ""),
            ("04595257 rows", ""),
            ("04595257ms", ""),
            ("04595257", "order id"),
            ("04595257", "created at"),
        ],
    )
    def test_references_and_counts(self, text, field):
        """
        A word for a reference right before it, a unit behind it or the name of its field counts against it.
        """
        start = text.index(VALUE)
        assert is_reference(text, start, start + len(VALUE), field)
        assert enhanced(text, 0.45, field=field) == round(0.45 - PENALTY, 4)

    @pytest.mark.parametrize(
        "text", ["border 04595257", "order it from 04595257 there", "04595257 men", "We verified 04595257"]
    )
    def test_other_words(self, text):
        """
        The letters of such a word within another, or further away, count nothing.
        """
        start = text.index(VALUE)
        assert not is_reference(text, start, start + len(VALUE), "")

    def test_a_name_outweighs_a_reference(self):
        """
        Where both a word for it and a reference are near, it is what its word says.
        """
        assert enhanced("UBN on invoice no. 04595257", 0.45) == 0.8

    def test_bare_digits_are_never_certain(self):
        """
        A check over bare digits that Presidio takes for certain is bounded, and is nothing within a code.
        """
        assert enhanced("sum of 3: 04595257", 1.0, entity="AU_TFN") == 0.45
        assert enhanced("ABC-04595257", 1.0, entity="AU_TFN") == 0.0
        assert enhanced("it is 04595257", 1.0, entity="OTHER") == 1.0
