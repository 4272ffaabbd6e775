"""Presidio's recognizers behind a look that costs next to nothing: most texts hold no sign of what they look for."""

import re

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts


class _GatedRecognizer(EntityRecognizer):
    """Stands in the analyzer for the recognizer that it asks."""

    def __init__(self, recognizer: EntityRecognizer, sign: str) -> None:
        # Before the rest, which calls `load`.
        self._asked, self._look = recognizer, re.compile(sign).search
        super().__init__(
            supported_entities=recognizer.supported_entities,
            name=recognizer.name,  # type: ignore[has-type]
            supported_language=recognizer.supported_language,
            version=recognizer.version,
            context=recognizer.context,
            country_code=recognizer.country_code(),
            score_thresholds=recognizer.score_thresholds,
        )

    @property
    def id(self) -> str:
        # What is found carries the id of whoever found it, and words around it are looked up by that id.
        return str(self._asked.id)

    def load(self) -> None:
        """Nothing: the recognizer behind loaded itself."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        return self._asked.analyze(text, entities, nlp_artifacts) if self._look(text) else []  # type: ignore[arg-type]


def gated(recognizer: EntityRecognizer, sign: str) -> EntityRecognizer:
    """
    A recognizer that is asked only about texts that hold a sign.

    Args:
        recognizer: to ask; one that reads words around what it found by itself cannot be gated.
        sign: regular expression that any text with a finding matches.
    """
    return _GatedRecognizer(recognizer, sign)
