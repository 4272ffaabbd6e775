from gateway.workbench.proving.formulas.inputs import InputSchema, fits
from gateway.workbench.proving.formulas.terms import TRUE, Index, negated, some_text
from gateway.workbench.proving.formulas.values import Entries, Known, Text, Truth

ZONE = {"properties": {"zone": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "required": ["zone"]}


def test_a_fact_that_may_be_null_is_one_or_the_other():
    """Exactly one alternative of a fact holds, and a fact that the schema lacks has none."""
    schema = InputSchema(ZONE)
    known, nothing = schema.field(schema.everything(), "zone")
    assert isinstance(known.atom, Text)
    assert nothing.atom == Known(None)
    assert nothing.guard is negated(known.guard)
    assert schema.field(schema.everything(), "zome") == []
    assert fits("HK", known.atom)
    assert not fits(None, known.atom)
    assert known.guard is not TRUE


def test_an_object_whose_names_are_open_has_entries_of_any_name():
    """Of an entry the name is a text that nobody knows, and the value is what the schema says of every one."""
    labels = {"type": "object", "additionalProperties": {"anyOf": [{"type": "string"}, {"type": "boolean"}]}}
    schema = InputSchema({"properties": {"labels": labels}, "required": ["labels"]})
    (found,) = schema.field(schema.everything(), "labels")
    assert isinstance(found.atom, Entries)
    index = Index(("labels",), 0)
    name, values = schema.entry(found.atom, index)
    assert name == Text(some_text("labels", index, "@name"))
    assert [type(one.atom) for one in values] == [Text, Truth]
    assert fits({"any": "word"}, found.atom)
    assert not fits([], found.atom)
