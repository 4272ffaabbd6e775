"""Recognizers that are asked only where there is a sign."""

from presidio_analyzer.predefined_recognizers import IpRecognizer

from adapters.screening.presidio.recognizers.gated import gated
from tests.support.recognizing import found


def test_only_a_sign_opens_the_gate():
    """
    A text without the sign is not read at all; with it the answer is the recognizer's own.
    """
    asked, plain = [], IpRecognizer()
    inner = IpRecognizer()
    analyze = inner.analyze
    inner.analyze = lambda text, *more: asked.append(text) or analyze(text, *more)
    recognizer = gated(inner, r"\d\.")
    assert (recognizer.id, recognizer.name) == (inner.id, inner.name)
    assert recognizer.get_supported_entities() == inner.get_supported_entities()
    for text in ("host 10.0.0.1 answered", "no digits here", "3.5 per cent"):
        assert found(recognizer, text) == found(plain, text)
    assert asked == ["host 10.0.0.1 answered", "3.5 per cent"]
