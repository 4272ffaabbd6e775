"""What a validator finds, in an officer's words."""

import pytest

from jsonschema_rs import Draft202012Validator

from gateway.policy.vetting.wording import shown, slip_of


@pytest.mark.parametrize(
    ("schema", "value", "says", "hint"),
    [
        ({"type": "integer"}, "80 %", 'the text "80 %" should be a whole number', "Did you mean 80"),
        ({"type": ["array", "null"]}, 7, "7 should be null or a list", "Write null or a list"),
        ({"enum": ["mask", "deny"]}, "maks", 'the text "maks" is none', "Did you mean mask?"),
        ({"const": "a"}, "b", "is none of what may stand here", "There are a."),
        ({"minimum": 3}, 1, "1 is out of range", "at least 3"),
        ({"exclusiveMaximum": 3}, 3, "3 is out of range", "less than 3"),
        ({"maxItems": 1}, [1, 2], "the list is too long", "at most 1"),
        ({"minProperties": 1}, {}, "too few entries", "at least 1"),
        ({"minLength": 3}, "a", "the text is too short", "at least 3"),
        ({"uniqueItems": True}, [1, 1], "stands twice", "Leave one"),
        ({"required": ["a"]}, {}, "the entry `a` is missing", "Write it"),
        ({"additionalProperties": False}, {"b": 1}, "no entry here yet", "Say in the schema"),
        ({"properties": {"a": {}}, "additionalProperties": False}, {"b": 1}, "no entry `b` here", ""),
        ({"propertyNames": {"enum": ["SG"]}}, {"GS": 1}, "none of what", "Did you mean SG?"),
        ({"multipleOf": 2}, 3, "not as its schema says", "multipleOf"),
    ],
)
def test_each_word_of_a_schema_has_a_sentence(schema, value, says, hint):
    """
    What is wrong and what was expected is said without a word of JSON Schema, as far as there is another one.
    """
    [error] = Draft202012Validator(schema).iter_errors(value)
    [slip] = slip_of(("t", *map(str, error.instance_path)), error, ())
    assert says in slip.message
    assert hint in slip.hint
    assert slip.path[0] == "t"


def test_values_are_shown_short():
    """
    A value is shown in few characters, and one of many parts not at all.
    """
    assert len(shown("x" * 10_000)) < 100
    assert len(shown(10**200)) < 100
    assert shown(None) == "`null`"
    assert shown([1]) == "a list or a table"
