"""Workers that hang, die or fail: an error for what was not screened, and fresh workers for the next call."""

import os
import signal
import time

import pytest

from adapters.screening.workers import WorkerPool, shared_out
from gateway.errors import DetectorTimeoutError, DetectorUnavailableError
from gateway.model.content import Leaf


def sleepy(items, seconds, marker=None):
    time.sleep(seconds)
    if marker is not None:
        marker.touch()
    return [[] for _ in items]


def deadly(items):
    os._exit(1)


def failing(items):
    raise KeyError("S8421753F")


def told(items):
    """One finding's worth for every item: the text it was asked about."""
    return [[leaf.text for leaf in item] for item in items]


def nothing():
    """Workers of these tests load no detectors."""


def not_there():
    raise OSError("no such model")


def pool_of(workers, warm=nothing):
    return WorkerPool(workers=workers, timeout_seconds=60, warm=warm, args=())


class TestWorkers:
    async def test_a_call_that_takes_too_long(self, tmp_path):
        """
        A slow call is an error before it ends, its worker does not live to end it, and the next call gets fresh workers.
        """
        pool = pool_of(1)
        await pool.ready()
        pool._timeout = 0.3
        [worker] = pool._pool._processes.values()
        with pytest.raises(DetectorTimeoutError):
            await pool.scan(sleepy, [[Leaf("x")]], 30, tmp_path / "ended")
        worker.join()
        # Whoever of the pool and of this test waits for it first learns how it ended; that it is gone both can see.
        assert worker.exitcode in {-signal.SIGKILL, None}
        with pytest.raises(ProcessLookupError):
            os.kill(worker.pid, 0)
        assert not (tmp_path / "ended").exists()
        pool._timeout = 60
        assert await pool.scan(sleepy, [[Leaf("x")]], 0) == [[]]
        pool.close()

    async def test_a_worker_that_dies(self):
        """
        A dead worker is an error for what it held, and the next call gets fresh workers.
        """
        pool = pool_of(1)
        with pytest.raises(DetectorUnavailableError):
            await pool.scan(deadly, [[Leaf("x")]])
        assert await pool.scan(sleepy, [[Leaf("x")]], 0) == [[]]
        pool.close()

    async def test_a_detector_that_fails(self):
        """
        Whatever a detector raises, the item was not screened; the error says nothing of the item.
        """
        pool = pool_of(0)
        with pytest.raises(DetectorUnavailableError) as caught:
            await pool.scan(failing, [[Leaf("x")]])
        assert "S8421753F" not in str(caught.value)
        pool.close()

    async def test_workers_that_do_not_start(self):
        """
        A model that is not there is found at start.
        """
        pool = pool_of(0, warm=not_there)
        with pytest.raises(DetectorUnavailableError):
            await pool.ready()
        pool.close()

    async def test_answers_come_in_order(self):
        """
        Items that were shared out over several workers are answered each in its own place.
        """
        pool = pool_of(2)
        items = [[Leaf(f"{n}" * (n % 7 + 1))] for n in range(30)]
        assert await pool.scan(told, items) == [[leaf.text] for [leaf] in items]
        assert await pool.scan(told, []) == []
        pool.close()

    def test_shares_keep_the_order(self):
        """
        Work is spread by the amount of text, and put together again in order.
        """
        items = [[Leaf("x" * size)] for size in (10, 500, 10, 10, 500)]
        for count in (1, 2, 3, 9):
            shares = shared_out(items, count)
            assert items == [item for share in shares for item in share]
            assert len(shares) <= count

    def test_no_share_is_much_larger_than_another(self):
        """
        Of many items of one size each worker gets about as many.
        """
        shares = shared_out([[Leaf("x" * 100)] for _ in range(100)], 4)
        assert [len(share) for share in shares] == [25, 25, 25, 25]
