"""Obligations on text, carried out by presidio-anonymizer."""

import base64

from collections.abc import Callable, Sequence
from typing import Final

from cryptography.hazmat.primitives.ciphers.aead import AESSIV
from presidio_anonymizer import AnonymizerEngine
from presidio_anonymizer.entities import ConflictResolutionStrategy, OperatorConfig, RecognizerResult

from gateway.errors import ObligationError
from gateway.model.content import Cut
from gateway.model.pseudonyms import Pseudonyms

_SHOWN: Final = 4
"""How many characters at the end of a masked value stay readable, if it has more than twice as many."""


def mask(value: str) -> str:
    """Stars for all letters and digits but the last few; a short value is starred out whole."""
    shown = _SHOWN if len(value) > 2 * _SHOWN else 0
    cut = len(value) - shown
    return "".join("*" if character.isalnum() else character for character in value[:cut]) + value[cut:]


def sealed(pseudonyms: Pseudonyms, entity: str, value: str) -> str:
    """
    The value under the tenant's key, the same every time: AES-SIV (RFC 5297), in URL-safe base 64.

    Presidio's own operator takes a random start each time, so that no request could be repeated byte for byte.
    """
    cipher = AESSIV(pseudonyms.cipher_key())
    hidden = cipher.encrypt(value.encode(errors="surrogatepass"), [entity.encode()])
    return f"<{entity}={base64.urlsafe_b64encode(hidden).decode().rstrip('=')}>"


_NAMING: Final[dict[str, Callable[[Pseudonyms, str, str], str]]] = {
    "tokenise": Pseudonyms.token,
    "hash": Pseudonyms.hashed,
    "encrypt": sealed,
}


class PresidioAnonymizer:
    """A `gateway.ports.Anonymizer`."""

    def __init__(self) -> None:
        self._engine = AnonymizerEngine()  # type: ignore[no-untyped-call]

    def apply(self, text: str, cuts: Sequence[Cut], pseudonyms: Pseudonyms) -> str:
        marked, operators = [], {}
        for cut in cuts:
            # One name per type and operator, since Presidio knows one operator per entity type.
            name = f"{cut.operator}\x00{cut.type}"
            marked.append(RecognizerResult(name, cut.start, cut.end, 1.0))
            operators[name] = _operator(cut, pseudonyms)
        return str(
            self._engine.anonymize(
                text=text,
                analyzer_results=marked,
                operators=operators,
                conflict_resolution=ConflictResolutionStrategy.REMOVE_INTERSECTIONS,
            ).text
        )


def _operator(cut: Cut, pseudonyms: Pseudonyms) -> OperatorConfig:
    if cut.operator in _NAMING:
        name = _NAMING[cut.operator]
        return OperatorConfig("custom", {"lambda": lambda value: name(pseudonyms, cut.type, value)})
    if cut.operator == "mask":
        return OperatorConfig("custom", {"lambda": mask})
    if cut.operator == "replace":
        return OperatorConfig("replace", {"new_value": f"<{cut.type}>"})
    if cut.operator == "redact":
        return OperatorConfig("redact")
    raise ObligationError(f"the operator {cut.operator} is not known")
