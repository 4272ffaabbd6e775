"""Who is next: those who wait for the same thing, tenants taking turns."""

from collections import OrderedDict, deque
from collections.abc import Container
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

    def next(self, passed_over: Container[str] = ()) -> str | None:
        """The tenant whose turn it is, of those that are not passed over; None where nobody else waits."""
        return next((tenant for tenant in self._lines if tenant not in passed_over), None)

    def take(self, tenant: str) -> _T:
        """
        The first of a tenant's line, which goes behind the other lines.

        Raises:
            KeyError: nobody of this tenant waits.
        """
        line = self._lines.pop(tenant)
        one = line.popleft()
        if line:
            self._lines[tenant] = line
        return one
