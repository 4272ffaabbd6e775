"""Presidio's recognizers behind a look that costs next to nothing: most texts hold no sign of what they look for."""

import re

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts


def gated(recognizer: EntityRecognizer, sign: str) -> EntityRecognizer:
    """
    The recognizer, asked only about texts that hold a sign.

    Args:
        recognizer: to ask.
        sign: regular expression that any text with a finding matches.
    """
    look, analyze = re.compile(sign).search, recognizer.analyze

    def gate(text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None) -> list[RecognizerResult]:
        return analyze(text, entities, nlp_artifacts) if look(text) else []  # type: ignore[arg-type]

    recognizer.analyze = gate  # type: ignore[method-assign]
    return recognizer
