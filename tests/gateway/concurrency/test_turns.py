"""Who is next."""

import pytest

from hypothesis import given
from hypothesis import strategies as st

from gateway.concurrency.turns import Waiting


def test_tenants_take_turns():
    """
    One that brought much before the other waits behind itself.
    """
    waiting = Waiting[str]()
    for number in range(3):
        waiting.put("a", f"a{number}")
    waiting.put("b", "b0")
    assert [waiting.take(waiting.next()) for _ in range(4)] == ["a0", "b0", "a1", "a2"]


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers())))
def test_everyone_is_served_once_in_the_order_of_their_line(put):
    """
    Whatever waits comes out once, and each tenant's in the order in which it came; then nobody waits.
    """
    waiting = Waiting[tuple[str, int]]()
    for tenant, number in put:
        waiting.put(tenant, (tenant, number))
    assert len(waiting) == len(put)
    taken = [waiting.take(waiting.next()) for _ in put]
    for tenant in "abc":
        assert [one for one in taken if one[0] == tenant] == [one for one in put if one[0] == tenant]
    assert waiting.next() is None
    with pytest.raises(KeyError):
        waiting.take("a")


def test_a_tenant_can_be_passed_over():
    """
    Then the next one has its turn, and keeps it out of order; where all are passed over, nobody has.
    """
    waiting = Waiting[str]()
    waiting.put("a", "a0")
    waiting.put("b", "b0")
    assert waiting.next({"a"}) == "b"
    assert waiting.next({"a", "b"}) is None
