"""Names that nothing else has."""

from hypothesis import given
from hypothesis import strategies as st

from gateway.content.unique import unique

names = st.text("ab'", max_size=4)


@given(names, st.sets(names, max_size=12), st.sampled_from(["'", "@library"]))
def test_a_name_that_nothing_has(name, taken, suffix):
    """
    The answer is free, is the name itself where that is free, and has no suffix more than it needs.
    """
    found = unique(name, taken, suffix)
    more, rest = divmod(len(found) - len(name), len(suffix))
    assert rest == 0
    assert found == name + more * suffix
    assert found not in taken
    assert all(name + fewer * suffix in taken for fewer in range(more))
