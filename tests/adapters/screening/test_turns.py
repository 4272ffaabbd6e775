"""Whose job is next: who had the least processor time."""

import asyncio
import time

from hypothesis import given
from hypothesis import strategies as st

from adapters.screening.turns import STANDS_BACK_SECONDS, Job, Turns
from tests.support.scans import spinning


def job_of(tenant: str, number: int = 0) -> Job:
    """A job that nobody waits for."""
    loop = asyncio.new_event_loop()
    loop.close()
    return Job(number, tenant, spinning, (), asyncio.Future(loop=loop))


def test_small_turns_of_one_tenant_weigh_no_more_than_a_large_one_of_another():
    """
    Somebody with ten small jobs waits for one turn of another's large one, and not for one after each.
    """
    turns = Turns()
    large, small = job_of("large"), [job_of("small", number) for number in range(10)]
    turns.add(large)
    assert turns.take(None) is large
    for job in small:
        turns.add(job)
    turns.add(large)
    turns.took("large", 0.02)
    for job in small:
        assert turns.take(None) is job
        turns.took("small", 0.001)
    assert turns.take(None) is large


def test_a_tenant_that_was_away_gets_nothing_for_it():
    """
    Whoever comes anew goes first, and from then on has as much as the other, not what it did not use before.
    """
    turns, served = Turns(), []
    turns.add(job_of("old"))
    for _ in range(50):
        turns.take(None)
        turns.took("old", 0.02)
        turns.add(job_of("old"))
    turns.add(job_of("new"))
    for _ in range(10):
        tenant = turns.take(None).tenant
        served.append(tenant)
        turns.took(tenant, 0.02)
        turns.add(job_of(tenant))
    assert abs(served.count("new") - served.count("old")) <= 2


def test_what_takes_many_turns_stands_back_behind_what_has_just_begun():
    """
    While a job of another tenant is in its first turn, one that was laid aside is passed over, for a while; one of the same
    tenant is not, and one that no worker has begun is not either.
    """
    turns = Turns()
    large = job_of("large")
    large.home, large.laid_aside = "worker", time.monotonic()
    turns.add(large)
    assert turns.take("worker", begun={"small"}) is None
    assert turns.take("worker", begun={"large"}) is large
    large.laid_aside -= STANDS_BACK_SECONDS
    turns.add(large)
    assert turns.take("worker", begun={"small"}) is large
    turns.add(fresh := job_of("large"))
    assert turns.take("worker", begun={"small"}) is fresh


@given(st.lists(st.floats(0, 0.05), min_size=1, max_size=60))
def test_two_that_always_wait_have_as_much_time(seconds):
    """
    However long their turns are, neither is ahead of the other by more than its last turn.
    """
    turns, had = Turns(), {"a": 0, "b": 0}
    turns.add(job_of("a"))
    turns.add(job_of("b"))
    for each in seconds:
        tenant = turns.take(None).tenant
        turns.took(tenant, each)
        had[tenant] += each
        turns.add(job_of(tenant))
        # Beside the turn, what rounding up to whole milliseconds adds.
        assert abs(had["a"] - had["b"]) <= 0.05 + 0.001 * len(seconds)
