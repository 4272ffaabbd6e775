"""
How many connections there are, and who gives way when there are too many.

Rules held here: a connection that waits without a request gives way to one that comes, the one that waits longest first, and
first of the address that has most of them: whoever opens thousands closes its own.
"""

from collections import Counter
from collections.abc import Callable

from gateway.errors import GatewayError, OverloadedError, TooManyOpenError
from gateway.limits import DoorSettings

Waiting = Callable[[], None]
"""A connection, as far as the doors know it: what ends it for another's sake."""


class Doors:
    """The connections of a server, by the address that they come from."""

    def __init__(self, limits: DoorSettings) -> None:
        self.limits = limits
        self._open: Counter[str] = Counter()
        self._waiting: dict[str, dict[Waiting, None]] = {}
        self.ending = 0
        """Connections that are answered, and not closed by both sides yet."""

        self.counts: Counter[str] = Counter(dict.fromkeys(("gave_way", "refused", "slow", "unreadable"), 0))
        """Connections by what became of them."""

    @property
    def connections(self) -> int:
        """How many count."""
        return self._open.total()

    @property
    def crowded(self) -> bool:
        """Whether so many connections are ending that there is no time for it."""
        return self.ending > self.limits.max_connections

    def enter(self, address: str) -> GatewayError | None:
        """
        Count one more connection of an address, for which another may have to give way.

        Returns:
            Why it cannot be served, if it cannot; it counts until it `ends` all the same.
        """
        self._open[address] += 1
        if self._open[address] > self.limits.max_connections_per_address and not self._make_room(address):
            self.counts["refused"] += 1
            return TooManyOpenError("this address has as many connections open as it may")
        if self.connections > self.limits.max_connections and not self._make_room(self._crowd()):
            self.counts["refused"] += 1
            return OverloadedError("there are as many connections as there may be")
        return None

    def ends(self, address: str, connection: Waiting) -> None:
        """The connection does not count any more; its caller may still read what was written."""
        self.busy(address, connection)
        self.ending += 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def leave(self) -> None:
        """A connection that ended is gone."""
        self.ending -= 1

    def waits(self, address: str, connection: Waiting) -> None:
        """The connection has no request that is under way."""
        self._waiting.setdefault(address, {})[connection] = None

    def busy(self, address: str, connection: Waiting) -> None:
        """The connection has a request that is under way, or none any more."""
        waiting = self._waiting.get(address, {})
        waiting.pop(connection, None)
        if not waiting:
            self._waiting.pop(address, None)

    def _crowd(self) -> str | None:
        return max(self._waiting, key=lambda address: len(self._waiting[address]), default=None)

    def _make_room(self, address: str | None) -> bool:
        if address is None or address not in self._waiting:
            return False
        connection = next(iter(self._waiting[address]))
        self.busy(address, connection)
        self.counts["gave_way"] += 1
        connection()
        return True
