"""The most worth that fits."""

import itertools

import pytest

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from gateway.selection.knapsack import best


@given(
    st.lists(st.tuples(st.integers(0, 100), st.integers(0, 40)), max_size=9),
    st.integers(0, 120),
    st.sampled_from([20_000, 5]),
)
@hypothesis_settings(max_examples=400)
def test_nothing_fits_better(things, room, effort):
    """
    With enough effort no other choice that fits is worth more; with little the bound still holds.
    """
    values, weights = [float(value) for value, _ in things], [weight for _, weight in things]
    packed = best(values, weights, room, effort=effort)
    assert sum(weights[index] for index in packed.chosen) <= room
    most = max(
        sum(values[index] for index in some)
        for count in range(len(things) + 1)
        for some in itertools.combinations(range(len(things)), count)
        if sum(weights[index] for index in some) <= room
    )
    assert packed.value <= most + 1e-9 <= packed.bound + 2e-9
    if effort > 5:
        assert packed.value == pytest.approx(most)
