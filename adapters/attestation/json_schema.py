"""Results of agents against their JSON Schemas, with jsonschema-rs (MIT; compiled, no patterns reach it)."""

from threading import Lock
from typing import Final

from jsonschema_rs import Draft202012Validator
from pydantic import JsonValue

from adapters.shared.structured import values_in
from gateway.model.contract import OutputSchema
from ledger.canonical import jcs

MOST_VALUES: Final = 20_000
"""A result of more values than this is not looked at, and so does not meet its schema."""

_MOST_COMPILED: Final = 256
"""So many schemas are kept compiled; a bundle has one for each kind of agent."""


class JsonSchemaChecker:
    """A `ResultChecker`; schemas are compiled once, whichever bundle brings them."""

    def __init__(self) -> None:
        self._compiled: dict[bytes, Draft202012Validator] = {}
        self._lock = Lock()

    def meets(self, content: JsonValue, output: OutputSchema) -> bool:
        """As the port says."""
        return values_in(content, MOST_VALUES) <= MOST_VALUES and self._validator(output).is_valid(content)

    def _validator(self, output: OutputSchema) -> Draft202012Validator:
        # By what it says and not by its name: a bundle that is activated may mean another schema by the same name.
        key = jcs(output.document)
        with self._lock:
            if key not in self._compiled:
                if len(self._compiled) >= _MOST_COMPILED:
                    self._compiled.clear()
                self._compiled[key] = Draft202012Validator(output.document)
            return self._compiled[key]
