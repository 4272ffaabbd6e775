"""One session with a server, kept open."""

import asyncio

from contextlib import asynccontextmanager

import pytest

from adapters.sources.mcp import held as module
from adapters.sources.mcp.held import Held
from gateway.errors import SourceChangedError, SourceUnavailableError


class Open:
    """A session as far as `Held` knows one."""

    def __init__(self):
        self.over = asyncio.Event()
        self.retiring = False
        self.answered = True


class Server:
    """Opens sessions, or fails; counts both."""

    def __init__(self):
        self.error = None
        self.opened, self.closed = [], 0
        self.tried = 0
        self.slow = asyncio.Event()
        self.slow.set()

    @asynccontextmanager
    async def connect(self):
        self.tried += 1
        await self.slow.wait()
        if self.error:
            raise self.error
        self.opened.append(Open())
        try:
            yield self.opened[-1]
        finally:
            self.closed += 1


@pytest.fixture
async def server():
    return Server()


@pytest.fixture
async def held(server):
    held = Held("npa", server.connect)
    yield held
    await held.aclose()


class TestHeld:
    async def test_one_session_serves_all(self, held, server):
        """
        However many ask at once, and later, one session is opened.
        """
        found = await asyncio.gather(*(held.session() for _ in range(20)))
        assert {*found, await held.session()} == {server.opened[0]}
        assert server.tried == 1

    async def test_who_gives_up_takes_nothing_from_others(self, held, server):
        """
        A session that is being opened is opened on, when who asked for it first gives up.
        """
        server.slow.clear()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await held.session()
        server.slow.set()
        assert await held.session() is server.opened[0]
        assert server.tried == 1

    async def test_one_that_is_over_is_replaced(self, held, server):
        """
        Once a session has ended the next who asks gets another.
        """
        (await held.session()).over.set()
        assert await held.session() is server.opened[1]
        assert server.closed == 1

    @pytest.mark.parametrize(("answered", "opened"), [(True, 2), (False, 1)])
    async def test_one_that_has_answered_is_replaced_unasked(self, held, server, answered, opened):
        """
        Nobody has to wait for a start who could have had an answer; a server that never answered waits until it is needed.
        """
        first = await held.session()
        first.answered = answered
        first.over.set()
        for _ in range(20):
            await asyncio.sleep(0)
        assert (len(server.opened), server.closed) == (opened, 1)

    async def test_there_is_one_at_a_time(self, held, server):
        """
        As long as calls are under way in a session that retires, none is opened beside it.
        """
        first = await held.session()
        first.retiring = True
        waiting = asyncio.create_task(held.session())
        for _ in range(10):
            await asyncio.sleep(0)
        assert (waiting.done(), server.tried) == (False, 1)
        first.over.set()
        assert await waiting is server.opened[1]

    async def test_why_it_failed_is_told(self, held, server):
        """
        An error of ours is told as it is, all others as a server that did not answer, without their words.
        """
        for error, kind in [(SourceChangedError("x"), SourceChangedError), (OSError("SECRET"), SourceUnavailableError)]:
            server.error = error
            with pytest.raises(kind) as raised:
                await held.session()
            assert "SECRET" not in str(raised.value)

    async def test_a_server_that_fails_is_left_alone(self, held, server, monkeypatch):
        """
        After the second failure in a row whoever asks is told at once, and the server is not tried; once it answered, all is forgiven.
        """
        monkeypatch.setattr(module, "FIRST_PAUSE", 600.0)
        server.error = OSError()
        for _ in range(5):
            with pytest.raises(SourceUnavailableError):
                await held.session()
        assert server.tried == 2
        held._not_before = 0.0
        server.error = None
        (await held.session()).over.set()
        server.error = OSError()
        for _ in range(2):
            with pytest.raises(SourceUnavailableError):
                await held.session()
        assert server.tried == 5

    async def test_pauses_grow_to_a_limit(self, held, server, monkeypatch):
        """
        The pause doubles with each failure, up to the longest.
        """
        now = asyncio.get_running_loop().time()
        server.error = OSError()
        pauses = []
        for _ in range(12):
            held._not_before = 0.0
            with pytest.raises(SourceUnavailableError):
                await held.session()
            pauses.append(round(held._not_before - now))
        assert pauses[0] < 0
        assert pauses[1:7] == pytest.approx([0.5, 1, 2, 4, 8, 16], abs=1.01)
        assert pauses[-1] == pytest.approx(30, abs=1.01)

    @pytest.mark.parametrize(("rounds", "tried"), [(1, 0), (3, 1)])
    async def test_closing_ends_what_is_being_opened(self, held, server, rounds, tried):
        """
        Closed while it opens, or before it has begun to, it opens nothing, and tells who waits.
        """
        server.slow.clear()
        waiting = asyncio.create_task(held.session())
        for _ in range(rounds):
            await asyncio.sleep(0)
        await held.aclose()
        with pytest.raises(SourceUnavailableError):
            await waiting
        with pytest.raises(SourceUnavailableError):
            await held.session()
        assert (server.opened, server.tried) == ([], tried)
