"""Results of tools against the schemas of their servers."""

from itertools import pairwise

import pytest

from adapters.shared.result_schemas import MOST_STEPS, ResultSchema, SchemaRefusedError

PROJECT = {
    "type": "object",
    "properties": {"number": {"type": "string", "pattern": "^NPA-[0-9]+$"}, "owner": {"$ref": "#/$defs/Person"}},
    "required": ["number"],
    "$defs": {"Person": {"type": "object", "properties": {"name": {"type": "string"}}}},
}


def nested(levels):
    """A schema that is small, and large once it is written out."""
    names = [f"d{level}" for level in range(levels)]
    definitions = {a: {"anyOf": [{"$ref": f"#/$defs/{b}"}] * 4} for a, b in pairwise(names)}
    return {"$ref": "#/$defs/d0", "$defs": {**definitions, names[-1]: {"type": "string"}}}


class TestResultSchema:
    @pytest.mark.parametrize(
        ("content", "fits"),
        [
            ({"number": "NPA-1", "owner": {"name": "A"}}, True),
            ({"number": "NPA-x"}, False),
            ({"number": "NPA-1", "owner": {"name": 1}}, False),
            ({}, False),
            ([], False),
        ],
    )
    def test_a_result_is_as_the_schema_says(self, content, fits):
        """
        Types, patterns and definitions count.
        """
        assert ResultSchema(PROJECT).fits(content) is fits

    @pytest.mark.parametrize(
        "schema",
        [
            {"$ref": "http://127.0.0.1:9/schema.json"},
            {"$ref": "file:///etc/passwd"},
            {"properties": {"a": {"$ref": "#"}}},
            {"$ref": "#/$defs/a", "$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}},
            {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
            {"$ref": "#/$defs/none"},
            {"$dynamicRef": "#a"},
            {"$id": "http://evil.example/", "$ref": "x"},
            {"unevaluatedProperties": False},
            {"$schema": "http://json-schema.org/draft-04/schema#"},
            {"type": "nothing"},
            {"pattern": "(?=a)b"},
            {"pattern": "((a{1000}){1000}){1000}"},
            nested(8),
        ],
    )
    def test_what_could_cost_too_much_or_mean_something_else_is_refused(self, schema):
        """
        A schema that fetches, that contains itself, that grows when written out, or whose patterns may take long, is no schema here.
        """
        with pytest.raises(SchemaRefusedError):
            ResultSchema(schema)

    def test_a_deep_schema_is_refused(self):
        """
        Nesting ends in a refusal, not in a crash.
        """
        schema = {}
        for _ in range(5_000):
            schema = {"items": schema}
        with pytest.raises(SchemaRefusedError):
            ResultSchema(schema)

    def test_a_result_that_would_take_long_does_not_fit(self):
        """
        The product of the schema's parts and the result's values is bounded: a result beyond it is not looked at.
        """
        schema = {"items": nested(4)}
        schema["$defs"] = schema["items"].pop("$defs")
        checked = ResultSchema(schema)
        assert checked.fits(["x"] * 100)
        assert not checked.fits(["x"] * (MOST_STEPS // 80))
