"""Where in a JSON text each value stands."""

import json

from hypothesis import given
from hypothesis import strategies as st

from gateway.content.leaves import leaves
from gateway.content.positions import values


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
