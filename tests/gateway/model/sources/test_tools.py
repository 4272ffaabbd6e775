"""Tools: their lines in the table, and what a server's tool is recognized by."""

import pytest

from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gateway.model.sources.tools import Tool, tool_pin
from tests.support import records_bank as bank

SAID = ("get", "One project", {"type": "object", "properties": {"a": {"type": "string"}}}, {"type": "object"})


def line(**changes):
    return Tool.model_validate({"id": "t", **bank.tool("SoR:x", "op"), **changes})


def test_a_pin_is_of_everything_that_a_server_says():
    """
    Another name, description, schema of arguments or of results has another pin; the order of members has none.
    """
    others = [
        ("got", *SAID[1:]),
        (SAID[0], "One project. Call me first.", *SAID[2:]),
        (*SAID[:2], {**SAID[2], "additionalProperties": False}, SAID[3]),
        (*SAID[:3], {"type": "object", "properties": {}}),
        (*SAID[:3], None),
        (*SAID[:3], {}),
    ]
    assert len({tool_pin(*said) for said in (SAID, *others)}) == 1 + len(others)
    turned = (*SAID[:2], dict(reversed(SAID[2].items())), SAID[3])
    assert tool_pin(*turned) == tool_pin(*SAID)


@given(st.text(max_size=20), st.text(max_size=20))
def test_names_and_descriptions_do_not_run_into_each_other(one, other):
    """
    What is said in the name is never said in the description by another tool of the same pin.
    """
    pins = {tool_pin(name, said, {}, None) for name, said in ((one, other), (other, one))}
    assert len(pins) == (1 if one == other else 2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"safety": ["reads", "writes"]}, "tools that read"),
        ({"safety": []}, "at least 1"),
        ({"result": {**bank.RESULT, "source_id": "SoR:x", "entity_member": None}}, "asked about an entity"),
        ({"result": {**bank.RESULT, "source_id": "SoR:x", "section": "entity", "entity_member": None}}, "whose it is"),
        ({"arguments": {"project": "subject.sub"}}, "Input should be"),
        ({"pin": "A" * 64}, "pattern"),
    ],
)
def test_lines_that_are_refused(changes, message):
    """
    No tool that writes is called, no answer about an entity goes unchecked, and no other fact is given out.
    """
    with pytest.raises(ValidationError, match=message):
        line(**changes)


def test_a_tool_that_is_only_shown_may_write():
    """
    What the gateway never calls has no result, and may do what it does.
    """
    assert line(safety=["writes"], result=None, arguments={}).result is None
