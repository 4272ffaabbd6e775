"""What the gateway counts, in the Prometheus text format.  No label holds a tenant, a person or an item."""

import time

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from gateway.api.admission import FairQueue
from gateway.bootstrap.gateway import Gateway
from gateway.concurrency.apart import threads


class GatewayCollector(Collector):
    """Reads the counts of a running gateway when it is scraped."""

    def __init__(self, gateway: Gateway, queue: FairQueue, key_failures: int) -> None:
        self._gateway = gateway
        self._queue = queue
        self._key_failures = key_failures

    def collect(self) -> Iterator[Metric]:
        policy, lifecycle = self._gateway.switching, self._gateway.lifecycle
        bundle = InfoMetricFamily("ctxgate_policy_bundle", "The bundle that decides.")
        bundle.add_metric([], {"revision": policy.version.revision, "engine": policy.version.engine})
        yield bundle
        bundles = CounterMetricFamily("ctxgate_bundles", "Bundles by what became of them.", labels=["event"])
        for kind in ("bundle.activated", "bundle.rejected"):
            bundles.add_metric([kind.removeprefix("bundle.")], lifecycle.counts[kind])
        yield bundles
        shadow = CounterMetricFamily(
            "ctxgate_shadow_disagreements", "Decisions the present shadow would have made otherwise.", labels=["at"]
        )
        for entrypoint, count in sorted(policy.counts.items()):
            shadow.add_metric([entrypoint], count)
        yield shadow
        yield from self._ledger()
        yield GaugeMetricFamily("ctxgate_working", "Requests worked on.", value=self._queue.working)
        yield GaugeMetricFamily("ctxgate_waiting", "Requests that wait for their turn.", value=self._queue.waiting)
        yield GaugeMetricFamily(
            "ctxgate_apart_working", "Threads that work on requests' stages.", value=threads.working
        )
        yield GaugeMetricFamily("ctxgate_apart_waiting", "Stages that wait for a thread.", value=threads.waiting)
        yield CounterMetricFamily("ctxgate_shed", "Requests refused for load.", value=self._queue.shed)
        yield CounterMetricFamily("ctxgate_jwks_failures", "Fetches of keys that failed.", value=self._key_failures)
        yield CounterMetricFamily("ctxgate_traces_lost", "Traces that were not kept.", value=self._gateway.traces.lost)

    def _ledger(self) -> Iterator[Metric]:
        keeper = self._gateway.ledger.keeper
        size = keeper.published.size if keeper.published else 0
        yield GaugeMetricFamily("ctxgate_ledger_entries", "Entries under the newest checkpoint.", value=size)
        age = time.monotonic() - keeper.last_success
        yield GaugeMetricFamily(
            "ctxgate_ledger_round_age_seconds", "Since the log was last brought up to date.", value=age
        )
        yield CounterMetricFamily("ctxgate_ledger_round_failures", "Rounds that failed.", value=keeper.failures)
        refused = keeper.witnesses.failures if keeper.witnesses else 0
        yield CounterMetricFamily("ctxgate_witness_failures", "Cosignatures that were not had.", value=refused)


def exposition(gateway: Gateway, queue: FairQueue, key_failures: int) -> bytes:
    """The counts as Prometheus reads them."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(GatewayCollector(gateway, queue, key_failures))
    return generate_latest(registry) + generate_latest(gateway.observer.registry)
