"""What the gateway counts, in the Prometheus text format.  No label holds a tenant, a person or an item."""

import time

from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from gateway.api.calls import Server
from gateway.api.doors import Doors
from gateway.bootstrap.gateway import Gateway
from gateway.concurrency.apart import threads


class GatewayCollector(Collector):
    """Reads the counts of a running gateway when it is scraped."""

    def __init__(
        self, gateway: Gateway, server: Server, doors: Doors, key_failures: int, waivers: Mapping[str, int]
    ) -> None:
        self._gateway = gateway
        self._server = server
        self._doors = doors
        self._key_failures = key_failures
        self._waivers = waivers

    def collect(self) -> Iterator[Metric]:
        policy, lifecycle = self._gateway.switching, self._gateway.lifecycle
        bundle = InfoMetricFamily("ctxgate_policy_bundle", "The bundle that decides.")
        bundle.add_metric([], {"revision": policy.version.revision, "engine": policy.version.engine})
        yield bundle
        bundles = CounterMetricFamily("ctxgate_bundles", "Bundles by what became of them.", labels=["event"])
        for kind in ("bundle.activated", "bundle.rejected", "bundle.broke_glass"):
            bundles.add_metric([kind.removeprefix("bundle.")], lifecycle.counts[kind])
        yield bundles
        yield from self._supply()
        shadow = CounterMetricFamily(
            "ctxgate_shadow_disagreements", "Decisions the present shadow would have made otherwise.", labels=["at"]
        )
        for entrypoint, count in sorted(policy.counts.items()):
            shadow.add_metric([entrypoint], count)
        yield shadow
        yield self._exceptions()
        yield from self._ledger()
        yield from self._load()
        workers = self._gateway.workers
        yield GaugeMetricFamily(
            "ctxgate_screening_waiting", "Screening jobs that wait for a worker.", value=workers.waiting
        )
        yield GaugeMetricFamily("ctxgate_screening_workers", "Screening workers that are warm.", value=workers.usable)
        yield CounterMetricFamily(
            "ctxgate_screening_replaced", "Screening workers that hung or died.", value=workers.replaced
        )
        yield CounterMetricFamily("ctxgate_jwks_failures", "Fetches of keys that failed.", value=self._key_failures)
        yield CounterMetricFamily("ctxgate_traces_lost", "Traces that were not kept.", value=self._gateway.traces.lost)

    def _exceptions(self) -> Metric:
        """Exceptions on request, as they were counted last."""
        gauge = GaugeMetricFamily(
            "ctxgate_exceptions", "Exceptions on request, of all tenants, by how they stand.", labels=["state"]
        )
        for state, count in sorted(self._waivers.items()):
            gauge.add_metric([state], count)
        return gauge

    def _supply(self) -> Iterator[Metric]:
        """Where newer bundles come from, and until when the one that decides may."""
        # Named even where there is nothing to tell, so that whoever writes an alert finds them.
        failures = CounterMetricFamily(
            "ctxgate_bundle_poll_failures", "Turns without an answer of the bundle server.", labels=[]
        )
        age = GaugeMetricFamily("ctxgate_bundle_poll_age_seconds", "Since the bundle server last answered.", labels=[])
        if poller := self._gateway.poller:
            failures.add_metric([], poller.failures)
            age.add_metric([], poller.age)
        left = GaugeMetricFamily(
            "ctxgate_bundle_valid_seconds", "Until the bundle that decides expires; below zero it has.", labels=[]
        )
        newest = self._gateway.freshness.newest
        if newest and newest.numbering.until and newest.revision == self._gateway.switching.version.revision:
            left.add_metric([], (newest.numbering.until - self._gateway.clock()).total_seconds())
        yield from (failures, age, left)

    def _load(self) -> Iterator[Metric]:
        queue, held = self._server.queue, self._server.open
        yield GaugeMetricFamily("ctxgate_working", "Requests worked on.", value=queue.working)
        yield GaugeMetricFamily("ctxgate_waiting", "Requests that wait for their turn.", value=queue.waiting)
        yield GaugeMetricFamily(
            "ctxgate_apart_working", "Threads that work on requests' stages.", value=threads.working
        )
        yield GaugeMetricFamily("ctxgate_apart_waiting", "Stages that wait for a thread.", value=threads.waiting)
        yield CounterMetricFamily("ctxgate_shed", "Requests refused for load.", value=queue.shed)
        yield GaugeMetricFamily(
            "ctxgate_open_requests", "Requests of known callers, not answered yet.", value=held.count
        )
        yield GaugeMetricFamily("ctxgate_bodies_bytes", "Bytes of bodies held in memory.", value=held.held_bytes)
        yield CounterMetricFamily("ctxgate_open_refused", "Requests over the share of a tenant.", value=held.refused)
        yield CounterMetricFamily("ctxgate_bodies_slow", "Bodies that came too slowly.", value=held.slow)
        yield GaugeMetricFamily("ctxgate_connections", "Connections.", value=self._doors.connections)
        ended = CounterMetricFamily("ctxgate_connections_ended", "Connections ended before their time.", labels=["why"])
        for why, count in sorted(self._doors.counts.items()):
            ended.add_metric([why], count)
        yield ended

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


def exposition(gateway: Gateway, server: Server, doors: Doors, key_failures: int, waivers: Mapping[str, int]) -> bytes:
    """The counts as Prometheus reads them; *waivers* are exceptions on request by how they stand, which a store knows."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(GatewayCollector(gateway, server, doors, key_failures, waivers))
    return generate_latest(registry) + generate_latest(gateway.observer.registry)
