"""Obligations on text, carried out by presidio-anonymizer."""

from collections.abc import Sequence
from typing import Final

from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import ConflictResolutionStrategy, OperatorConfig, RecognizerResult

from gateway.errors import ObligationError
from gateway.ports import Cut

_SHOWN: Final = 4
"""How many characters at the end of a masked value stay readable, if it has more than twice as many."""


def mask(value: str) -> str:
    """Stars for all letters and digits but the last few; a short value is starred out whole."""
    shown = _SHOWN if len(value) > 2 * _SHOWN else 0
    cut = len(value) - shown
    return "".join("*" if character.isalnum() else character for character in value[:cut]) + value[cut:]


class PresidioAnonymizer:
    """A `gateway.ports.Anonymizer`."""

    def __init__(self) -> None:
        self._engine = AnonymizerEngine()  # type: ignore[no-untyped-call]

    def apply(self, text: str, cuts: Sequence[Cut]) -> str:
        marked, operators = [], {}
        for cut in cuts:
            # One name per type and operator, since Presidio knows one operator per entity type.
            name = f"{cut.operator}\x00{cut.type}"
            marked.append(RecognizerResult(name, cut.start, cut.end, 1.0))
            operators[name] = _operator(cut)
        return str(
            self._engine.anonymize(
                text=text,
                analyzer_results=marked,
                operators=operators,
                conflict_resolution=ConflictResolutionStrategy.REMOVE_INTERSECTIONS,
            ).text
        )


def _operator(cut: Cut) -> OperatorConfig:
    if cut.operator == "mask":
        return OperatorConfig("custom", {"lambda": mask})
    if cut.operator == "replace":
        return OperatorConfig("replace", {"new_value": f"<{cut.type}>"})
    if cut.operator == "redact":
        return OperatorConfig("redact")
    raise ObligationError(f"the operator {cut.operator} is not known")
