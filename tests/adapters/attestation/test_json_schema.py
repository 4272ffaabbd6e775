"""Results of agents against their schemas."""

from typing import Any

import pytest

from pydantic import ValidationError

from adapters.attestation.json_schema import MOST_VALUES, JsonSchemaChecker
from gateway.model.contract import MOST_DEPTH, MOST_SCHEMAS, OutputSchema, Schema
from tests.support.packing import REGISTRY

CHECKER = JsonSchemaChecker()
GOOD: dict[str, dict[str, Any]] = {
    "classification": {"agent": "CLASSIFIER", "classification": "NEW_TO_GROUP", "confidence": 0.92},
    "autofill": {"agent": "AUTOFILL", "filled": 214, "of": 339},
    "ideation": {"agent": "IDEATION", "proposal": "A deposit."},
    "assessment": {"agent": "RISK", "summary": "Fine.", "more": [1, {"a": None}]},
    "review": {"agent": "ORM_REVIEWER", "verdict": "CONFIRMED"},
}


def output(**words):
    return OutputSchema(id="x", schema_=Schema.model_validate(words))


def test_every_shipped_schema_has_a_result_that_meets_it():
    """
    The shipped schemas are met by a result of their kind and by nothing of another kind.
    """
    assert GOOD.keys() == REGISTRY.outputs.keys()
    for name, schema in REGISTRY.outputs.items():
        assert {other for other, result in GOOD.items() if CHECKER.meets(result, schema)} == {name}


@pytest.mark.parametrize(
    "content",
    [
        {"agent": "EVIL", "classification": "banana", "confidence": 7},
        {**GOOD["classification"], "classification": "banana"},
        {**GOOD["classification"], "confidence": 7},
        {**GOOD["classification"], "confidence": True},
        {**GOOD["classification"], "agent": "x" * 65},
        {"classification": "VARIATION", "confidence": 1},
        "classification: banana",
        [GOOD["classification"]],
        None,
    ],
)
def test_what_is_no_classification(content):
    """
    A result of another kind, with a value that is none or without a member that must be there, does not meet the schema.
    """
    assert not CHECKER.meets(content, REGISTRY.outputs["classification"])


@pytest.mark.parametrize(
    ("words", "good", "bad"),
    [
        ({"type": "array", "minItems": 1, "maxItems": 2}, [[1], [1, 2]], [[], [1, 2, 3], {}]),
        ({"items": {"type": "integer"}}, [[1, 2], "no list"], [["a"]]),
        ({"type": "string", "minLength": 2, "maxLength": 3}, ["ab", "abc"], ["a", "abcd", 1]),
        ({"const": None}, [None], [0, "", []]),
        ({"properties": {"a": {}}, "additionalProperties": False}, [{"a": 1}, {}], [{"b": 1}]),
        ({"type": "number", "minimum": 0.5, "maximum": 2}, [0.5, 2], [0, 3]),
    ],
)
def test_every_word_means_what_it_means_in_json_schema(words, good, bad):
    """
    Each word that a schema may have is looked at.
    """
    schema = output(**words)
    assert all(CHECKER.meets(content, schema) for content in good)
    assert not any(CHECKER.meets(content, schema) for content in bad)


@pytest.mark.parametrize(
    "words",
    [
        {"pattern": "^(a+)+$"},
        {"properties": {"a": {"patternProperties": {"(a+)+": {}}}}},
        {"$ref": "https://elsewhere.example/schema.json"},
        {"items": {"$ref": "#"}},
        {"format": "regex"},
        {"anyOf": [{}, {}]},
        {"type": "banana"},
        {"minimum": "0"},
        {"enum": []},
        {"maxLength": -1},
    ],
)
def test_a_schema_that_could_cost_more_than_its_content_is_refused(words):
    """
    Patterns, references, combinations and words that are none are refused when the registry is read.
    """
    with pytest.raises(ValidationError):
        output(**words)


def test_a_schema_has_bounds():
    """
    Neither too deep nor too large.
    """
    deep = {}
    for _ in range(MOST_DEPTH):
        deep = {"items": deep}
    for words in (deep, {"properties": {f"m{number}": {} for number in range(MOST_SCHEMAS)}}):
        with pytest.raises(ValidationError, match="parts"):
            output(**words)


def test_a_huge_result_is_not_looked_at():
    """
    A result of more values than the bound does not meet its schema, whatever the schema; one within it may.
    """
    anything = output()
    assert CHECKER.meets([0] * (MOST_VALUES - 1), anything)
    assert not CHECKER.meets([0] * MOST_VALUES, anything)
    assert not CHECKER.meets({"a": [{"b": 0}] * MOST_VALUES}, anything)


def test_another_schema_by_the_same_name_is_another():
    """
    What was compiled for one bundle does not answer for another.
    """
    assert CHECKER.meets(1, output(type="integer"))
    assert not CHECKER.meets(1, output(type="string"))
