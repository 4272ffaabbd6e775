"""What our own recognizers answer with."""

from presidio_analyzer import EntityRecognizer, RecognizerResult


def result(recognizer: EntityRecognizer, start: int, end: int, score: float) -> RecognizerResult:
    """A result that Presidio can trace back to its recognizer."""
    identity = {
        RecognizerResult.RECOGNIZER_NAME_KEY: type(recognizer).__name__,
        RecognizerResult.RECOGNIZER_IDENTIFIER_KEY: recognizer.id,
    }
    [entity] = recognizer.supported_entities
    return RecognizerResult(entity, start, end, score, recognition_metadata=identity)
