"""
How many connections there are, and who gives way when there are too many.

Rules held here: an address that has as many connections as it may waits behind itself, unread; where all connections are taken,
one that waits without a request gives way to one that comes, the one that waits longest first, and first of the address that has
most of them.  So whoever opens thousands holds or closes its own, and coming again costs others next to nothing.
"""

from collections import Counter
from collections.abc import Callable

from gateway.errors import GatewayError, OverloadedError
from gateway.setting_groups import DoorSettings

WhenFree = Callable[[], None]
"""A connection, as far as the doors know it: what ends it for another's sake, or lets it in at last."""


class Doors:
    """The connections of a server, by the address that they come from."""

    def __init__(self, limits: DoorSettings) -> None:
        self.limits = limits
        self._open: Counter[str] = Counter()
        self._waiting: dict[str, dict[WhenFree, None]] = {}
        self._outside: dict[str, dict[WhenFree, None]] = {}
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

    @property
    def outside(self) -> int:
        """How many wait for one of their address to end."""
        return sum(map(len, self._outside.values()))

    def is_full(self, address: str) -> bool:
        """Whether an address has as many connections as it may."""
        return self._open[address] >= self.limits.max_connections_per_address

    def stays_outside(self, address: str, let_in: WhenFree) -> None:
        """The connection is let in when one of its address ends; until then nobody reads it."""
        self._outside.setdefault(address, {})[let_in] = None

    def leaves_outside(self, address: str, let_in: WhenFree) -> None:
        """The connection does not wait outside any more."""
        self._drop(self._outside, address, let_in)

    def enter(self, address: str) -> GatewayError | None:
        """
        Count one more connection of an address, for which another may have to give way.

        Returns:
            Why it cannot be served, if it cannot; it counts until it `ends` all the same.
        """
        self._open[address] += 1
        if self.connections > self.limits.max_connections and not self._make_room():
            self.counts["refused"] += 1
            return OverloadedError("there are as many connections as there may be")
        return None

    def ends(self, address: str, connection: WhenFree) -> None:
        """The connection does not count any more; its caller may still read what was written."""
        self.busy(address, connection)
        self.ending += 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]
        if address in self._outside and not self.is_full(address):
            let_in = next(iter(self._outside[address]))
            self.leaves_outside(address, let_in)
            let_in()

    def leave(self) -> None:
        """A connection that ended is gone."""
        self.ending -= 1

    def waits(self, address: str, connection: WhenFree) -> None:
        """The connection has no request that is under way."""
        self._waiting.setdefault(address, {})[connection] = None

    def busy(self, address: str, connection: WhenFree) -> None:
        """The connection has a request that is under way, or none any more."""
        self._drop(self._waiting, address, connection)

    @staticmethod
    def _drop(lists: dict[str, dict[WhenFree, None]], address: str, connection: WhenFree) -> None:
        listed = lists.get(address, {})
        listed.pop(connection, None)
        if not listed:
            lists.pop(address, None)

    def _make_room(self) -> bool:
        if not self._waiting:
            return False
        crowd = max(self._waiting, key=lambda address: len(self._waiting[address]))
        connection = next(iter(self._waiting[crowd]))
        self.busy(crowd, connection)
        self.counts["gave_way"] += 1
        connection()
        return True
