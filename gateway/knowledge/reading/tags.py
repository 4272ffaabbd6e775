"""What is followed through rules, and the built-in functions that it may be given to."""

from typing import Final, Literal

Tag = Literal["input", "item", "time", "made"]
"""All that is told; the item; a time or an age; a value that stands nowhere but was computed."""

Tags = frozenset[Tag]

AGES: Final = frozenset({"age_seconds", "age_days"})

NOTHING: Final[Tags] = frozenset()
KINDS: Final = frozenset(
    {"is_number", "is_string", "is_null", "is_array", "is_object", "is_set", "is_boolean", "type_name"}
)
"""Built-in functions that tell the kind of a value, which no time changes."""

CHOOSING: Final = frozenset(
    {"array.concat", "object.get", "object.keys", "min", "max", "sort", "union", "intersection"}
)
"""Built-in functions that answer with what they were given, or with members of it."""

MOMENT: Final = (
    r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?Z)?$"
)
"""A pattern that every `input.now` matches, so that asking for it says nothing of the time."""

UNFORESEEN: Final = frozenset({"http.send", "rand.intn", "uuid.rfc4122", "opa.runtime"})
"""Built-in functions whose answer does not follow from what they are given."""
