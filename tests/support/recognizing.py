"""One recognizer, asked about one text, without the words around a value that the analyzer counts in."""

from presidio_analyzer import EntityRecognizer


def found(recognizer: EntityRecognizer, text: str) -> dict[str, float]:
    """What a recognizer finds: each stretch of the text with its score."""
    results = recognizer.analyze(text, recognizer.supported_entities, None)  # type: ignore[arg-type]
    return {text[one.start : one.end]: one.score for one in results}
