"""What our recognizers answer with."""

from presidio_analyzer import RecognizerResult

from adapters.screening.presidio.recognizers.results import result
from adapters.screening.presidio.recognizers.sg_nric import NricRecognizer


def test_a_result_names_its_recognizer():
    """
    The analyzer asks a result which recognizer it is by, to find the words that name its kind.
    """
    recognizer = NricRecognizer()
    made = result(recognizer, 3, 12, 0.9)
    assert (made.entity_type, made.start, made.end, made.score) == ("SG_NRIC_FIN", 3, 12, 0.9)
    assert made.recognition_metadata[RecognizerResult.RECOGNIZER_IDENTIFIER_KEY] == recognizer.id
    assert recognizer.id != NricRecognizer().id
