"""
Bodies: how fast they must come, how much memory they take, and how many requests of a tenant are open.

Rules held here: a body that comes slowly costs its sender a connection and nobody a place at work; what bodies take is
counted while they arrive, for as long as their request lives, and shared among tenants.
"""

import asyncio
import random

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import ExitStack
from dataclasses import dataclass

from starlette.requests import ClientDisconnect

from gateway.errors import BodyError, OverloadedError, RequestTooLargeError, RequestTooSlowError, TooManyOpenError
from gateway.setting_groups import DoorSettings


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a body must come."""

    grace_seconds: float
    """For how long it may come as it likes."""

    bytes_per_second: float
    """How fast it must have come after that, on average."""

    most_seconds: float
    """For how long it may come at all."""

    def due(self, received: int) -> float:
        """When more must have come, in seconds from the beginning, once so many bytes are here."""
        return min(self.most_seconds, self.grace_seconds + received / self.bytes_per_second)


class OpenRequests:
    """Requests that are not answered yet, and the bytes of their bodies, by tenant."""

    def __init__(self, limits: DoorSettings, largest: int) -> None:
        """
        Args:
            limits: how many, how many bytes, and how fast.
            largest: the largest body, in bytes: every tenant may hold one.
        """
        self._limits = limits
        self._largest = largest
        self._pace = Pace(limits.body_grace_seconds, limits.body_bytes_per_second, limits.body_seconds)
        self._open: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()
        self.refused = 0
        self.slow = 0

    @property
    def count(self) -> int:
        """How many requests are open."""
        return self._open.total()

    @property
    def held_bytes(self) -> int:
        """How many bytes of bodies are held."""
        return self._bytes.total()

    async def enter(self, tenant: str, until: ExitStack) -> None:
        """
        Count one more request of a tenant, until the stack is closed.

        Whoever has too many hears so only after a while: asking again at once would cost the others more than this wait.

        Raises:
            TooManyOpenError: it has as many as it may.
        """
        if self._open[tenant] >= self._limits.max_open_per_tenant:
            self.refused += 1
            # Not all at the same moment: they would all come again at the same moment.
            await asyncio.sleep(random.uniform(0.5, 1.0) * self._limits.refusal_seconds)  # noqa: S311 - no secret
            raise TooManyOpenError(f"this tenant has {self._limits.max_open_per_tenant} requests open already")
        self._add(self._open, tenant, 1)
        until.callback(self._add, self._open, tenant, -1)

    async def read(self, parts: AsyncIterator[bytes], tenant: str, until: ExitStack) -> bytes:
        """
        A body, of which never more is held than the limits allow; what is held counts until the stack is closed.

        Raises:
            RequestTooLargeError: it is larger than a body may be.

            RequestTooSlowError: it does not come fast enough, or for too long.

            TooManyOpenError, OverloadedError: there is no room for it among the bodies of its tenant, or of all.

            BodyError: it ends before it is whole.
        """
        # The grace is a little longer for some: bodies that begin together and stop would else all end at the same moment.
        body, began = bytearray(), asyncio.get_running_loop().time() + random.random() * self._pace.grace_seconds / 2  # noqa: S311
        until.callback(lambda: self._add(self._bytes, tenant, -len(body)))
        try:
            async with asyncio.timeout_at(began + self._pace.due(0)) as limit:
                async for part in parts:
                    if len(body) + len(part) > self._largest:
                        raise RequestTooLargeError(f"the request has more than {self._largest} bytes")
                    self._hold(len(part), tenant)
                    body += part
                    limit.reschedule(began + self._pace.due(len(body)))
        except TimeoutError as error:
            self.slow += 1
            raise RequestTooSlowError("the body came too slowly; nothing was done") from error
        except ClientDisconnect as error:
            raise BodyError("the body ended before it was whole") from error
        return bytes(body)

    def _hold(self, size: int, tenant: str) -> None:
        others = len(self._bytes.keys() - {tenant})
        share = max(self._largest, self._limits.max_bodies_bytes // (others + 2))
        if self._bytes[tenant] + size > share:
            self.refused += 1
            raise TooManyOpenError("the bodies of this tenant's open requests take as much memory as they may")
        if self.held_bytes + size > max(self._limits.max_bodies_bytes, self._largest):
            self.refused += 1
            raise OverloadedError("the bodies of open requests take as much memory as they may")
        self._add(self._bytes, tenant, size)

    @staticmethod
    def _add(counts: "Counter[str]", tenant: str, number: int) -> None:
        counts[tenant] += number
        if not counts[tenant]:
            del counts[tenant]
