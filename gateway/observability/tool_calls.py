"""
Calls of tools as the blueprint counts them (13.1): how long they take, and how many give nothing that can be used.

Rule held here: the series of a tool are all there from its first call on, since from one that begins with 1 no alert sees an
increase.
"""

from typing import Final, get_args

from prometheus_client import CollectorRegistry, Counter, Histogram

from gateway.model.policy_input import CallStatus

_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class ToolCalls:
    """Counts the calls of this process."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """
        Args:
            registry: where its counters are.
        """
        self._seconds = Histogram(
            "mcp_tool_latency_seconds", "Calls of tools, however.", ("tool",), buckets=_SECONDS, registry=registry
        )
        self._calls = Counter(
            "mcp_tool_calls", "Calls of tools, by what came of them.", ("tool", "status"), registry=registry
        )
        self._known: set[str] = set()

    def ended(self, tool: str, status: str, seconds: float) -> None:
        """One call, and what came of it; tools are those of the bank's table, so that nobody makes series at will."""
        if tool not in self._known:
            self._known.add(tool)
            for one in get_args(CallStatus):
                self._calls.labels(tool, one)
        self._seconds.labels(tool).observe(seconds)
        self._calls.labels(tool, status).inc()
