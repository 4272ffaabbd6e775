"""Where in a JSON text its values stand."""

import json

import pytest

from hypothesis import given
from hypothesis import strategies as st

from gateway.content.leaves import OF_NAME, leaves
from gateway.content.positions import values

DOCUMENTS = st.recursive(
    st.integers(-999, 999) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
).filter(lambda value: isinstance(value, dict | list))


@given(DOCUMENTS, st.booleans(), st.sampled_from([None, 2]))
def test_every_leaf_is_found_where_it_stands(document, ascii_only, indent):
    """
    However the document is spelled, each leaf has its text, and the whole of it spans what stands in the document for it.
    """
    text = json.dumps(document, ensure_ascii=ascii_only, indent=indent)
    placed = values(text)
    for leaf in leaves(document):
        value = placed[leaf.path]
        assert value.text == leaf.text
        start, end = value.span(0, len(value.text))
        assert json.loads(f'"{text[start:end]}"') == leaf.text


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
