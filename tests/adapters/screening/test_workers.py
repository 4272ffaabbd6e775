"""
Workers under load, and workers that hang, die or fail: a job's end is its own.

Processes are real; what happens when is settled by files that a scan and its test wait for, never by a clock.
"""

import asyncio
import os
import signal
import subprocess
import sys
import time

from pathlib import Path

import pytest

from adapters.screening.workers import WorkerPool, shared_out
from gateway.errors import DetectorTimeoutError, DetectorUnavailableError, ScreeningTooCostlyError
from gateway.model.content import Leaf
from gateway.settings import HOME
from tests.support.scans import (
    deadly,
    failing,
    hanging,
    leaving,
    no_models,
    not_there,
    spinning,
    spinning_in_steps,
    stepping,
    texts,
)

X = [[Leaf("x")]]


def pool_of(workers, warm=no_models, timeout=60.0, turn=0.0):
    """A pool whose jobs are laid aside at every pause."""
    return WorkerPool(workers=workers, timeout_seconds=timeout, warm=warm, args=(), turn_seconds=turn)


async def there(sign):
    """Wait for a file."""
    while not sign.exists():
        await asyncio.sleep(0.005)


async def waits(pool, jobs):
    """Wait until so many jobs wait for their turn."""
    while pool.waiting != jobs:
        await asyncio.sleep(0.005)


def gone(pid):
    """Whether a process has ended, also where nobody has collected it yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@pytest.fixture(scope="module")
def one():
    """A pool of one worker for all tests, whatever they do to it."""
    pool = pool_of(1)
    yield pool
    pool.close()


class TestTurns:
    async def test_a_small_job_waits_for_one_step_of_another_tenant(self, one, tmp_path):
        """
        However much a tenant has under way and waiting, the next step that a worker begins is another tenant's.
        """
        log, at, go = tmp_path / "log", tmp_path / "at", tmp_path / "go"
        flood = [asyncio.ensure_future(one.scan(stepping, X, log, "hostile", 5, (2, at, go), tenant="h"))]
        flood += [asyncio.ensure_future(one.scan(stepping, X, log, "hostile", 5, tenant="h")) for _ in range(20)]
        await there(at)
        before = log.read_text().count("hostile")
        small = asyncio.ensure_future(one.scan(stepping, X, log, "small", 1, tenant="s"))
        await waits(one, len(flood))
        go.touch()
        assert await small == [["x"]]
        assert log.read_text().split()[before:].index("small") == 1
        assert await asyncio.gather(*flood) == [[["x"]]] * len(flood)

    async def test_tenants_go_round(self, one, tmp_path):
        """
        Of two tenants with long jobs the second has its turn after one step of the first, and both go on to the end.
        """
        log, at, go = tmp_path / "log", tmp_path / "at", tmp_path / "go"
        first = asyncio.ensure_future(one.scan(stepping, X, log, "a", 6, (0, at, go), tenant="a"))
        await there(at)
        second = asyncio.ensure_future(one.scan(stepping, X, log, "b", 6, tenant="b"))
        await waits(one, 1)
        go.touch()
        await asyncio.gather(first, second)
        said = log.read_text().split()
        assert said[:2] == ["a", "b"]
        assert sorted(said) == ["a"] * 6 + ["b"] * 6

    async def test_a_worker_is_kept_from_a_tenant_while_others_ask(self, tmp_path):
        """
        Of two workers a tenant has one only, right after another tenant asked: who comes again does not wait for its step.
        """
        pool, go = pool_of(2), tmp_path / "go"
        await pool.ready()
        assert await pool.scan(texts, X, tenant="small") == [["x"]]
        held = [
            asyncio.ensure_future(
                pool.scan(stepping, X, tmp_path / "log", "h", 1, (0, tmp_path / f"at{n}", go), tenant="h")
            )
            for n in range(2)
        ]
        while not any((tmp_path / f"at{n}").exists() for n in range(2)):
            await asyncio.sleep(0.005)
        assert pool.waiting == 1
        assert await pool.scan(texts, X, tenant="small") == [["x"]]
        go.touch()
        await asyncio.gather(*held)
        pool.close()

    async def test_jobs_of_one_tenant_go_round(self, one, tmp_path):
        """
        A small job of the same tenant does not wait for the end of a large one either.
        """
        log, at, go = tmp_path / "log", tmp_path / "at", tmp_path / "go"
        large = asyncio.ensure_future(one.scan(stepping, X, log, "large", 9, (0, at, go), tenant="a"))
        await there(at)
        small = asyncio.ensure_future(one.scan(stepping, X, log, "small", 1, tenant="a"))
        await waits(one, 1)
        go.touch()
        await small
        assert log.read_text().split()[:2] == ["large", "small"]
        assert await large == [["x"]]


class TestOneThatHangs:
    async def test_it_alone_fails(self, one, tmp_path, monkeypatch):
        """
        A worker that hangs under one tenant's job fails that job; what others had under way in it and behind it is done.
        """
        log, begun, at, go = (tmp_path / name for name in ("log", "begun", "at", "go"))
        others = [asyncio.ensure_future(one.scan(stepping, X, log, "other", 4, (1, at, go), tenant="o"))]
        await there(at)
        monkeypatch.setattr(one, "_timeout", 2.0)
        [worker], before = one.pids, one.replaced
        hostile = asyncio.ensure_future(one.scan(hanging, X, begun, tmp_path / "ended", tenant="h"))
        others += [asyncio.ensure_future(one.scan(texts, [[Leaf(f"{n}")]], tenant="o")) for n in range(8)]
        await waits(one, 9)
        go.touch()
        with pytest.raises(DetectorTimeoutError):
            await hostile
        assert await asyncio.gather(*others) == [[["x"]], *([[f"{n}"]] for n in range(8))]
        assert (begun.exists(), (tmp_path / "ended").exists(), gone(worker)) == (True, False, True)
        assert (one.replaced - before, one.usable) == (1, 1)

    async def test_the_others_work_on_while_it_is_replaced(self, tmp_path):
        """
        Of two workers one hangs and its successor takes long to load: the other serves everybody meanwhile.
        """
        pool = pool_of(2, timeout=1.0)
        await pool.ready()
        kept = set(pool.pids)
        begun = tmp_path / "begun"
        hostile = asyncio.ensure_future(pool.scan(hanging, X, begun, tmp_path / "ended", tenant="h"))
        await there(begun)
        for slot in pool._slots:
            slot._load = _never
        with pytest.raises(DetectorTimeoutError):
            await hostile
        assert pool.usable == 1
        assert await pool.scan(texts, X, tenant="o") == [["x"]]
        assert len(kept & set(pool.pids)) == 1
        pool.close()

    @pytest.mark.parametrize("scan", [spinning, spinning_in_steps])
    async def test_what_would_take_as_long_again_is_not_to_be_retried(self, one, scan, monkeypatch):
        """
        A job that was at work all its time is told that it costs too much, with or without pauses.
        """
        await one.ready()
        monkeypatch.setattr(one, "_timeout", 0.5)
        with pytest.raises(ScreeningTooCostlyError) as caught:
            await one.scan(scan, X)
        assert not caught.value.retryable


class TestOneThatDies:
    async def test_a_deadly_job_is_tried_twice(self, one, tmp_path):
        """
        What workers die of is begun on a second one and no third, and is not to be retried; what waited behind it is done.
        """
        deaths = tmp_path / "deaths"
        hostile = asyncio.ensure_future(one.scan(deadly, X, deaths, tenant="h"))
        others = [asyncio.ensure_future(one.scan(texts, X, tenant="o")) for _ in range(5)]
        with pytest.raises(ScreeningTooCostlyError):
            await hostile
        assert await asyncio.gather(*others) == [[["x"]]] * 5
        assert deaths.read_text().split() == ["died"] * 2

    async def test_a_worker_that_was_killed_is_replaced_and_nobody_hears_of_it(self, one):
        """
        One dead worker, whoever killed it, is no reason to refuse a job that is not known to be its cause.
        """
        await one.ready()
        [worker], before = one.pids, one.replaced
        os.kill(worker, signal.SIGKILL)
        assert await one.scan(texts, X) == [["x"]]
        assert one.pids != [worker]
        assert one.replaced == before + 1


class TestOneThatFails:
    @pytest.mark.parametrize("scan", [failing, leaving])
    async def test_nothing_of_it_but_its_kind_is_told(self, one, scan):
        """
        Whatever a scan raises, also what is no `Exception`, its job was not screened, and the error holds nothing it read.
        """
        with pytest.raises(DetectorUnavailableError) as caught:
            await one.scan(scan, [[Leaf("S8421753F")]])
        assert "S8421753F" not in repr((caught.value, caught.value.__cause__, caught.value.__context__))
        assert await one.scan(texts, X) == [["x"]]

    async def test_a_job_that_cannot_be_handed_over(self, one):
        """
        A function that no other process can find fails its own call alone.
        """
        with pytest.raises(DetectorUnavailableError):
            await one.scan(lambda items: items, X)
        assert await one.scan(texts, X) == [["x"]]


class TestCallers:
    async def test_one_that_is_cancelled_leaves_nothing_behind(self, one, tmp_path):
        """
        Of a caller who left, what waited is not begun, what was under way ends with its step, and others are served.
        """
        log, at, go = tmp_path / "log", tmp_path / "at", tmp_path / "go"
        left = asyncio.ensure_future(one.scan(stepping, X, log, "left", 50, (1, at, go), tenant="a"))
        queued = asyncio.ensure_future(one.scan(stepping, X, log, "queued", 1, tenant="a"))
        await there(at)
        for caller in (left, queued):
            caller.cancel()
        await asyncio.gather(left, queued, return_exceptions=True)
        go.touch()
        assert await one.scan(texts, X, tenant="b") == [["x"]]
        assert log.read_text().split().count("left") == 2
        assert one.waiting == 0
        assert left.cancelled()

    async def test_a_pool_that_is_closed(self, tmp_path):
        """
        Who waits when the workers are stopped, and who comes after, gets an error and not a cancellation.
        """
        one, begun = pool_of(1), tmp_path / "begun"
        callers = [asyncio.ensure_future(one.scan(hanging, X, begun, tmp_path / "ended")) for _ in range(3)]
        await there(begun)
        one.close()
        answers = await asyncio.gather(*callers, return_exceptions=True)
        assert [type(answer) for answer in answers] == [DetectorUnavailableError] * 3
        with pytest.raises(DetectorUnavailableError):
            await one.scan(texts, X)

    async def test_answers_come_in_order(self):
        """
        Items that were shared out over several workers are answered each in its own place.
        """
        pool = pool_of(2)
        items = [[Leaf(f"{n}" * (n % 7 + 1))] for n in range(30)]
        assert await pool.scan(texts, items) == [[leaf.text] for [leaf] in items]
        assert await pool.scan(texts, []) == []
        pool.close()


class TestStart:
    @pytest.mark.parametrize("workers", [0, 1])
    async def test_workers_that_do_not_start(self, workers):
        """
        A model that is not there is found at start, and nobody waits for workers that never come.
        """
        pool = pool_of(workers, warm=not_there)
        with pytest.raises(DetectorUnavailableError):
            await pool.ready()
        with pytest.raises(DetectorUnavailableError):
            await pool.scan(texts, X)
        assert pool.usable == 0
        pool.close()

    async def test_a_thread_takes_turns_too(self, tmp_path):
        """
        Without processes jobs go round as well.
        """
        pool = pool_of(0)
        log, at, go = tmp_path / "log", tmp_path / "at", tmp_path / "go"
        first = asyncio.ensure_future(pool.scan(stepping, X, log, "a", 3, (0, at, go), tenant="a"))
        await there(at)
        second = asyncio.ensure_future(pool.scan(stepping, X, log, "b", 3, tenant="b"))
        await waits(pool, 1)
        go.touch()
        assert await asyncio.gather(first, second) == [[["x"]]] * 2
        assert log.read_text().split()[:2] == ["a", "b"]
        pool.close()


GATEWAY = """
import asyncio, sys
from pathlib import Path
from adapters.screening.workers import WorkerPool
from tests.support.scans import hanging, no_models, spinning

async def main(folder):
    pool = WorkerPool(workers=2, timeout_seconds=600, warm=no_models, args=())
    await pool.ready()
    scans = [asyncio.ensure_future(pool.scan(hanging, [[]], folder / "begun", folder / "ended"))]
    while not (folder / "begun").exists():
        await asyncio.sleep(0.01)
    print(*pool.pids, flush=True)
    await asyncio.gather(*scans)

if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
"""


def test_workers_end_with_a_gateway_that_is_killed(tmp_path):
    """
    After `kill -9` of the process that started them no worker is left, neither one at work nor an idle one.
    """
    script = tmp_path / "gateway_to_kill.py"
    script.write_text(GATEWAY)
    environment = {**os.environ, "PYTHONPATH": str(HOME)}
    with subprocess.Popen(
        [sys.executable, script, tmp_path], stdout=subprocess.PIPE, text=True, env=environment
    ) as started:
        pids = [int(pid) for pid in started.stdout.readline().split()]
        assert len(pids) == 2
        assert not any(map(gone, pids))
        started.kill()
        started.wait()
    deadline = time.monotonic() + 60
    while not all(map(gone, pids)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert all(map(gone, pids))


def _never():
    time.sleep(600)


class TestShares:
    def test_they_keep_the_order(self):
        """
        Work is spread by the amount of text, and put together again in order.
        """
        items = [[Leaf("x" * size)] for size in (10, 500, 10, 10, 500)]
        for count in (1, 2, 3, 9):
            shares = shared_out(items, count)
            assert items == [item for share in shares for item in share]
            assert len(shares) <= count

    def test_none_is_much_larger_than_another(self):
        """
        Of many items of one size each worker gets about as many.
        """
        shares = shared_out([[Leaf("x" * 100)] for _ in range(100)], 4)
        assert [len(share) for share in shares] == [25, 25, 25, 25]
