"""A long text in a few of its own sentences."""

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from gateway.content.extract import GAP, extract, sentences


@given(st.text(max_size=600), st.integers(1, 200))
@hypothesis_settings(max_examples=300)
def test_a_digest_is_made_of_what_was_said(text, characters):
    """
    A digest is no longer than asked, the same every time, and everything in it stands in the text.
    """
    made = extract(text, characters)
    assert made == extract(text, characters)
    if len(text) > characters:
        assert len(made) <= characters + len(GAP)
        for part in made.split("[…]"):
            assert all(sentence in text for sentence in sentences(part.strip()))


def test_it_keeps_what_weighs():
    """
    Figures and what is often spoken of stay; asides go.
    """
    text = (
        "The credit limit of the desk is 50 million. It rained on Tuesday. The credit limit was last reviewed by the desk"
        " head in March 2026. Somebody brought cake for all of us there. The desk asked for the credit limit to be raised."
    )
    made = extract(text, 150)
    assert "50 million" in made
    assert "cake" not in made
