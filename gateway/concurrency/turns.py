"""Who is next: those who wait for the same thing, tenants taking turns."""

from collections import OrderedDict, deque
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Waiting(Generic[_T]):
    """A queue in which each tenant has a line of its own, and the lines take turns.  Not for two threads at once."""

    def __init__(self) -> None:
        self._lines: OrderedDict[str, deque[_T]] = OrderedDict()

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def put(self, tenant: str, one: _T) -> None:
        """Let *one* wait at the end of its tenant's line."""
        self._lines.setdefault(tenant, deque()).append(one)

    def take(self) -> _T:
        """
        The first of the line whose turn it is.

        Raises:
            KeyError: nobody waits.
        """
        tenant, line = self._lines.popitem(last=False)
        one = line.popleft()
        if line:
            self._lines[tenant] = line
        return one
