"""
Who is let in when more is asked than can be done.

Rules held here: before any work, a caller is refused who is over a rate or who could not be served in time; what is let in waits
in a bounded queue, tenants taking turns, so that one that floods the gateway waits behind itself; no tenant has all the
places to work; nothing that was let in is dropped, except by its own deadline.
"""

import asyncio
import contextlib

from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Final

from limits import RateLimitItem, parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import SlidingWindowCounterRateLimiter

from gateway.errors import (
    ConfigurationError,
    DeadlineExceededError,
    FieldInvalidError,
    OverloadedError,
    RateLimitedError,
    RevealRateError,
)

HEADER: Final = "x-request-deadline"


class FairQueue:
    """
    Lets so many work at once; the others wait, and the tenants among them take turns.

    A tenant has a share of the places to work and of those to wait: an equal part with every other tenant that is here, and
    with one that may yet come.  So nobody finds all places taken by another's requests, however slow these are.
    """

    def __init__(self, *, limit: int, waiting: int) -> None:
        """
        Args:
            limit: how many work at once.
            waiting: how many may wait, of all tenants together.
        """
        self._limit = limit
        self._most_waiting = waiting
        self._turns: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._at_work: Counter[str] = Counter()
        self.shed = 0

    @property
    def working(self) -> int:
        """How many work."""
        return self._at_work.total()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return sum(map(len, self._turns.values()))

    @contextlib.asynccontextmanager
    async def slot(self, tenant: str) -> AsyncIterator[None]:
        """
        A place to work, once there is one.

        Raises:
            OverloadedError: too many wait already, or this tenant has more than its share of those who wait.
        """
        await self._enter(tenant)
        try:
            yield
        finally:
            self._leave(tenant)

    async def _enter(self, tenant: str) -> None:
        if tenant not in self._turns and self._has_place(tenant):
            self._at_work[tenant] += 1
            return
        most = self._share(self._most_waiting, self._turns.keys(), tenant)
        if self.waiting >= self._most_waiting or len(self._turns.get(tenant, ())) >= most:
            self.shed += 1
            raise OverloadedError("too many requests wait already")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._turns.setdefault(tenant, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            self._give_up(tenant, turn)
            raise

    def _has_place(self, tenant: str) -> bool:
        here = self._turns.keys() | self._at_work.keys()
        return self.working < self._limit and self._at_work[tenant] < self._share(self._limit, here, tenant)

    @staticmethod
    def _share(places: int, here: AbstractSet[str], tenant: str) -> int:
        """How many places one tenant may have; of an odd number one more, so that a tenant alone has the larger half."""
        parts = len(here - {tenant}) + 2
        return max(1, -(-places // parts))

    def _give_up(self, tenant: str, turn: "asyncio.Future[None]") -> None:
        if turn.done() and not turn.cancelled():
            # The place was given in the same moment: somebody else has it.
            self._leave(tenant)
            return
        with contextlib.suppress(ValueError, KeyError):
            self._turns[tenant].remove(turn)
            if not self._turns[tenant]:
                del self._turns[tenant]

    def _leave(self, tenant: str) -> None:
        self._at_work[tenant] -= 1
        if not self._at_work[tenant]:
            del self._at_work[tenant]
        while (following := next(filter(self._has_place, self._turns), None)) is not None:
            self._let_in(following)

    def _let_in(self, tenant: str) -> None:
        """The place goes to the tenant's first request that still waits; the tenant's next turn comes after the others'."""
        turns = self._turns.pop(tenant)
        turn = turns.popleft()
        if turns:
            self._turns[tenant] = turns
        if not turn.done():
            self._at_work[tenant] += 1
            turn.set_result(None)


class Rates:
    """How often tenants and agents may ask, and persons for what tokens stand for, by `limits`."""

    def __init__(self, tenant: str | None, agent: str | None, reveals: str | None = None) -> None:
        """
        Args:
            tenant: such as "600/minute"; None for no limit.
            agent: the same for each agent of each tenant.
            reveals: how many tokens each person may ask the meaning of.

        Raises:
            ConfigurationError: one of them is not a rate.
        """
        self._tenant, self._agent, self._reveals = _rate(tenant), _rate(agent), _rate(reveals)
        self._window = SlidingWindowCounterRateLimiter(MemoryStorage())

    async def tenant(self, tenant: str) -> None:
        """
        Raises:
            RateLimitedError: the tenant has asked as often as it may.
        """
        await self._hit(self._tenant, "tenant", tenant)

    async def agent(self, tenant: str, agent: str) -> None:
        """
        Raises:
            RateLimitedError: the agent has asked as often as it may.
        """
        await self._hit(self._agent, "agent", tenant, agent)

    async def reveals(self, person: str, tokens: int) -> None:
        """
        Raises:
            RevealRateError: with these tokens the person has asked the meaning of more than one may.
        """
        if self._reveals is not None and not await self._window.hit(self._reveals, "reveals", person, cost=tokens):
            raise RevealRateError(f"one person may ask the meaning of {self._reveals}")

    async def _hit(self, rate: RateLimitItem | None, *names: str) -> None:
        if rate is not None and not await self._window.hit(rate, *names):
            raise RateLimitedError(f"this {names[0]} may ask {rate}")


def _rate(text: str | None) -> RateLimitItem | None:
    try:
        return None if text is None else parse(text)
    except ValueError as error:
        raise ConfigurationError(f"{text!r} is not a rate, such as 600/minute") from error


def seconds_left(header: str | None, now: datetime, limit: float) -> float:
    """
    How long a request may take: as the caller's header says, but no longer than the setting.

    Raises:
        FieldInvalidError: the header is not an RFC 3339 time.

        DeadlineExceededError: its time is past.
    """
    if header is None:
        return limit
    try:
        left = (datetime.fromisoformat(header) - now).total_seconds()
    except (ValueError, TypeError) as error:
        problem = "must be an RFC 3339 time with an offset"
        raise FieldInvalidError(
            f"{HEADER} must be an RFC 3339 time with an offset", fields=[(HEADER, problem)]
        ) from error
    if left <= 0:
        raise DeadlineExceededError("the request's deadline had passed when it arrived")
    return min(left, limit)


@contextlib.asynccontextmanager
async def within(seconds: float) -> AsyncIterator[None]:
    """
    Work that ends in time or not at all.

    Raises:
        DeadlineExceededError: it did not.
    """
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise DeadlineExceededError("the request's deadline passed; nothing was released") from error
