"""So many threads and no more, and tenants that take turns on them."""

import threading

import pytest

from gateway.concurrency.threads import FairThreads


class TestFairThreads:
    def test_gives_what_a_function_gives(self):
        """
        Whoever waits has the answer, or the error.
        """
        threads = FairThreads(1, "test")
        assert threads.submit("a", lambda: 7).result(10) == 7
        with pytest.raises(ZeroDivisionError):
            threads.submit("a", lambda: 1 // 0).result(10)

    def test_no_more_threads_than_said(self):
        """
        What hangs takes its own thread and no other; how many hang and how many wait can be seen.
        """
        threads, go = FairThreads(2, "test"), threading.Event()
        held = [threads.submit(tenant, lambda: go.wait(30)) for tenant in "abcde"]
        for _ in range(1000):
            if (threads.working, threads.waiting) == (2, 3):
                break
            threading.Event().wait(0.01)
        assert (threads.working, threads.waiting) == (2, 3)
        go.set()
        assert all(one.result(10) for one in held)

    def test_a_tenant_has_one_thread_at_a_time(self):
        """
        However much a tenant brings, another finds a thread, and has it before what the first one still has waiting.
        """
        threads, go = FairThreads(2, "test"), threading.Event()
        held = [threads.submit("many", lambda: go.wait(30)) for _ in range(5)]
        assert threads.submit("one", lambda: 7).result(10) == 7
        assert (threads.working, threads.waiting) == (1, 4)
        go.set()
        assert all(one.result(10) for one in held)

    def test_tenants_take_turns(self):
        """
        A tenant with one function to run waits for one of another's at most, however many that one has.
        """
        threads, go, done = FairThreads(1, "test"), threading.Event(), []
        first = threads.submit("many", lambda: go.wait(30))
        later = [threads.submit("many", lambda: done.append("many")) for _ in range(10)]
        one = threads.submit("one", lambda: done.append("one"))
        go.set()
        for future in (first, *later, one):
            future.result(10)
        assert done.index("one") <= 1

    def test_what_nobody_waits_for_never_begins(self):
        """
        A function that was given up before its turn is not run.
        """
        threads, go, ran = FairThreads(1, "test"), threading.Event(), []
        first = threads.submit("a", lambda: go.wait(30))
        given_up = threads.submit("a", lambda: ran.append("given up"))
        assert given_up.cancel()
        go.set()
        assert first.result(10)
        threads.submit("a", lambda: ran.append("last")).result(10)
        assert ran == ["last"]
