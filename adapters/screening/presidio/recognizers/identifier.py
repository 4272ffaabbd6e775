"""
Identifiers: a form, a check and the words that name them.

Presidio's own `PatternRecognizer` gives every value that passes its check the highest score, so that one in eleven
order numbers becomes a tax number.  Here a passed check is evidence, more of it for letters and brackets than for
bare digits, and the words around the value decide the rest (`adapters.screening.presidio.context`).
"""

import re

from collections.abc import Callable, Sequence
from typing import Final

from presidio_analyzer import EntityRecognizer, RecognizerResult
from presidio_analyzer.nlp_engine import NlpArtifacts

from adapters.screening.presidio.recognizers.results import result

CERTAIN: Final = 0.9
"""The form alone is told from any reference: letters or brackets in fixed places, and a check that passed."""

LIKELY: Final = 0.6
"""A check passed over a form that references have too."""

BARE: Final = 0.45
"""Bare digits whose check passed: enough by itself, not beside a word that names a reference."""

WEAK: Final = 0.2
"""The form alone: only beside a word that names it."""

LEFT: Final = r"(?<![A-Za-z0-9])(?<![A-Za-z0-9][-./_])"
RIGHT: Final = r"(?![A-Za-z0-9])(?![-./_][A-Za-z0-9])"
"""A value stands alone; it is not a part of a longer code."""

_BESIDE: Final = (r"(?<![A-Za-z0-9])(?<![A-Za-z0-9][-_])", r"(?![A-Za-z0-9])(?![._][A-Za-z0-9])")
"""Borders of a value that form and check tell from a part of a code: "No.S1234567D", "S1234567D/T7654321A", "S1234567D-Tan"."""


class IdentifierRecognizer(EntityRecognizer):
    """Values of one form, scored by whether their check passes."""

    def __init__(
        self,
        entity: str,
        form: str,
        *,
        context: Sequence[str],
        check: Callable[[str], bool] = lambda _: False,
        passed: float = LIKELY,
        failed: float = WEAK,
        prepare: Callable[[str], str] | None = None,
    ) -> None:
        """
        Args:
            entity: the type that is found.
            form: regular expression of a value, without its borders.
            context: words that name the value.
            check: whether a value, prepared, is well-formed.
            passed: score of a value that passes.
            failed: score of one that does not; 0 leaves it out.
            prepare: what is done to a value before its check; its letters made upper and its separators dropped, unless
                said otherwise.
        """
        self._form = re.compile(LEFT + f"(?:{form})" + RIGHT)
        self._beside = re.compile(_BESIDE[0] + f"(?:{form})" + _BESIDE[1]) if passed >= CERTAIN else None
        self._check = check
        self._passed = passed
        self._failed = failed
        self._prepare = prepare or compact
        super().__init__(supported_entities=[entity], name=f"{entity} recognizer", context=list(context))

    def load(self) -> None:
        """Nothing to load."""

    def analyze(
        self, text: str, entities: list[str], nlp_artifacts: NlpArtifacts | None = None
    ) -> list[RecognizerResult]:
        found = {match.span(): self._score(match.group()) for match in self._form.finditer(text)}
        # What a stop, a slash or a dash ties to a word is mostly a part of a code, but for a value that only a person has.
        for match in self._beside.finditer(text) if self._beside else ():
            if self._check(self._prepare(match.group())):
                found.setdefault(match.span(), self._passed)
        return [result(self, start, end, score) for (start, end), score in sorted(found.items()) if score]

    def _score(self, value: str) -> float:
        return self._passed if self._check(self._prepare(value)) else self._failed


def compact(value: str) -> str:
    """A value without separators, its letters upper."""
    return "".join(character for character in value.upper() if character.isalnum())


def digits_of(value: str) -> list[int]:
    """The digits of a value that consists of digits."""
    return [int(character) for character in value]


def luhn(value: str) -> bool:
    """Whether a run of digits passes the Luhn check (ISO/IEC 7812-1 annex B)."""
    total = 0
    # From the right, where the check digit stands: which digits are doubled hangs on how far they are from it, and numbers
    # have many lengths.
    for index, digit in enumerate(reversed(digits_of(value))):
        counted = digit if index % 2 == 0 else digit * 2
        total += counted - 9 if counted > 9 else counted
    return total % 10 == 0


def weighted(value: str, weights: Sequence[int]) -> int:
    """The sum of the digits of a value, each times its weight."""
    return sum(digit * weight for digit, weight in zip(digits_of(value), weights, strict=True))
