"""Where in a JSON text its values stand."""

import json

import pytest

from hypothesis import given
from hypothesis import strategies as st

from gateway.content.json_offsets import values
from gateway.content.leaves import OF_NAME, leaves


def test_a_stretch_of_an_escaped_value():
    """
    A stretch of a value is found in the text also where letters before it are escaped, surrogate pairs included.
    """
    text = r'{"a": "\ud83d\ude00\n4111 1111"}'
    value = values(text)["/a"]
    start = value.text.index("4111")
    assert text[slice(*value.span(start, start + 9))] == "4111 1111"


def test_names_have_places_too():
    """
    The name of a field is found under its own path.
    """
    text = '{"kelvin@bank.example": [1, 22]}'
    placed = values(text)
    assert text[slice(*placed[f"/kelvin@bank.example{OF_NAME}"].span(0, 6))] == "kelvin"
    assert text[slice(*placed["/kelvin@bank.example/1"].span(0, 2))] == "22"


def test_an_empty_stretch_is_nowhere():
    """
    A stretch without letters spans nothing.
    """
    assert values('{"a": "xy"}')["/a"].span(1, 1) == (0, 0)


def test_a_name_that_is_no_string():
    """
    Where a name is missing the text is no document, which is said rather than guessed around.
    """
    with pytest.raises(ValueError, match="string"):
        values("{1: 2}")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=12),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
        max_leaves=20,
    ).filter(lambda value: isinstance(value, dict | list)),
    st.booleans(),
)
def test_every_value_of_a_json_text_is_placed(document, ascii_only):
    """
    The place of a value in a JSON text holds that value, also through escapes.
    """
    text = json.dumps(document, ensure_ascii=ascii_only, indent=1)
    placed = values(text)
    for leaf in leaves(text):
        value = placed[leaf.path]
        assert value.text == leaf.text
        if leaf.text:
            start, end = value.span(0, len(leaf.text))
            assert leaf.text in {text[start:end], json.loads(f'"{text[start:end]}"')}
